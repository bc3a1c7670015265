"""The view of attention over a whole translation, as a matrix or as lines: cross-attention or self-attention."""

from collections.abc import Iterator

from core.readings.patterns import read_link
from core.readings.treatments import name_treatment, read_treatment
from core.topics.translate.alignment import alignment
from core.topics.translate.readings import name_attention, name_mean
from core.topics.translate.translation import Translation
from pages.canvas import Matrices, Panel, TokenLines
from pages.compute import generation as queries
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.translate.settings import ATTENTION, DRAWN_AS, SHOWN_HEADS, UNIT
from pages.transformer.translate.translation import heads_controls, heads_of, note_cut
from pages.widgets import Control, Part, StopPlayer, Table, Values, control

LEADS = {
    "cross": "Row: the token being written, behind the arrow; before it stands the one that asks, the query. Column: "
    "the token of the source that is looked at, the key.",
    "encoder": "Tokens of the source look at each other; nothing is hidden.",
    "decoder": "Written tokens look at themselves and at those before them; those that come later are hidden.",
}


def _controls(text: Translation, values: Values) -> Iterator[Control]:
    yield from map(control, (ATTENTION, DRAWN_AS, UNIT))
    yield from heads_controls(text, values, SHOWN_HEADS)


def _show(text: Translation, values: Values) -> Shown:
    """Show the chosen attention over the whole translation."""
    which, over, layer_head = values[ATTENTION], values[SHOWN_HEADS], heads_of(text, values)
    attentions, name, words = queries.attentions(text.run, text.read()), name_attention(which), values[UNIT] == "words"
    aligned = core_call(alignment, attentions, len(text.start), which, *layer_head, over, words)
    treated = aligned.treated
    (rows, columns), title = treated.pattern.shape, f"{name_mean(*layer_head, over)}: {name_treatment(treated)}"
    panel = Panel("pattern", title, *aligned.drawn, "queries", "keys", scale="weight")
    if values[DRAWN_AS] == "lines":
        lines = (treated.pattern[None], treated.queries, treated.keys)
        picture: Part = TokenLines(*lines, key="translate-lines", name=name, caption=title)
    else:
        picture = Matrices([panel], key="translate-matrix", name=name, height=560)
    return Shown(
        lead=LEADS[which],
        pictures=[StopPlayer("translate"), picture],
        takeaway=read_link(treated.pattern, treated.queries, treated.keys if which == "cross" else None),
        notes=[*read_treatment(treated), note_cut(text)],
        formula=rf"\underset{{{rows} \times {columns}}}{{A}} \qquad \sum_j A_{{ij}} = 1",
        table=Table("alignment", *aligned.table),
        pattern=panel,
        source=("core.analysis.alignment.averaged", "core.analysis.treatments.treat"),
    )


VIEW = View("alignment", _show, _controls)
