"""What is saved: the operations of one step, and along the text."""

import numpy as np

from core.charts.kv_lines import kv_lines_data, kv_lines_spec
from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.explorer.kv_cache.costs import costs_along, step_costs
from core.readings.kv_cache import read_operations, short
from pages.shell import Shown
from pages.transformer.kv_cache.moment import KINDS, Moment
from pages.widgets import Chart, Columns, Table, Values, spec


def show_operations(moment: Moment, values: Values) -> Shown:
    """This step term by term, and every token up to the end of the context."""
    config, costs = moment.run.config, step_costs(moment.run.config, moment.length, moment.source, moment.start)
    mine, other = costs.with_cache, costs.without
    texts = [(short(a), short(b)) for a, b in zip(mine, other, strict=True)]
    terms = Chart(
        kv_pairs_data(costs.terms, KINDS, mine, other, texts),
        spec(kv_pairs_spec, "What does this step compute?", "multiply-adds", "part", KINDS),
        key="kv-cache-terms",
        name="Operations of this step",
    )
    ratios = np.divide(other, mine, out=np.full(len(mine), np.nan), where=mine > 0)
    return Shown(
        pictures=[Columns([[terms], [along_the_text(moment)]])],
        takeaway=read_operations(mine.sum(), other.sum(), moment.new == moment.length),
        formula=r"\text{with: } \approx N\,(\underbrace{4 D^2 + 2 D F}_{\text{one row}} + 2 L D)"
        r"\qquad \text{without: } \approx L \text{ times that}"
        rf"\qquad N = {config.layers},\; D = {config.d_model},\; F = {config.hidden_width},\; L = {moment.length}",
        about="An operation is one multiplication and one addition in a matrix product. The formula is the rule of "
        "thumb for H · d_k = H · d_v = D; the bars count this model exactly, with the logits of the newest token "
        "alone.",
        table=Table(
            "operations", np.stack([mine, other, ratios], axis=1), costs.terms, (*KINDS, "times as many"), corner="part"
        ),
        source=("core.analysis.kv_costs.operations",),
    )


def along_the_text(moment: Moment) -> Chart:
    """The counted operations of one more token, along the tokens read."""
    costs = costs_along(moment.run.config, moment.limit, moment.source)
    lines = list(zip(KINDS, (costs.with_cache, costs.without), strict=True))
    return Chart(
        kv_lines_data(costs.lengths, lines, moment.length),
        spec(kv_lines_spec, "Operations of one more token, counted", "multiply-adds", KINDS),
        key="kv-cache-operations",
        name="Operations along the text",
    )
