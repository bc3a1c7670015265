"""The view of how little a verdict moves if the attention weights are permuted, and in which heads it does."""

from collections.abc import Iterator

from core.topics.sentiment import readings as say
from core.topics.sentiment.charts import permuted_data, permuted_spec
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.comparisons.sentiment import queries
from pages.comparisons.sentiment.parts import of_classifier, where_judged
from pages.comparisons.sentiment.settings import SEED
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Listing, Table, Values, control, spec

LEAD = (
    "If attention explained the verdict, other weights should give another verdict. So every row of every head's "
    "weights is permuted at random, and the classifier judges again."
)
ABOUT = (
    "Each query keeps the same weights and gives them to other keys, among those that it may attend to; in every "
    "layer the weights are those that it computes then. *All equal*: each query takes the plain mean of the values. "
    "Jain and Wallace (2019) found that permuting often leaves a verdict as it was; Wiegreffe and Pinter (2019) "
    "answered that this alone does not make attention useless. Here you see both: "
    "try sentences where the verdict is close.",
    "The residual connections carry every word past the attention, so a verdict can be reached without it.",
)


@where_judged
def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(SEED, width=220)


@of_classifier
def _show(run: Run, values: Values) -> Shown:
    """Show the verdict under permuted weights, and the change for each head alone."""
    verdict = queries.permuted_verdict(run, values[SEED])
    layers, heads = verdict.heads.shape
    rows, columns = [f"layer {n + 1}" for n in range(layers)], [f"head {n + 1}" for n in range(heads)]
    return Shown(
        lead=LEAD,
        pictures=[
            Chart(
                permuted_data(verdict.probability, verdict.permuted, verdict.uniform),
                spec(permuted_spec, verdict.labels[1]),
                "sentiment-permuted",
                "verdict under permuted weights",
            ),
            Matrices(
                [
                    Panel(
                        "heads",
                        "mean change where one head alone is permuted",
                        verdict.heads,
                        rows,
                        columns,
                        scale="size",
                        unit="change of the chance",
                    )
                ],
                key="sentiment-heads-moved",
                name="Change of the verdict by head",
            ),
        ],
        takeaway=[
            *say.read_permuted(verdict.labels, verdict.probability, verdict.permuted, verdict.uniform, verdict.turned),
            say.read_permuted_heads(verdict.heads),
        ],
        notes=[verdict.note],
        formula=say.write_permuted(),
        about=ABOUT,
        table=[
            Listing("permutations", {"chance": verdict.permuted.tolist(), "change": verdict.moved.tolist()}),
            Table("heads permuted", verdict.heads, rows, columns, corner="layer"),
        ],
        source=("core.topics.sentiment.permuted.permute_rows", "core.topics.sentiment.permuted.permuted_verdict"),
    )


VIEW = View("permuted", _show, _controls, seconds=lambda run, values: queries.seconds_of_permuting(run))
