"""The text and the model of a page, which every picture that is saved from the page names."""

from pages.canvas.runtime.modules import component

_component = component("saved_facts", html="<span hidden></span>")


def saved_facts(text: str, model: str) -> None:
    """Give the browser the facts that saved pictures name beside their address; draw this once on every page.

    text: the text that the page reads; "" if it has none.
    model: the name of its model on screen; "" if it has none.
    """
    _component(data={"text": text, "model": model}, key="saved-facts")
