"""A text's tokens as chips: the piece, its id, and which pieces make one word."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("token_chips")


@dataclass(frozen=True)
class TokenChips(CanvasDrawing):
    """One chip for each token, in a box that scrolls.

    words: for each token the number of its word, from 0; tokens of one word are drawn together.
    word_labels: the words, by that number.
    name: the name of the list for screen readers.
    text: the text that the tokens belong to. A token of it that is pointed at in one drawing of the page is framed in
        all of them.

    shades: for each token the strength of its colour, from 0 to 1; () for none.
    framed: the token with a frame; None for none.

    Raises ValueError if the sizes disagree.
    """

    clicks = ()
    pieces: Sequence[str]
    ids: Sequence[int]
    words: Sequence[int]
    word_labels: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    text: str = "text"
    shades: Sequence[float] = ()
    framed: int | None = None

    def __post_init__(self) -> None:
        if not len(self.pieces) == len(self.ids) == len(self.words):
            sizes = f"{len(self.pieces)} pieces, {len(self.ids)} ids and {len(self.words)} word numbers"
            raise ValueError(f"{sizes} do not go together")
        if self.shades and len(self.shades) != len(self.pieces):
            raise ValueError(f"{len(self.shades)} shades do not fit {len(self.pieces)} pieces")
        if any(not 0 <= word < len(self.word_labels) for word in self.words):
            raise ValueError(f"word numbers must be from 0 to {len(self.word_labels) - 1}")

    def packed(self) -> bytes:
        """Return the chips as bytes for token_chips.js."""
        lists = {"pieces": self.pieces, "ids": self.ids, "words": self.words, "wordLabels": self.word_labels}
        meta = {"name": self.name, "text": self.text, "framed": self.framed, "shades": list(self.shades)}
        return pack(meta | {field: list(values) for field, values in lists.items()}, {})

    def token_labels(self) -> Sequence[str]:
        return self.pieces

    def draw(self) -> None:
        """Put the chips on the page."""
        _component(data=self.data(), key=self.key)
