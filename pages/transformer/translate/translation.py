"""The translation that all views of the page share, and the heads that they look at or change."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from core.decoding.sampling import GREEDY
from core.topics.generate.setup import mask_note
from core.topics.shared.places import require_no_sink
from core.topics.translate.readings import read_cut_after
from core.topics.translate.translation import Translation
from core.tracing.run import Run
from pages.compute import generation as queries
from pages.compute.cache import check
from pages.widgets import Control, Notes, Part, Setting, Values, control, head_of, layer_of, place_controls


def translation(run: Run, values: Values) -> Translation:
    """Return the translation that the views look at; it has no padding.

    Raises ValueError as `require_no_sink` does.
    """
    require_no_sink(run)
    run = replace(run, pads=0)
    return Translation(run, queries.start(run), check(run)["encoder"].pieces, partial(queries.written, run, GREEDY, ()))


def mask_parts(text: Translation, values: Values) -> Sequence[Part]:
    """Return a note on the part of the run's mask that has no effect on a translation."""
    return [Notes([mask_note(text.run.masks)])]


def note_cut(text: Translation) -> str | None:
    """Return a note that the model was stopped before it wrote </s>; None if it was not."""
    return read_cut_after(len(text.written)) if text.is_cut else None


def heads_controls(text: Translation, values: Values, which: Setting) -> Iterator[Control]:
    """Yield the control `which`, and those for layer and head if its value refers to them."""
    yield control(which, "more")
    over = values[which]
    yield from place_controls(text.run, attention=False, layer=over != "all", head=over == "this head", stack="decoder")


def heads_of(text: Translation, values: Values) -> tuple[int, int]:
    """Return the chosen layer and head of the decoder, counted from 0."""
    return layer_of(text.run, values, "decoder"), head_of(text.run, values)
