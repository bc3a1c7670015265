"""What each part costs: its share of the parameters beside its share of the work."""

from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.explorer.architecture.whole import WORK, WholeModel
from core.readings.architecture import read_costs
from core.readings.words import percent
from pages.shell import Shown
from pages.widgets import Chart, Table, Values, spec

SHARE = "format(datum.value, '.0%')"


def show_costs(model: WholeModel, values: Values) -> Shown:
    """Every kind of part, by its share of the parameters and of the multiply-adds of one pass."""
    parameters, multiply_adds = model.shares
    names = [cost.name for cost in model.costs]
    held, worked = int(parameters.argmax()), int(multiply_adds.argmax())
    data = kv_pairs_data(names, WORK, parameters, multiply_adds, percent)
    bars = spec(kv_pairs_spec, "Where are the parameters, and where is the work?", "share", "part", WORK, SHARE)
    return Shown(
        lead="A **parameter** is a number that training sets. A multiply-add is one multiplication and one addition of "
        "a **matrix** product. The part that holds most is not always the part that works most.",
        pictures=[Chart(data, bars, key="architecture-costs", name="What each part costs")],
        takeaway=read_costs(
            names[held],
            parameters[held],
            model.parameters,
            names[worked],
            multiply_adds[worked],
            model.multiply_adds,
        ),
        about="Counted: matrix products. Not counted: softmax, norms, activations, sums and looking up embeddings, "
        "which are far less.",
        table=Table("parts", *model.table, corner="part"),
        source=("core.analysis.part_counts.model_parts", "core.model.transformer.Transformer"),
    )
