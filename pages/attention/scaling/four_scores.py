"""Four ways to score the same queries and keys, side by side, and any cell's arithmetic."""

from collections.abc import Iterator

import numpy as np

from core.explorer.head.records import HeadRecord
from core.explorer.scaling.comparison import Scored, explain
from core.readings.scaling import read_spreads
from core.tracing.run import Run
from pages.attention.scaling import queries
from pages.attention.scaling.settings import COL, ROW, SCORE, SEED, SHOWN
from pages.canvas import Matrices, Panel
from pages.queries.head import head
from pages.shell import Shown
from pages.widgets import Caption, Cards, Control, Markdown, Part, Table, Values, control, place_controls, place_of

PAPERS = {
    "dot": "Luong et al. 2015",
    "scaled dot": "Vaswani et al. 2017",
    "general": "Luong et al. 2015",
    "additive": "Bahdanau et al. 2015, also called concat",
}


def scores_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(SHOWN)
    yield control(SEED, label="Seed of W, U and v", width=180)
    rows, cols = head(run, place_of(run, values)).raw.shape
    yield control(SCORE, "below")
    yield control(ROW, "below", high=rows - 1, width=130)
    yield control(COL, "below", high=cols - 1, width=130)


def show_scores(run: Run, values: Values) -> Shown:
    """The four score functions on the queries and keys of one head."""
    place, shown = place_of(run, values), values[SHOWN]
    record, scored = head(run, place), queries.compared(run, place, values[SEED])
    chosen = next(one for one in scored if one.name == values[SCORE])
    cards = [[*_words(record, one, values[SEED]), _matrix(record, one, values)] for one in scored]
    return Shown(
        lead="Each function turns a **query** q and a **key** k, of d_k numbers each, into one **score**. A softmax "
        "over each row of scores makes the **weights**. Only the function differs: queries, keys and mask are the "
        "same. Click any cell to read its arithmetic.",
        pictures=[Cards(cards, key="scaling-scores", width=380, columns=2)],
        arithmetic=explain(record, chosen, values[ROW], values[COL]),
        takeaway=read_spreads({one.name: one.spread for one in scored}, len(record.keys)),
        notes=["ALiBi's penalty for distance is taken off every score." if record.parts.bias is not None else None],
        table=Table(f"{shown}, {chosen.name}", _numbers(chosen, shown), record.queries.labels, record.keys.labels),
        source=(
            "core.model.scores.Dot",
            "core.model.scores.General",
            "core.model.scores.Additive",
            "core.model.attention.attention",
            "core.explorer.scaling.comparison.compare",
        ),
    )


def _words(record: HeadRecord, scored: Scored, seed: int) -> list[Part]:
    """A function's formula, and what it has to learn."""
    width = record.q.shape[1]
    formula, count, fresh = {
        "dot": (r"q^\top k", "", "Nothing to learn."),
        "scaled dot": (rf"q^\top k \div \sqrt{{{width}}}", "", "Nothing to learn."),
        "general": (r"q^\top W k", f" = d_k² = {width:,}²", f"W is fresh, from seed {seed}."),
        "additive": (
            r"v^\top \tanh(W q + U k)",
            f" = 2 d_k² + d_k = 2 · {width:,}² + {width:,}",
            f"W, U and v are fresh, from seed {seed}.",
        ),
    }[scored.name]
    whose = "**The model's own score.**" if scored.own else fresh
    return [
        Markdown(f"**{scored.name.capitalize()}** &emsp; ${formula}$"),
        Caption(f"Parameters a head: **{scored.parameters:,}**{count}. {whose} {PAPERS[scored.name]}."),
    ]


def _matrix(record: HeadRecord, scored: Scored, values: Values) -> Matrices:
    name, shown, picked = scored.name, values[SHOWN], (values[ROW], values[COL])
    panel = Panel(
        name,
        "A: weights" if shown == "weights" else "S: scores",
        _numbers(scored, shown),
        record.queries.labels,
        record.keys.labels,
        "queries",
        "keys",
        "weight" if shown == "weights" else "signed",
        outlines=[picked] if name != values[SCORE] else [],
        selected=picked if name == values[SCORE] else None,
    )
    return Matrices([panel], key=f"scaling-{scored.kind}", name=f"{name} {shown}", height=300, sets=_open)


def _open(score: str, row: int, col: int) -> dict[str, object]:
    return {SCORE.key: score, ROW.key: row, COL.key: col}


def _numbers(scored: Scored, shown: str) -> np.ndarray:
    return scored.pattern if shown == "weights" else scored.masked
