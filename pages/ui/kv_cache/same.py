"""The same answer: logits with the cache against logits without, at every step."""

import numpy as np
import streamlit as st

from core.charts.kv_lines import kv_lines_data
from core.explorer.kv_cache.steps import check_cache
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.kv_cache import cache, specs
from pages.ui.kv_cache.moment import Moment
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading


def show_same(moment: Moment) -> None:
    """The largest difference of a logit at every step, and the token that both would choose."""
    found = cache.check_cache(moment.run, moment.ids, moment.start)
    differences, steps = np.array(found.difference), len(found.lengths)
    with st.container(key="kv-same"):
        lines = [(specs.LOGITS[0], differences)]
        st.vega_lite_chart(kv_lines_data(found.lengths, lines, moment.length), specs.difference(), width="stretch")
    chart_save("kv-same", name="Difference of the logits")
    times = "At the one step" if steps == 1 else f"At all {steps} steps"
    same = (
        f"{times} both choose the same token"
        if found.agreed == steps
        else f"At {found.agreed} of {steps} steps both choose the same token"
    )
    reading(
        f"{same}; no logit differs by more than {differences.max():.2g}, and the largest logit is {found.size:.3g}."
    )
    notes(
        [
            f"In {moment.run.placement.dtype} numbers have few digits, so the order of additions shows."
            if moment.run.placement.dtype != "float32"
            else None
        ]
    )
    st.caption(
        "With: the beginning is read at once, then token by token, keys and values kept. Without: one pass over the "
        "whole text, nothing kept. The same numbers are added up in another order; that is all that differs."
    )
    formula(
        r"\max_{t,\,v} \big|\, \ell^{\text{with}}_{t,v} - \ell^{\text{without}}_{t,v} \,\big|"
        rf" = \text{{{differences.max():.2g}}} \qquad t = {found.lengths[0]} \ldots {found.lengths[-1]}"
        rf"\qquad V = {moment.run.config.vocab_size}"
    )
    rows = [f"{n}: {a} | {b}" for n, a, b in zip(found.lengths, found.with_cache, found.without, strict=True)]
    agrees = [float(a == b) for a, b in zip(found.with_cache, found.without, strict=True)]
    table = np.stack([differences, agrees], axis=1)
    columns = ["largest difference", "same token (1: yes)"]
    numbers("logits", table, rows, columns, "kv-same-numbers", "tokens read: next with | without")
    code(check_cache, key="kv-code-same")
