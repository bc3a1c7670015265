"""The view of the operations that the cache saves: in one step, and along the text."""

from core.charts.kv_lines import kv_lines_data, kv_lines_spec
from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.readings.kv_cache import read_operations, short, write_step_operations
from core.topics.kv_cache.costs import costs_along, step_costs
from core.topics.kv_cache.moment import Moment
from core.topics.kv_cache.records import KINDS
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Chart, Columns, Table, Values, spec


def _show(moment: Moment, values: Values) -> Shown:
    """Show the operations of this step term by term, and those of every token up to the end of the context."""
    config, costs = (
        moment.run.config,
        core_call(step_costs, moment.run.config, moment.length, moment.source, moment.start),
    )
    with_cache, without_cache = costs.with_cache, costs.without
    data = kv_pairs_data(costs.terms, KINDS, with_cache, without_cache, short)
    bars = spec(kv_pairs_spec, "What does this step compute?", "multiply-adds", "part", KINDS)
    terms = Chart(data, bars, key="kv-cache-terms", name="Operations of this step")
    return Shown(
        pictures=[Columns([[terms], [along_the_text(moment)]])],
        takeaway=read_operations(with_cache.sum(), without_cache.sum(), moment.new == moment.length),
        formula=write_step_operations(config.depth("decoder"), config.d_model, config.hidden_width, moment.length),
        about="An operation is one multiplication and one addition in a matrix product. The formula is the rule of "
        "thumb for H · d_k = H · d_v = D; the bars count this model exactly, with the logits of the newest token "
        "alone.",
        table=Table("operations", *costs.table, corner="part"),
        source=("core.analysis.kv_costs.operations",),
    )


def along_the_text(moment: Moment) -> Chart:
    """Return a chart of the counted operations of one more token, along the tokens read."""
    costs = core_call(costs_along, moment.run.config, moment.limit, moment.source)
    data = kv_lines_data(costs.lengths, costs.lines, moment.length)
    lines = spec(kv_lines_spec, "Operations of one more token, counted", "multiply-adds", KINDS)
    return Chart(data, lines, key="kv-cache-operations", name="Operations along the text")


VIEW = View("operations", _show)
