"""Two texts, one above the other, with lines between them for the weights of the word that is pointed at."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("bridge")


@dataclass(frozen=True)
class Bridge(CanvasDrawing):
    """A picture of word alignment: the text that was read above the one written, with lines from word to word.

    weights: (Q, K) in [0, 1], a row for each written word, a column for each word read.
    above, below: the names of the two texts.
    opened: the written word whose lines are drawn until another is pointed at.
    told: the written words that are highlighted.
    glosses: for each written word, a word to put below it in small letters, or ""; () for none.
    name: the name for screen readers.
    language: that of the written words, as HTML names it; "" if it is that of the page.

    Raises ValueError if the sizes disagree.
    """

    clicks = ()
    weights: np.ndarray
    written: Sequence[str]
    read: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    above: str
    below: str
    opened: int = 0
    told: Sequence[int] = ()
    glosses: Sequence[str] = ()
    language: str = ""

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.written), len(self.read)):
            sizes = f"{len(self.written)} written words and {len(self.read)} words read"
            raise ValueError(f"weights {self.weights.shape} do not fit {sizes}")
        if self.glosses and len(self.glosses) != len(self.written):
            raise ValueError(f"{len(self.glosses)} glosses do not fit {len(self.written)} written words")

    def packed(self) -> bytes:
        """Return the picture as bytes for bridge.js."""
        meta = {field: getattr(self, field) for field in ("name", "above", "below", "opened", "language")}
        lists = {field: list(getattr(self, field)) for field in ("written", "read", "told", "glosses")}
        return pack(meta | lists, {"weights": np.asarray(self.weights, np.float32)})

    def token_labels(self) -> Sequence[str]:
        return (*self.written, *self.read)

    def draw(self) -> None:
        """Put the picture on the page."""
        _component(data=self.data(), key=self.key)
