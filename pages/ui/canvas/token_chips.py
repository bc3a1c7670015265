"""A text's tokens as chips: the piece, its id, and which pieces make one word."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.canvas.assets import script, style
from pages.ui.canvas.pack import pack

HTML = '<div class="canvas-root"><ol class="chips"></ol></div>'

_component = st.components.v2.component("token_chips", html=HTML, css=style("token_chips"), js=script("token_chips"))


def token_chips(
    pieces: Sequence[str], ids: Sequence[int], words: Sequence[int], word_labels: Sequence[str], *, key: str, name: str
) -> None:
    """Show one chip for each token, in a box that scrolls.

    words: for each token the number of its word, from 0; tokens of one word stand together. word_labels: the words,
    by that number. name: what a screen reader calls the list. Raises ValueError when the sizes disagree.
    """
    _component(data=packed(pieces, ids, words, word_labels, name), key=key)


def packed(
    pieces: Sequence[str], ids: Sequence[int], words: Sequence[int], word_labels: Sequence[str], name: str
) -> bytes:
    """The chips as bytes for token_chips.js."""
    if not len(pieces) == len(ids) == len(words):
        raise ValueError(f"{len(pieces)} pieces, {len(ids)} ids and {len(words)} word numbers do not go together")
    if any(not 0 <= word < len(word_labels) for word in words):
        raise ValueError(f"word numbers must be from 0 to {len(word_labels) - 1}")
    lists = {"pieces": pieces, "ids": ids, "words": words, "wordLabels": word_labels}
    return pack({"name": name} | {field: list(values) for field, values in lists.items()}, {})
