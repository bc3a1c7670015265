"""The terms in a page's prose: the one that is pointed at, touched or focused shows its explanation."""

from pages.canvas.runtime.modules import component

_component = component("terms", html="<span hidden></span>")


def explain_terms() -> None:
    """Explain the terms that link to the glossary, wherever they are on the page; draw this once on every page."""
    _component(key="terms")
