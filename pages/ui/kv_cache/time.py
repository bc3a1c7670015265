"""Milliseconds per token, measured here and now, only when the visitor asks for it."""

import numpy as np
import pandas as pd
import streamlit as st

from core.charts.kv_lines import kv_lines_data
from core.explorer.kv_cache.records import Timing
from core.explorer.kv_cache.steps import next_logits
from core.explorer.kv_cache.timing import measure, timing_lengths
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.kv_cache import cache, specs
from pages.ui.kv_cache.costs import draw_theory
from pages.ui.kv_cache.moment import KINDS, Moment
from pages.ui.numbers import numbers
from pages.ui.say import code, plain, reading

SECONDS = 4.0
KEPT = "kv-timings"  # in the session: (what was measured, its timings)


def show_time(moment: Moment) -> None:
    """The button, the measured curves, and the counted ones beside."""
    run = moment.run
    lengths = timing_lengths(moment.limit)
    place = run.placement
    st.markdown(
        f"One more token is read at {len(lengths)} lengths, with the cache and without in turn, on this server's "
        f"**{plain(place.device)}** in **{plain(place.dtype)}**. It takes about {SECONDS:g} seconds; leaving the page "
        "ends it."
    )
    if st.button("Measure", icon=":material/timer:", type="primary", key="kv-measure"):
        _measure(run, moment.limit, len(lengths))
    kept, timings = st.session_state.get(KEPT, (None, ()))
    if kept != _what(run) or not timings:
        st.caption("Nothing has been measured yet for this model. Beside it would stand the counted operations:")
        draw_theory(moment)
        return
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(key="kv-time"):
            st.vega_lite_chart(timing_data(timings, moment.length), specs.time(), width="stretch")
        chart_save("kv-time", name="Measured time per token")
    with right:
        draw_theory(moment)
    _say(timings, len(lengths), run)


def _what(run: Run) -> tuple[object, ...]:
    """What a measurement is of."""
    return run.config, run.checkpoint, run.placement, run.mask, len(run.config.stacks) == 2 and run.text


def _measure(run: Run, limit: int, lengths: int) -> None:
    bar, done = st.progress(0.0, "Measuring…"), []

    def report(timing: Timing) -> None:
        done.append(timing)
        bar.progress(len(done) / lengths, f"Measured at {timing.length} tokens, {timing.runs} times")

    try:
        st.session_state[KEPT] = (_what(run), cache.measured(run, limit, SECONDS, report))
    finally:
        bar.empty()


def _say(timings: tuple[Timing, ...], lengths: int, run: Run) -> None:
    last = timings[-1]
    (_, mine, _), (_, other, _) = last.with_cache, last.without
    reading(
        f"At {last.length} tokens one more took {mine:.3g} ms with the cache and {other:.3g} ms without: "
        f"{other / mine:.3g} times as long (medians of {last.runs})."
    )
    said = "Points are medians, upright strokes reach from the lower to the upper quartile. "
    said += f"Measured on {plain(run.placement.device)}, {plain(run.placement.dtype)}, which other visitors may share. "
    if len(timings) < lengths:
        said += "Longer texts would not have fitted in the time. "
    st.caption(said + "The tokens are your text's, repeated up to each length.")
    table = np.array([[*each.with_cache, *each.without, each.runs] for each in timings])
    names = [f"{how}, {kind}" for kind in KINDS for how in ("lower quartile", "median", "upper quartile")]
    rows = [str(each.length) for each in timings]
    numbers("milliseconds", table, rows, [*names, "runs"], "kv-time-numbers", "tokens")
    code(measure, next_logits, key="kv-code-time")


def timing_data(timings: tuple[Timing, ...], now: int) -> pd.DataFrame:
    """Median and quartiles in milliseconds at each length."""
    both = np.array([[each.with_cache, each.without] for each in timings])  # (T, 2, 3)
    lines = [(kind, both[:, place, 1]) for place, kind in enumerate(KINDS)]
    spread = [(both[:, place, 0], both[:, place, 2]) for place in range(2)]
    return kv_lines_data([each.length for each in timings], lines, now, spread)
