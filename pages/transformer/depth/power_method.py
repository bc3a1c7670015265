"""The view of the power method: a vector multiplied again and again turns to the dominant eigenvector."""

from core.topics.depth.charts.iterates import iterates_data, iterates_spec
from core.topics.depth.matrices import MEASURED, MOST_STEPS, THEORY, Method
from core.topics.depth.readings.powers import read_method, read_no_limit, read_quotient, write_method
from core.tracing.run import Run
from pages.shell import Shown, View
from pages.transformer.depth import queries
from pages.transformer.depth.parts import depth_chart
from pages.transformer.depth.powers import spectrum_controls, spectrum_of
from pages.transformer.depth.settings import STEP
from pages.widgets import Chart, Columns, Player, Table, Values, spec

PLAYER = "depth-method"
STEP_SECONDS = 0.6  # from one step to the next, slow enough to follow
LEAD = (
    "Start from a random vector x, multiply by A, bring it back to length 1, and again. Whatever it was, it turns to "
    "the **eigenvector** of the largest **eigenvalue**. One linear layer, repeated, does the same to every token."
)
FIRST_STEP = int(STEP.default)


def _show(run: Run, values: Values) -> Shown:
    """Show the vectors in the plane of the first two eigenvectors, and the angle by step."""
    spectrum = spectrum_of(values)
    method = queries.run_power_method(spectrum)
    step = min(int(FIRST_STEP if values[STEP] is None else values[STEP]), MOST_STEPS)
    player = Player(PLAYER, STEP, MOST_STEPS, step, step == MOST_STEPS, seconds=STEP_SECONDS)
    axes = ("first axis of the plane", "second") if method.eigen.turns else ("along the eigenvector of λ₁", "across")
    plane = Chart(
        iterates_data(method.plane, step),
        spec(iterates_spec, "Where does the vector point?", *axes),
        "depth-iterates",
        "Iterates of the power method",
    )
    words = ("How fast does it turn?", "step", "angle to …, degrees")
    angles = depth_chart("depth-angles", "Angles by step", method.curves(), words, True, (MEASURED, THEORY), step)
    return Shown(
        lead=LEAD,
        pictures=[player, Columns([[plane], [angles]], widths=(2, 3))],
        takeaway=_takeaway(method, step),
        formula=write_method(spectrum.size),
        about="Solid: angles measured at each step. Dashed: the first angle times |λ₂/λ₁| to the power of the step. "
        "The eigenvector is that of torch.linalg.eig, which finds it another way. Smaller angles are rounding, "
        "and are not drawn.",
        table=Table("power-method", *method.table, corner="step"),
        source=("core.topics.depth.analysis.powers.power_method", "core.topics.depth.analysis.powers.eigen"),
    )


def _takeaway(method: Method, step: int) -> list[str]:
    eigen, iterates = method.eigen, method.iterates
    top, angle, rotation = eigen.values[0].real, float(iterates.angles[step]), float(iterates.turns[step])
    alone = eigen.leaders == eigen.dominant == 1
    why = [] if alone else list(read_no_limit(eigen.turns, eigen.dominant, step, rotation))
    if eigen.leaders > eigen.dominant:
        return why
    quotient = read_quotient(float(iterates.quotients[step]), top)
    return [*why, *read_method(step, angle, method.factor(step), eigen.rate), quotient]


VIEW = View("power method", _show, spectrum_controls, player=PLAYER, reads_text=False, uses_model=False)
