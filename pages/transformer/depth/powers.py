"""The view of the powers of a matrix: the effect of multiplying by the same matrix again and again."""

from collections.abc import Iterator

import numpy as np

from core.topics.depth.curves import curves_table
from core.topics.depth.matrices import MEASURED, THEORY, MatrixSpectrum
from core.topics.depth.readings.powers import read_flat, read_power, write_powers
from core.topics.shared.labels import with_labels
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.transformer.depth import queries
from pages.transformer.depth.parts import depth_chart
from pages.transformer.depth.settings import MATRIX_SEED, PAIR, POWER, RATIO, SIZE, TOP
from pages.widgets import Columns, Control, Table, Values, control

LEAD = (
    "A deep stack of linear layers multiplies by one **matrix** after another. Take the same matrix A each time: its "
    "largest **eigenvalue** λ₁ decides. Below 1 the power fades, above 1 it grows without end, and at 1 it stays."
)


def spectrum_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(TOP, width=190)
    yield control(PAIR)
    if values[PAIR] == "real":
        yield control(RATIO, width=170)
    yield control(SIZE, "more")
    yield control(MATRIX_SEED, "more")


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from spectrum_controls(run, values)
    yield control(POWER, width=170)


def spectrum_of(values: Values) -> MatrixSpectrum:
    """Return the spectrum of the matrix that the controls describe."""
    turning = values[PAIR] != "real"
    ratio = float(RATIO.default if turning else values[RATIO])
    return MatrixSpectrum(values[SIZE], float(values[TOP]), ratio, values[MATRIX_SEED], turning)


def _show(run: Run, values: Values) -> Shown:
    """Show the norm of every power, and one power as a matrix beside A."""
    spectrum, power = spectrum_of(values), values[POWER]
    powers = queries.powers(spectrum, power)
    words = ("What becomes of Aᵏ?", "power k", "‖Aᵏ‖, the most it stretches")
    chart = depth_chart("depth-powers", "Norm of powers", powers.norms, words, True, (MEASURED, THEORY), power)
    axes = ("output", "input")
    largest = float(np.abs(powers.matrix).max())
    panels = [
        Panel(name, title, matrix, row_axis=axes[0], col_axis=axes[1], limit=largest, unit="entry")
        for name, title, matrix in (("A", "A", powers.matrix), ("power", f"A, {power} times", powers.power))
    ]
    pictures = Matrices(panels, key="depth-matrices", name="A and its power", height=300)
    return Shown(
        lead=LEAD,
        pictures=[Columns([[pictures], [chart]], widths=(2, 3))],
        takeaway=[
            *read_power(power, spectrum.dominant, powers.stretch, powers.expected),
            read_flat(powers.flat, power),
        ],
        formula=write_powers(spectrum.size),
        about="Both matrices have the colours of A, so a power that fades is pale. Solid: the spectral norm of Aᵏ, "
        "computed by multiplying. Dashed: |λ₁|ᵏ. The other lines are A, scaled to other eigenvalues. The eigenvectors "
        "are not at right angles, so the two differ by a factor.",
        table=[
            Table("powers", *curves_table(powers.norms, "k ="), corner="matrix"),
            Table("singular values", *with_labels(powers.shares, "as shares of the first"), corner=f"of A^{power}"),
        ],
        source=("core.topics.depth.analysis.powers.matrix_of", "core.topics.depth.analysis.powers.power_norms"),
    )


VIEW = View("powers of a matrix", _show, _controls, reads_text=False, uses_model=False)
