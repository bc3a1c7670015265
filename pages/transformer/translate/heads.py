"""Whose attention a view looks at or changes: one head's, a layer's, or all."""

from collections.abc import Iterator

from pages.transformer.translate.translation import Translation
from pages.widgets import Control, Setting, Values, control, head_of, layer_of, place_controls


def heads_controls(text: Translation, values: Values, which: Setting) -> Iterator[Control]:
    """The setting `which`, and the layer and head where they are meant."""
    yield control(which)
    over = values[which]
    yield from place_controls(text.run, attention=False, layer=over != "all", head=over == "this head")


def heads_of(text: Translation, values: Values) -> tuple[int, int]:
    """Layer and head, from 0."""
    return layer_of(text.run, values), head_of(text.run, values)
