"""The text and the model of a page, which every picture that is saved from it names."""

from pages.canvas.runtime.modules import component

_component = component("saved_facts", html="<span hidden></span>")


def saved_facts(text: str, model: str) -> None:
    """Give the browser what saved pictures name beside their address. Draw it once on every page.

    text: what the page reads; model: what it is called on screen. "" where the page has none.
    """
    _component(data={"text": text, "model": model}, key="saved-facts")
