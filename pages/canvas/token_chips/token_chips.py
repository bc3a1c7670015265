"""A text's tokens as chips: the piece, its id, and which pieces make one word."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("token_chips")


@dataclass(frozen=True)
class TokenChips:
    """One chip for each token, in a box that scrolls.

    words: for each token the number of its word, from 0; tokens of one word stand together. word_labels: the words,
    by that number. name: what a screen reader calls the list. text: whose tokens they are, for the drawings of the page
    that frame a token wherever it is pointed at. Raises ValueError when the sizes disagree.
    """

    pieces: Sequence[str]
    ids: Sequence[int]
    words: Sequence[int]
    word_labels: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    text: str = "text"

    def __post_init__(self) -> None:
        if not len(self.pieces) == len(self.ids) == len(self.words):
            sizes = f"{len(self.pieces)} pieces, {len(self.ids)} ids and {len(self.words)} word numbers"
            raise ValueError(f"{sizes} do not go together")
        if any(not 0 <= word < len(self.word_labels) for word in self.words):
            raise ValueError(f"word numbers must be from 0 to {len(self.word_labels) - 1}")

    def packed(self) -> bytes:
        """The chips as bytes for token_chips.js."""
        lists = {"pieces": self.pieces, "ids": self.ids, "words": self.words, "wordLabels": self.word_labels}
        return pack(
            {"name": self.name, "text": self.text} | {field: list(values) for field, values in lists.items()}, {}
        )

    def draw(self) -> None:
        """Put the chips on the page."""
        _component(data=self.packed(), key=self.key)
