"""One encoding of positions: as a heatmap, and single dimensions of it as waves."""

import numpy as np
import streamlit as st

from core.analysis.positions import closest, wavelength, wavelength_in_theory
from core.charts.positions_lines import Line, lines_data
from core.explorer.positions.encodings import Encoding
from core.readings.positions import read_closest, read_penalty, read_waves
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.choices import PLACE
from pages.ui.numbers import numbers
from pages.ui.positions import cache, specs
from pages.ui.positions.choices import AT_COLUMN, AT_ROW, BASE, DIMENSIONS, KIND, LENGTH, WIDTH
from pages.ui.positions.words import KINDS, SHOWN, SOURCES, axes, cell_formula
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import Setting, ask

HEAD = PLACE[2]
MOST_DIMENSIONS = 8


def choose_encoding(run: Run, beside: Setting | None = None, on_scores: bool = False) -> Encoding:
    """The controls of an encoding, in one row under its kinds, and what it is in words.

    on_scores: the view shows what rotary and ALiBi do to scores, so they need no table and no width.
    """
    kind, heads = ask(KIND), run.config.heads
    widthless = kind == "alibi" or (kind == "rotary" and on_scores)
    waves = kind in ("sinusoidal", "rotary")
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        length = ask(LENGTH, width=260)
        head = int(ask(HEAD, options=HEAD.options[:heads])) - 1 if kind == "alibi" else 0
        width = WIDTH.default if widthless else ask(WIDTH, width=130)
        base = ask(BASE, format="%g", width=160) if waves else BASE.default
        if beside is not None:
            ask(beside, width=130)
    st.markdown(KINDS[kind] + ("" if on_scores else SHOWN.get(kind, "")))
    return Encoding(kind, length, width, base, run.config.seed, head, heads)


def show_heatmap(run: Run) -> None:
    """The whole table; a click on a number opens it."""
    encoding = choose_encoding(run)
    table = cache.encode(encoding)
    picture = st.container()
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        row, column = (
            int(ask(setting, high=size - 1, width=130))
            for setting, size in zip((AT_ROW, AT_COLUMN), table.shape, strict=True)
        )
    with picture:
        panels = [_panel(encoding, table, (row, column)), *_trained(run, encoding)]
        Matrices(panels, key="positions-table", name=f"{encoding.kind} positions", height=520, sets=_open).draw()
        if encoding.kind == "alibi":
            reading(read_penalty(table, encoding.slope))
        else:
            reading(read_closest(encoding.kind, closest(table)))
        _explain_learned(run, encoding)
    formula(cell_formula(encoding, row, column, float(table[row, column])))
    rows, columns = map(_names, table.shape)
    numbers(f"positions-{encoding.kind}", table, rows, columns, "positions-table-numbers", axes(encoding.kind)[0])
    code(SOURCES[encoding.kind], key="positions-code-table")


def show_waves(run: Run) -> None:
    """A few dimensions along the positions."""
    encoding = choose_encoding(run)
    table = cache.encode(encoding)
    names = _names(table.shape[1])
    default = [name for name in DIMENSIONS.default if name in names]
    what = "Keys" if encoding.kind == "alibi" else DIMENSIONS.label
    chosen = ask(DIMENSIONS, options=names, default=default, label=what, max_selections=MOST_DIMENSIONS, width=480)
    if not chosen:
        st.info("Choose a dimension to see it.", icon=":material/show_chart:")
        return
    dimensions = sorted(map(int, chosen))[:MOST_DIMENSIONS]
    penalty = encoding.kind == "alibi"
    word = "key" if penalty else "dimension"
    at = np.arange(len(table))
    lines = [Line(f"{word} {dimension}", at, table[:, dimension]) for dimension in dimensions]
    with st.container(key="positions-waves"):
        st.vega_lite_chart(lines_data(lines), specs.penalties() if penalty else specs.waves(), width="stretch")
    chart_save("positions-waves", name=f"{encoding.kind} positions along the text")
    if penalty:
        reading(read_penalty(table, encoding.slope))
    else:
        _say_waves(encoding, table, dimensions)
    values = table[:, dimensions].T
    numbers("waves", values, [f"{word} {n}" for n in dimensions], _names(len(table)), "positions-wave-numbers", word)
    code(SOURCES[encoding.kind], wavelength, key="positions-code-waves")


def _say_waves(encoding: Encoding, table: np.ndarray, dimensions: list[int]) -> None:
    expected = [wavelength_in_theory(encoding.kind, n, encoding.width, encoding.base) for n in dimensions]
    measured = [wavelength(table[:, n]) if said else None for n, said in zip(dimensions, expected, strict=True)]
    reading(read_waves(measured, expected, dimensions))
    if encoding.kind in ("sinusoidal", "rotary"):
        formula(
            rf"\lambda_i = 2\pi\,\alpha^{{2i/D}} \qquad \alpha = {encoding.base:g} \qquad D = {encoding.width} "
            r"\qquad i = \lfloor \text{dimension} / 2 \rfloor"
        )
    elif encoding.kind == "binary":
        formula(r"\lambda_i = 2^{i+1}")


def _panel(encoding: Encoding, table: np.ndarray, selected: tuple[int, int]) -> Panel:
    rows, columns = axes(encoding.kind)
    name = "untrained table" if encoding.kind == "learned" else f"{encoding.kind} positions"
    return Panel(
        "table",
        f"{name}, {table.shape[0]} × {table.shape[1]}",
        table,
        _names(table.shape[0]),
        _names(table.shape[1]),
        rows,
        columns,
        scale="weight" if encoding.kind == "binary" else "signed",
        selected=selected,
    )


def _trained(run: Run, encoding: Encoding) -> list[Panel]:
    """The chosen model's own learned table, where training has made one."""
    if encoding.kind != "learned" or not run.checkpoint or run.config.positions != "learned":
        return []
    table = cache.own_table(run, encoding.length)
    labels = _names(table.shape[0]), _names(table.shape[1])
    return [Panel("trained", f"trained table of {run.checkpoint}", table, *labels, "positions", "dimensions")]


def _explain_learned(run: Run, encoding: Encoding) -> None:
    if encoding.kind != "learned":
        return
    said = "This table is untrained: random numbers, as a model with this seed begins."
    found = cache.trained_with("learned")
    if not found:
        said += (
            " None of the trained models here has learned positions, so there is no trained table to show beside it."
        )
    elif run.config.positions != "learned" or not run.checkpoint:
        said += f" A trained one is shown when you choose {' or '.join(found)} as the model."
    notes([said])


def _open(panel: str, row: int, column: int) -> None:
    st.session_state[AT_ROW.key], st.session_state[AT_COLUMN.key] = row, column


def _names(count: int) -> list[str]:
    return [str(number) for number in range(count)]
