"""The view of how close to orthogonal random directions are, and the tokens and positions of a model."""

from collections.abc import Iterator

from core.readings.words import number
from core.topics.positions.charts import random_vectors as charts
from core.topics.positions.directions import Cosines, bins_table, cosine_table, degrees, histogram
from core.topics.positions.readings.measures import read_angles, read_random
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.settings import DRAW_SEED, DRAWS, SIZE, VECTORS
from pages.canvas import Token, TokenButtons
from pages.shell import Shown, View, model_words
from pages.widgets import Caption, Chart, Columns, Control, Table, Values, control, spec

TILES = 12  # pairs whose angles are shown
LEAD = (
    "The **cosine** of two vectors is 1 when they point the same way and 0 when they stand at right angles "
    "(**orthogonal**). In many dimensions almost any two directions drawn at random are nearly orthogonal."
)
QUESTION = "Are the vectors of this model's tokens and positions, too?"


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(VECTORS)
    if values[VECTORS] == "random":
        yield control(SIZE, width=260)
        yield control(DRAWS, "more", width=220)
        yield control(DRAW_SEED, "more", width=160)


def _show(run: Run, values: Values) -> Shown:
    """Show random vectors, or every token vector of the model against every position vector."""
    if values[VECTORS] == "random":
        return _random(int(values[SIZE]), values[DRAWS], values[DRAW_SEED])
    return _of_model(run)


def _random(size: int, draws: int, seed: int) -> Shown:
    random_cosines = queries.random_cosines(size, draws, seed)
    bins, title = charts.cosines_data(histogram(random_cosines.of_size, size)), "What are the cosines at the chosen n?"
    variance, means = spec(charts.variance_spec), spec(charts.means_spec)
    against_size = [
        [Chart(charts.variance_data(random_cosines), variance, "positions-variance", "Variance of random cosines")],
        [Chart(charts.means_data(random_cosines), means, "positions-means", "Mean and spread of random cosines")],
    ]
    cosines = Chart(bins, spec(charts.cosines_spec, title), "positions-cosines", "Random cosines")
    return Shown(
        lead=LEAD,
        pictures=[_angles(random_cosines), cosines, Columns(against_size)],
        takeaway=read_random(random_cosines, size),
        formula=r"\operatorname{E}[\cos] = 0 \qquad \operatorname{Var}[\cos] = \frac{1}{n} "
        rf"= \frac{{1}}{{{size}}} = {1 / size:.5f} \qquad f(c) \propto (1 - c^2)^{{(n-3)/2}}",
        about=f"{draws:,} pairs at every size; bars reach two standard errors to each side, the band holds nine "
        "cosines of ten. Theory is dashed.",
        table=Table("random-cosines", *cosine_table(random_cosines), corner="measure"),
        source=(
            "core.topics.positions.analysis.orthogonality.random_cosines",
            "core.topics.positions.analysis.orthogonality.density",
        ),
    )


def _angles(cosines: Cosines) -> TokenButtons:
    """Return the angles of the first pairs drawn, coloured by how near they are to a right angle."""
    angles = degrees(cosines.of_size[:TILES])
    tiles = [
        Token(f"{angle:.0f}°", f"cosine {number(float(cosine), 2)}", float(1 - abs(angle - 90) / 90))
        for angle, cosine in zip(angles, cosines.of_size, strict=False)
    ]
    return TokenButtons(
        tiles,
        key="positions-random-angles",
        name="The angles between pairs of random vectors",
        caption=f"The angles of the first {len(tiles)} pairs. The nearer to a right angle (90°), the stronger the "
        "colour.",
        hue="size",
        item="angle",
        large=True,
    )


def _of_model(run: Run) -> Shown:
    angles, kind = queries.angles(run), run.config.positions
    bins, title = charts.cosines_data(angles.histogram), "Are tokens and positions orthogonal?"
    chart = Chart(bins, spec(charts.cosines_spec, title), "positions-angles", "Tokens against positions")
    note = f"This model adds no positions ({kind}). Measured are sinusoidal vectors of its width, which it never saw."
    return Shown(
        lead=LEAD,
        pictures=[chart, Caption(model_words(run))],
        takeaway=read_angles(
            angles.mean, angles.variance, angles.largest, angles.pieces, angles.positions, angles.width
        ),
        notes=[None if angles.own else note],
        about=f"As they enter the stream, a token's vector is {angles.token_norm:.3g} long on average, a position's "
        f"{angles.position_norm:.3g}.",
        table=Table("angles", *bins_table(angles.histogram), corner="cosine"),
        source=("core.topics.positions.terms.angles",),
    )


VIEW = View("random vectors", _show, _controls, reads_text=False, uses_model=False)
