"""The "PNG" and "SVG" buttons for a Vega chart that stands elsewhere on the page."""

from pages.canvas.runtime.modules import component

_component = component("chart_save")


def chart_save(chart_key: str, *, name: str, zooms: bool = False) -> None:
    """Save the chart in ``st.container(key=chart_key)`` as it stands when a button is clicked.

    The chart's own key will do when it has a selection (``on_select``); without one, Streamlit writes no key into the
    page. Its spec must ask for SVG: ``usermeta={"embedOptions": {"renderer": "svg"}}``. name: what a screen reader
    calls the chart, and the stem of the saved file. zooms: whether the chart can be zoomed, so that a button shows all
    of it again. When the page holds no such chart, the buttons say so.
    """
    _component(data={"chart": chart_key, "name": name, "zooms": zooms}, key=f"{chart_key}-save")
