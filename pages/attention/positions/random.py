"""How close to orthogonal random directions are, and the tokens and positions of a model."""

from collections.abc import Iterator

import numpy as np

from core.charts.positions_random import (
    cosines_data,
    cosines_spec,
    means_data,
    means_spec,
    variance_data,
    variance_spec,
)
from core.explorer.positions.directions import SIZES, histogram
from core.readings.positions import read_angles, read_random
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.settings import DRAW_SEED, DRAWS, SIZE, VECTORS
from pages.shell import Shown, model_words
from pages.widgets import Caption, Chart, Columns, Control, Table, Values, control, spec

LEAD = (
    "The **cosine** of two vectors is 1 when they point the same way and 0 when they stand at right angles "
    "(**orthogonal**). In many dimensions almost any two directions are nearly orthogonal, so a sum of a token and a "
    "position keeps the two nearly apart."
)
MEASURES = ("mean", "standard error", "variance", "standard error of it", "theory 1/n", "5 % below", "5 % above")


def random_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(VECTORS)
    if values[VECTORS] == "random":
        yield control(SIZE, width=260)
        yield control(DRAWS, width=220)
        yield control(DRAW_SEED, width=160)


def show_random(run: Run, values: Values) -> Shown:
    """Random vectors, or every token vector of the model against every position vector."""
    if values[VECTORS] == "random":
        return _random(int(values[SIZE]), values[DRAWS], values[DRAW_SEED])
    return _of_model(run)


def _random(size: int, draws: int, seed: int) -> Shown:
    found = queries.cosines(size, draws, seed)
    variance = Chart(
        variance_data(found), spec(variance_spec), key="positions-variance", name="Variance of random cosines"
    )
    means = Chart(means_data(found), spec(means_spec), key="positions-means", name="Mean and spread of random cosines")
    cosines = Chart(
        cosines_data(histogram(found.of_size, size)),
        spec(cosines_spec, "What are the cosines at the chosen n?"),
        key="positions-cosines",
        name="Random cosines",
    )
    parts = (found.mean, found.mean_error, found.variance, found.variance_error, 1 / found.sizes, found.low, found.high)
    return Shown(
        lead=LEAD,
        pictures=[Columns([[variance], [means]]), cosines],
        takeaway=read_random(found, size),
        formula=r"\operatorname{E}[\cos] = 0 \qquad \operatorname{Var}[\cos] = \frac{1}{n} "
        rf"= \frac{{1}}{{{size}}} = {1 / size:.5f} \qquad f(c) \propto (1 - c^2)^{{(n-3)/2}}",
        about=f"{draws:,} pairs at every size; bars reach two standard errors to each side, the band holds nine "
        "cosines of ten. Theory is dashed.",
        table=Table("random-cosines", np.stack(parts), MEASURES, [f"n = {n}" for n in SIZES], corner="measure"),
        source=("core.analysis.orthogonality.random_cosines", "core.analysis.orthogonality.density"),
    )


def _of_model(run: Run) -> Shown:
    found, kind = queries.angles(run), run.config.positions
    bars = found.histogram
    chart = Chart(
        cosines_data(bars),
        spec(cosines_spec, "Are tokens and positions orthogonal?"),
        key="positions-angles",
        name="Tokens against positions",
    )
    never = f"This model adds no positions ({kind}). Measured are sinusoidal vectors of its width, which it never saw."
    return Shown(
        lead=LEAD,
        pictures=[Caption(model_words(run)), chart],
        takeaway=read_angles(found.mean, found.variance, found.largest, found.pieces, found.positions, found.width),
        notes=[None if found.own else never],
        about=f"As they enter the stream, a token's vector is {found.token_norm:.3g} long on average, a position's "
        f"{found.position_norm:.3g}.",
        table=Table(
            "angles",
            np.stack([bars.density, bars.theory]),
            ["share per unit of cosine", "theory for random directions"],
            [f"{centre:.4f}" for centre in bars.centres],
            corner="cosine",
        ),
        source=("core.explorer.positions.terms.angles",),
    )
