"""The view of additive attention as an alignment, with the arithmetic of any of its weights."""

from collections.abc import Iterator

from core.export.script_parts import ScriptParts
from core.topics.sequence_to_sequence.readings import read_score_cell, write_additive
from core.topics.sequence_to_sequence.records import ADDITIVE
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import place_in
from pages.comparisons.sequence_to_sequence.settings import COLUMN, ROW
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control


def _controls(text: str, values: Values) -> Iterator[Control]:
    """Yield the controls for the written token and the source token whose cell is explained."""
    passage = queries.passage(ADDITIVE, text)
    yield control(ROW, high=len(passage.ids) - 1, width=150)
    yield control(COLUMN, high=len(passage.source) - 1, width=150)


def _show(text: str, values: Values) -> Shown:
    """Show scores and weights side by side, and the arithmetic of one of them."""
    passage = queries.passage(ADDITIVE, text)
    row, column = place_in(passage, values[ROW], values[COLUMN])
    scores, weights = passage.states["decoder.scores"], passage.states["decoder.pattern"]
    labels = (passage.rows, passage.columns, "written (queries)", "read (keys)")
    pattern = Panel("pattern", "A: weights", weights, *labels, scale="weight", selected=(row, column))
    panels = [Panel("scores", "E: scores", scores, *labels, selected=(row, column)), pattern]
    picture = Matrices(
        panels,
        key="sequence-to-sequence-additive",
        name="Additive attention",
        height=480,
        sets=lambda panel, row, col: {ROW.key: row, COLUMN.key: col},
    )
    cell = float(scores[row, column]), float(weights[row, column])
    return Shown(
        pictures=[picture],
        lead="Before each token, the decoder's last state s is compared with the state h of every word: both are "
        "multiplied by a **matrix**, added, bent by tanh and weighed by v. A **softmax** over each row makes the "
        "**weights**.",
        click="Click any cell to read its arithmetic.",
        arithmetic=queries.explain_cell(passage, row, column),
        takeaway=read_score_cell(passage.rows, row, passage.columns, column, *cell),
        formula=write_additive(passage.states["decoder.state"].shape[1], len(passage.source)),
        table=Table("additive-attention", weights, passage.rows, passage.columns, "written"),
        pattern=pattern,
        source=("core.model.recurrent.AdditiveAttention.forward",),
    )


def _script(run: Run, values: Values) -> ScriptParts:
    return queries.alignment_script(run.text)


VIEW = View("additive attention", _show, _controls, script=_script)
