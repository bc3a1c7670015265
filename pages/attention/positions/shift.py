"""The shift by k: is there one matrix M(k) for every position? Rotary and ALiBi act on scores, so there the scores are
tested."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.positions_lines import Line
from core.explorer.positions.encodings import NO_CROSS, Encoding, Shift, moved_penalties
from core.readings.positions import read_moved, read_shift, read_turned
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.encoding import about_encoding, encoding_of, numbered, scored_controls
from pages.attention.positions.lines import line_chart
from pages.attention.positions.settings import KEY, KIND, LENGTH, QUERY, SHIFT
from pages.attention.positions.tokens import token_controls
from pages.canvas import Matrices, Panel
from pages.shell import Shown, model_words
from pages.widgets import Caption, Columns, Control, Message, Table, Values, control, place_controls, place_of, plain

DRAWN = 64
QUESTION = (
    "\n\nIs there one **matrix** M(k), a table of weights, that turns the vector of any position into the one k "
    "further on? Then a head can learn “k words back” once for the whole text."
)
ON_A_PAIR = (
    "\n\nRotary has no vectors to shift, so the test is made on a real query and key of your text: their score should "
    "depend on how far apart they stand, not on where."
)
ON_PENALTIES = (
    "\n\nALiBi has no vectors to shift. Its penalty should depend on how far apart two words stand, not on where."
)


def shift_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from scored_controls(run, values)
    yield control(SHIFT, width=130, high=min(SHIFT.high, values[LENGTH] - 1))
    if values[KIND] == "rotary":
        yield from place_controls(run)
        yield from token_controls(run, values)


def show_shift(run: Run, values: Values) -> Shown:
    """The test that suits the encoding."""
    encoding, k = encoding_of(run, values, on_scores=True), values[SHIFT]
    if encoding.kind == "rotary":
        return _rotary(run, values, encoding, k)
    return _alibi(encoding, k) if encoding.kind == "alibi" else _matrix(encoding, k)


def _matrix(encoding: Encoding, k: int) -> Shown:
    found, names = queries.shifted(encoding, k), numbered(encoding.width)
    fit = (
        "A fit can be perfect only because it is free to be, so another was made on every second position and "
        f"tried on the unseen ones between: the largest error there is {found.unseen:.2g}."
        if found.unseen is not None and encoding.kind != "none"
        else ""
    )
    words = ("How far is M(k) · PE(p) from PE(p + k)?", "position p", "largest error")
    chart = line_chart("positions-shift-errors", "Errors of the shift", _errors(found), words, log=True)
    matrix = Matrices([_panel(found, k)], key="positions-matrix", name=f"M({k})", height=300)
    return Shown(
        pictures=[about_encoding(encoding.kind, QUESTION), Columns([[chart], [matrix]], widths=(3, 2))],
        takeaway=read_shift(encoding.kind, found, k, encoding.width),
        formula=rf"\min_M \sum_p \lVert M \cdot PE(p) - PE(p + {k}) \rVert^2"
        if found.constructed is None
        else r"M(k) = \begin{pmatrix} \cos k\omega_i & \sin k\omega_i \\ -\sin k\omega_i & \cos k\omega_i \end{pmatrix}"
        rf"\qquad \text{{for each pair}} \qquad \omega_i = \alpha^{{-2i/D}} \qquad k = {k} "
        rf"\qquad M \in \mathbb{{R}}^{{{encoding.width} \times {encoding.width}}}",
        about=fit,
        table=Table(f"M-{k}", found.fitted, names, names, corner="dimension"),
        source=("core.analysis.positions.shift", "core.analysis.positions.turning"),
    )


def _errors(found: Shift) -> Sequence[Line]:
    at = np.arange(found.rows)
    lines = [Line("fitted", at, found.errors_fitted)]
    if found.unseen is not None:
        lines.append(Line("on unseen positions", at[1::2], found.errors_unseen))
    if found.errors_constructed is not None:
        lines.append(Line("from the formula", at, found.errors_constructed))
    return lines


def _panel(found: Shift, k: int) -> Panel:
    """M(k) from the formula where there is one, else the fitted one; of a large matrix the first corner."""
    matrix = found.fitted if found.constructed is None else found.constructed
    part = matrix[:DRAWN, :DRAWN]
    names = numbered(len(part))
    how = "fitted" if found.constructed is None else "from the formula"
    cut = "" if part.shape == matrix.shape else f", its first {DRAWN} rows and columns"
    return Panel("matrix", f"M({k}), {how}{cut}", part, names, names, "new dimension", "old dimension")


def _rotary(run: Run, values: Values, encoding: Encoding, k: int) -> Shown:
    place = place_of(run, values)
    what = about_encoding("rotary", ON_A_PAIR)
    if place.cross:
        return Shown(pictures=[what, Message(plain(NO_CROSS))])
    found = queries.turned(run, place, (values[QUERY], values[KEY]), k, encoding.length, encoding.base)
    at = np.arange(len(found.scores))
    lines = [
        Line("turned", at, found.scores),
        Line("not turned", at, np.full(len(at), found.unturned)),
        Line("theory", at, np.full(len(at), found.theory), theory=True),
    ]
    words = ("Does the place change the score?", "position p of the key", "q · k")
    return Shown(
        pictures=[
            what,
            Caption(model_words(run)),
            line_chart("positions-turned", "A turned pair at every position", lines, words),
        ],
        takeaway=f"Query {found.query}, key {found.key}. " + read_turned(found.scores, k, found.theory, found.unturned),
        formula=r"(R_{p+k}\, \mathbf{q}) \cdot (R_p\, \mathbf{k}) = (R_k\, \mathbf{q}) \cdot \mathbf{k} "
        rf"\qquad \text{{for every }} p \qquad d_k = {run.config.key_width} \qquad \alpha = {encoding.base:g}",
        table=Table("turned", found.scores[None], ["q · k"], numbered(len(at)), corner="position p"),
        source=("core.explorer.positions.far.turned",),
    )


def _alibi(encoding: Encoding, k: int) -> Shown:
    found = moved_penalties(encoding, k)
    lines = [Line("change", np.arange(len(found)), found)]
    words = ("Does the place change the penalty?", "position p of the key", "change")
    return Shown(
        pictures=[
            about_encoding("alibi", ON_PENALTIES),
            line_chart("positions-moved", "ALiBi's penalty at every position", lines, words),
        ],
        takeaway=read_moved(found, encoding.slope, k),
        formula=rf"-m\,|(p + k) - p| = -m\,k = -{encoding.slope:.5g} \cdot {k}",
        table=Table("moved", found[None], ["change"], numbered(len(found)), corner="position p"),
        source=("core.explorer.positions.encodings.moved_penalties",),
    )
