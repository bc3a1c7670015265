"""Attention over a whole translation, as a matrix or as lines: cross-attention, or either side's self-attention."""

from collections.abc import Iterator

import numpy as np

from core.explorer.translate.alignment import Alignment, alignment
from core.readings.patterns import read_pattern
from core.readings.translate import name_mean
from core.readings.treatments import name_treatment, read_treatment
from pages.canvas import Matrices, Panel, TokenLines
from pages.shell import Shown
from pages.transformer.translate.heads import heads_controls, heads_of
from pages.transformer.translate.settings import DRAWN, OVER, UNIT, WHICH
from pages.transformer.translate.translation import Translation
from pages.widgets import AtRest, Control, Part, Table, Values, control

NAMES = {
    "cross": "Cross-attention",
    "encoder": "Self-attention of the encoder",
    "decoder": "Masked self-attention of the decoder",
}
SAID = {
    "cross": "Each row is a written token (its query), each column a token of the source (its key): where the decoder "
    "looked to write it.",
    "encoder": "Tokens of the source look at each other; nothing is hidden.",
    "decoder": "Written tokens look at themselves and at those before them; those that come later are hidden.",
}


def alignment_controls(text: Translation, values: Values) -> Iterator[Control]:
    yield control(WHICH)
    yield control(DRAWN)
    yield control(UNIT)
    yield from heads_controls(text, values, OVER)


def show_alignment(text: Translation, values: Values) -> Shown:
    """The chosen attention over the whole translation."""
    which, over, (layer, head) = values[WHICH], values[OVER], heads_of(text, values)
    aligned = alignment(text.seen(), len(text.start), which, layer, head, over, values[UNIT] == "words")
    found = aligned.treated
    mean = name_mean(layer, head, over)
    rows, columns = found.pattern.shape
    return Shown(
        lead=SAID[which],
        pictures=[AtRest("translate"), _picture(aligned, values, f"{mean}: {name_treatment(found)}")],
        takeaway=read_pattern(found.pattern, found.queries, found.keys if which == "cross" else None),
        notes=[*read_treatment(found), text.cut],
        formula=rf"\underset{{{rows} \times {columns}}}{{A}} \qquad \sum_j A_{{ij}} = 1",
        table=Table("alignment", found.pattern, found.queries, found.keys),
        source=("core.analysis.alignment.averaged", "core.analysis.treatments.treat"),
    )


def _picture(aligned: Alignment, values: Values, title: str) -> Part:
    name, found = NAMES[values[WHICH]], aligned.treated
    if values[DRAWN] == "lines":
        weights = found.pattern[None]
        return TokenLines(weights, found.queries, found.keys, key="translate-lines", name=name, caption=title)
    shown = np.where(aligned.allowed, found.pattern, -np.inf)
    panel = Panel("pattern", title, shown, found.queries, found.keys, "queries", "keys", scale="weight")
    return Matrices([panel], key="translate-matrix", name=name, height=560)
