"""The terms in a page's prose, which explain themselves: what is pointed at, touched or focused shows its words."""

from pages.canvas.runtime.modules import component

_component = component("terms", html="<span hidden></span>")


def explain_terms() -> None:
    """Draw this once on every page. The terms are links to the glossary, wherever they stand."""
    _component(key="terms")
