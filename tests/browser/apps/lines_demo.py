"""A page for the browser tests: `?view=lines|dictionary|chart&tokens=24&heads=8` and what else `number` reads."""

import numpy as np
import pandas as pd
import streamlit as st

from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.lines.lines import TokenLines
from pages.canvas.runtime import modules
from pages.canvas.soft_dictionary.soft_dictionary import SoftDictionary
from tests.browser.apps.lines_numbers import labels, look_up, weights


def number(name: str, default: float) -> float:
    return float(st.query_params.get(name, default))


def show_lines(tokens: list[str]) -> None:
    def pin(query: int | None) -> dict[str, int | None]:
        return {"pinned": query, "pins": st.session_state.get("pins", 0) + 1}

    TokenLines(
        weights(int(number("heads", 1)), len(tokens)),
        tokens,
        tokens,
        key="lines",
        name="Who attends to whom",
        threshold=st.session_state.get("threshold", number("threshold", 0)),
        pinned=st.session_state.get("pinned"),
        sets_pin=pin,
        sets_threshold=lambda weight: {"threshold": weight},
        caption="random numbers, for tests only",
    ).draw()
    st.text(f"threshold: {st.session_state.get('threshold')}")
    st.text(f"pinned: {st.session_state.get('pinned')} after {st.session_state.get('pins', 0)}")


def show_dictionary(tokens: list[str]) -> None:
    scores, values = look_up(len(tokens), int(number("width", 16)))
    if number("ties", 0):
        scores = np.array([2, 1, 2, 0], dtype=np.float32)
    allowed = np.arange(len(tokens)) < number("allowed", len(tokens) - 2)
    SoftDictionary(scores, values, allowed, tokens[-1], tokens, key="dictionary", name="Soft look-up").draw()


def show_chart(_: list[str]) -> None:
    frame = pd.DataFrame({"token": ["a", "b"], "weight": [0.25, 0.75]})
    encoding = {"x": {"field": "token", "type": "nominal"}, "y": {"field": "weight", "type": "quantitative"}}
    spec = {"mark": "bar", "encoding": encoding, "usermeta": {"embedOptions": {"renderer": "svg"}}}
    with st.container(key="bars"):
        st.vega_lite_chart(frame, spec)
    chart_save("bars", name="Two weights")
    chart_save("missing", name="No chart")


if __name__ == "__main__":
    st.set_page_config(layout="wide", page_icon="🔎")
    views = {"lines": show_lines, "dictionary": show_dictionary, "chart": show_chart}
    views[st.query_params.get("view", "lines")](labels(int(number("tokens", 6)), bool(number("hostile", 0))))
else:
    app = st.App(__file__, routes=modules.routes())
