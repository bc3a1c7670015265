"""The "PNG" and "SVG" buttons for a Vega chart that stands elsewhere on the page."""

import streamlit as st

from pages.canvas.runtime.assets import script, style

HTML = '<div class="canvas-root"><div class="save-bar"><span role="status"></span></div></div>'

_chart_save = st.components.v2.component(
    "chart_save", html=HTML, css=style("chart_save/chart_save"), js=script("chart_save/chart_save")
)


def chart_save(chart_key: str, *, name: str) -> None:
    """Save the chart in ``st.container(key=chart_key)`` as it stands when a button is clicked.

    The chart's own key will do when it has a selection (``on_select``); without one, Streamlit writes no key into the
    page. Its spec must ask for SVG: ``usermeta={"embedOptions": {"renderer": "svg"}}``. name: what a screen reader
    calls the chart, and the stem of the saved file. When the page holds no such chart, the buttons say so.
    """
    _chart_save(data={"chart": chart_key, "name": name}, key=f"{chart_key}-save")
