"""Tell those who do not see it what is new in a lesson's panel, and move the focus there."""

from pages.canvas.runtime.modules import component

KEY = "lesson-news-said"
HIDDEN = "position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%)"

_component = component("lesson_news", html=f'<p role="status" style="{HIDDEN}"></p>')


def tell_news(place: str, words: str) -> None:
    """Say `words` and move the focus to the element with the key "lesson-news", if `place` is another than before.

    place: a name for what the panel shows.
    """
    _component(data={"place": place, "words": words}, key=KEY)
