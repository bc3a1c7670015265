"""The view of four ways to score the same queries and keys, side by side, with the arithmetic of any cell."""

from collections.abc import Iterator, Sequence

from core.export.asked import HEAD_SCORES, PATTERN
from core.topics.scaling.comparison import Scored, explain
from core.topics.scaling.opening import scaled_cell
from core.topics.scaling.readings import read_scoring, read_spread, read_spreads, write_scoring
from core.topics.self_attention.records import HeadRecord
from core.tracing.run import Run
from pages.attention.scaling import queries
from pages.attention.scaling.settings import COL, ROW, SCORE, SEED, SHOWN_QUANTITY
from pages.canvas import Matrices, Opened, OpenMatrix, Panel
from pages.compute.calls import core_call
from pages.compute.one_head import head
from pages.shell import Shown, View
from pages.widgets import Caption, Cards, Control, Markdown, Part, Table, Values, control, place_controls, place_of

BIASES = {
    "alibi": "ALiBi's penalty for distance is taken off every score.",
    "relative": "The learned numbers of relative positions are added to every score.",
}


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(SHOWN_QUANTITY)
    yield control(SEED, "more", label="Seed of W, U and v", width=180)
    place = place_of(run, values)
    rows, cols = head(run, place).raw.shape
    row, col = scaled_cell(queries.compared(run, place, values[SEED]))
    yield control(SCORE, "below")
    yield control(ROW, "below", high=rows - 1, width=130, placeholder=str(row))
    yield control(COL, "below", high=cols - 1, width=130, placeholder=str(col))


def _show(run: Run, values: Values) -> Shown:
    """Show the four score functions on the queries and keys of one head."""
    place, shown = place_of(run, values), values[SHOWN_QUANTITY]
    record, scored = head(run, place), queries.compared(run, place, values[SEED])
    chosen = next(function for function in scored if function.name == values[SCORE])
    cell, opened = _opened(scored, values), _cell_opened(scored, values, record)
    cards = [_card(record, function, values, cell, opened) for function in scored]
    return Shown(
        lead="Each function turns a **query** q and a **key** k, of d_k numbers each, into one **score**. A softmax "
        "over each row of scores makes the **weights**. Only the function differs: queries, keys and mask are the "
        "same.",
        click="Click any cell to read its arithmetic.",
        pictures=[Cards(cards, key="scaling-scores", width=300, columns=4)],
        arithmetic=core_call(explain, record, chosen, *cell),
        takeaway=read_spreads({function.name: function.spread for function in scored}, len(record.keys)),
        notes=[BIASES[run.config.positions] if record.parts.bias is not None else None],
        table=Table(f"{shown}, {chosen.name}", chosen.numbers(shown), record.queries.labels, record.keys.labels),
        source=(
            *("core.model.scores.Dot", "core.model.scores.General", "core.model.scores.Additive"),
            *("core.model.attention.attention", "core.topics.scaling.comparison.compare"),
        ),
    )


def _drawn(values: Values) -> str:
    """Return what the script draws: the scores or the weights of the model's own score function."""
    return HEAD_SCORES if values[SHOWN_QUANTITY] == "scores" else PATTERN


def _opened(scored: Sequence[Scored], values: Values) -> tuple[int, int]:
    """Return the row and column of the cell to work out: as chosen, otherwise those that scaling changes most."""
    row, col = scaled_cell(scored)
    return row if values[ROW] is None else values[ROW], col if values[COL] is None else values[COL]


def _cell_opened(scored: Sequence[Scored], values: Values, record: HeadRecord) -> Opened:
    """Return the cell that the settings open; the same cell of the other functions is outlined."""
    (row, col), (rows, cols), names = scaled_cell(scored), record.raw.shape, [function.name for function in scored]
    matrices = {
        name: OpenMatrix(row, (col,) * rows, cols, [(other, "row", "col") for other in names if other != name])
        for name in names
    }
    return Opened((SCORE.key, ROW.key, COL.key), (values[SCORE], values[ROW], values[COL]), matrices, names[0])


def _card(record: HeadRecord, function: Scored, values: Values, picked: tuple[int, int], opened: Opened) -> list[Part]:
    """Return a function's formula, captions on its parameters and its spread, and its matrix with the opened cell."""
    name, shown, width = function.name, values[SHOWN_QUANTITY], record.q.shape[1]
    title, scale = ("A: weights", "weight") if shown == "weights" else ("S: scores", "signed")
    axes = (record.queries.labels, record.keys.labels, "queries", "keys")
    marks = {"selected": picked} if name == values[SCORE] else {"outlines": [picked]}
    panel = Panel(name, title, function.drawn(shown), *axes, scale, unit=shown.removesuffix("s"), **marks)
    return [
        Markdown(f"**{name.capitalize()}** &emsp; ${write_scoring(name, width)}$"),
        Caption(read_scoring(name, function.own, function.parameters, width, values[SEED])),
        Caption(read_spread(function.spread, function.parameters > 0 and not function.own)),
        Matrices([panel], key=f"scaling-{function.kind}", name=f"{name} {shown}", height=300, opened=opened),
    ]


VIEW = View("four scores", _show, _controls, export=_drawn)
