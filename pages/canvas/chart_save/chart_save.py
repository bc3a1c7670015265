"""The "PNG" and "SVG" buttons for a Vega chart elsewhere on the page."""

from pages.canvas.runtime.modules import component

_component = component("chart_save")


def chart_save(chart_key: str, *, name: str, zooms: bool = False) -> None:
    """Draw buttons that save the chart in ``st.container(key=chart_key)`` as it looks when a button is clicked.

    The chart's own key also works if it has a selection (``on_select``); without one, Streamlit writes no key into the
    page. Its spec must ask for SVG: ``usermeta={"embedOptions": {"renderer": "svg"}}``. If the page holds no such
    chart, the buttons say so.

    name: the name of the chart for screen readers, and the stem of the saved file.
    zooms: whether the chart can be zoomed, so that another button shows all of it again.
    """
    _component(data={"chart": chart_key, "name": name, "zooms": zooms}, key=f"{chart_key}-save")
