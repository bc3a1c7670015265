"""The terms in a page's prose: each explains itself while it is pointed at, and after a click until it is closed."""

from collections.abc import Mapping

from pages.canvas.runtime.modules import component

_component = component("terms", html="<span hidden></span>")


def explain_terms(pages: Mapping[str, tuple[str, str]], query: Mapping[str, str]) -> None:
    """Explain the terms that link to the glossary, wherever they are on the page; draw this once on every page.

    pages: the path and the title of each page that the visitor may go to, by its address, for links to the glossary and
        to where a term is best seen.
    query: the model and the text on the screen, as written in the URL; these links keep them.
    """
    _component(key="terms", data={"pages": {address: list(page) for address, page in pages.items()}, "query": query})
