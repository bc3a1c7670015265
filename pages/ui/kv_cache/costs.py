"""What is saved and what it takes: operations and bytes, counted."""

import numpy as np
import streamlit as st

from core.analysis import kv_costs
from core.charts.kv_lines import kv_lines_data
from core.charts.kv_pairs import kv_pairs_data
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.kv_cache import specs
from pages.ui.kv_cache.choices import BATCH
from pages.ui.kv_cache.moment import KINDS, Moment, counted, short, stored
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask

MIB = 2**20
POINTS = 64


def show_operations(moment: Moment) -> None:
    """This step term by term, and every token up to the end of the context."""
    names, mine, other = moment.terms()
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(key="kv-terms"):
            texts = [(short(a), short(b)) for a, b in zip(mine, other, strict=True)]
            st.vega_lite_chart(kv_pairs_data(names, KINDS, mine, other, texts), specs.terms(), width="stretch")
        chart_save("kv-terms", name="Operations of this step")
    with right:
        draw_theory(moment)
    ratio = other.sum() / mine.sum()
    saved = "the same: it is the first step" if moment.new == moment.length else f"{ratio:,.3g} times as many"
    reading(
        f"This step takes {counted(mine.sum())} multiply-adds with the cache and "
        f"{counted(other.sum())} without, {saved}."
    )
    config = moment.run.config
    formula(
        rf"\text{{with: }} \approx N\,(\underbrace{{4 D^2 + 2 D F}}_{{\text{{one row}}}} + 2 L D)"
        r"\qquad \text{without: } \approx L \text{ times that}"
        rf"\qquad N = {config.layers},\; D = {config.d_model},\; F = {config.hidden_width},\; L = {moment.length}"
    )
    st.caption(
        "An operation is one multiplication and one addition in a matrix product. The formula is the rule of thumb for "
        "H · d_k = H · d_v = D; the bars count this model exactly, with the logits of the newest token alone."
    )
    table = np.stack([mine, other, other / np.maximum(mine, 1)], axis=1)
    table[mine == 0, 2] = np.nan
    numbers("operations", table, names, [*KINDS, "times as many"], "kv-operations-numbers", "part")
    code(kv_costs.operations, key="kv-code-operations")


def draw_theory(moment: Moment) -> None:
    """The counted operations of one more token, along the tokens read."""
    lengths = lengths_up_to(moment.limit)
    mine, other = moment.along(lengths).T
    with st.container(key="kv-operations"):
        st.vega_lite_chart(
            kv_lines_data(lengths, list(zip(KINDS, (mine, other), strict=True)), moment.length),
            specs.operations(),
            width="stretch",
        )
    chart_save("kv-operations", name="Operations along the text")


def show_memory(moment: Moment) -> None:
    """The bytes that are kept, as the text and the number of texts grow, beside those of the weights."""
    batch = ask(BATCH)
    run, config = moment.run, moment.run.config
    dtype, lengths = run.placement.dtype, lengths_up_to(moment.limit)
    kept = np.array([kv_costs.cache_bytes(config, n, moment.source, batch, dtype) for n in lengths])
    weights = kv_costs.weight_bytes(config, dtype)
    with st.container(key="kv-memory"):
        lines = [(specs.STORED[0], kept / MIB), (specs.STORED[1], np.full(len(lengths), weights / MIB))]
        st.vega_lite_chart(kv_lines_data(lengths, lines, moment.length), specs.memory(), width="stretch")
    chart_save("kv-memory", name="Bytes of the cache")
    now = kv_costs.cache_bytes(config, moment.length, moment.source, batch, dtype)
    row = kv_costs.cache_bytes(config, 1, 0, batch, dtype)
    texts = "This text" if batch == 1 else f"{batch} such texts"
    reading(
        f"{texts} of {moment.length} token{'s' if moment.length > 1 else ''} keep {stored(now)}; each token more adds "
        f"{stored(row)}. A full context of {moment.limit} would keep {stored(kept[-1])}; the weights take "
        f"{stored(weights)}, whatever the text."
        if batch > 1
        else f"{texts} of {moment.length} token{'s' if moment.length > 1 else ''} keeps {stored(now)}; each token more "
        f"adds {stored(row)}. A full context of {moment.limit} would keep {stored(kept[-1])}; the weights take "
        f"{stored(weights)}, whatever the text."
    )
    _memory_formula(moment, batch, now)
    if moment.source:
        st.caption("L counts the source's tokens too: cross-attention keeps their keys and values, made once.")
    st.caption("This is the price: the cache trades memory for operations. Long texts and many readers fill it.")
    table = np.stack([kept, np.full(len(lengths), weights)], axis=1)
    rows = [f"{length}" for length in lengths]
    numbers("memory", table, rows, ["cache, bytes", "weights, bytes"], "kv-memory-numbers", "tokens")
    code(kv_costs.cache_bytes, key="kv-code-memory")


def _memory_formula(moment: Moment, batch: int, now: int) -> None:
    config = moment.run.config
    held = moment.length + moment.source
    width = kv_costs.BYTES[moment.run.placement.dtype]
    formula(
        r"\text{bytes} = N \cdot H \cdot (d_k + d_v) \cdot L \cdot B \cdot \text{width}"
        rf"\qquad = {config.layers} \cdot {config.heads} \cdot "
        rf"({config.key_width} + {config.value_width}) \cdot {held} \cdot {batch} \cdot {width}"
        rf"\qquad = {now:,}".replace(",", r"{,}")
    )


def lengths_up_to(limit: int) -> list[int]:
    """1 to `limit`, at most 64 of them, evenly spaced."""
    return sorted({int(each) for each in np.linspace(1, limit, min(limit, POINTS)).round()})
