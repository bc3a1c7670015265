"""One translation as all views of the page share it, and whose attention they look at or change."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from core.decoding.sampling import GREEDY
from core.explorer.generation.setup import mask_note
from core.explorer.translate.translation import Translation
from core.tracing.run import Run
from pages.compute import generation as queries
from pages.compute.cache import check
from pages.widgets import Control, Notes, Part, Setting, Values, control, head_of, layer_of, place_controls


def translation(run: Run, values: Values) -> Translation:
    """What the views look at: a translation has no padding."""
    run = replace(run, pads=0)
    return Translation(run, queries.start(run), check(run)["encoder"].pieces, partial(queries.written, run, GREEDY, ()))


def mask_parts(text: Translation, values: Values) -> Sequence[Part]:
    """What of the frame's mask plays no part."""
    return [Notes([mask_note(text.run.mask)])]


def heads_controls(text: Translation, values: Values, which: Setting) -> Iterator[Control]:
    """The setting `which`, and the layer and head where they are meant."""
    yield control(which, "more")
    over = values[which]
    yield from place_controls(text.run, attention=False, layer=over != "all", head=over == "this head", stack="decoder")


def heads_of(text: Translation, values: Values) -> tuple[int, int]:
    """Layer and head, from 0."""
    return layer_of(text.run, values, "decoder"), head_of(text.run, values)
