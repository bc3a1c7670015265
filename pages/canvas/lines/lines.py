"""Tokens in two columns with a line for every weight: a picture of which token attends to which."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

MAX_LINE_HEADS = 16  # heads with a colour each (lines_paint.js)

_component = component("lines")


@dataclass(frozen=True)
class TokenLines(CanvasDrawing):
    """A line from each query to each key, as strong as its weight.

    weights: (H, Q, K) in [0, 1], each row over K with sum 1 (or 0: nothing to attend to); H is at most MAX_LINE_HEADS.
    queries, keys: token labels, all different within their column ("3:cat").
    name: the name for screen readers, and the stem of the saved file.
    threshold: the initial value of the slider that hides weak lines.
    pinned: the query whose lines are kept.
    sets_pin: returns the settings that pinning a query, or unpinning it (None), changes; without it the browser keeps
        the pin to itself.
    sets_threshold: returns the settings that releasing the slider at a weight changes.

    Raises ValueError if the sizes disagree or a weight is outside [0, 1].
    """

    clicks = ("sets_pin", "sets_threshold")
    weights: np.ndarray
    queries: Sequence[str]
    keys: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    head_names: Sequence[str] = ()
    threshold: float = 0.0
    pinned: int | None = None
    sets_pin: Callable[[int | None], Settings] | None = None
    sets_threshold: Callable[[float], Settings] | None = None
    caption: str = ""

    def __post_init__(self) -> None:
        weights, names = self.weights, len(self.head_names)
        heads, *sides = weights.shape
        if sides != [len(self.queries), len(self.keys)]:
            sizes = f"{len(self.queries)} queries and {len(self.keys)} keys"
            raise ValueError(f"weights {weights.shape} do not fit {sizes}")
        if not 1 <= heads <= MAX_LINE_HEADS or (names and names != heads):
            raise ValueError(f"{heads} heads with {names} names: 1 to {MAX_LINE_HEADS} heads, a name for each or none")
        if not (np.isfinite(weights).all() and weights.min(initial=0) >= 0 and weights.max(initial=0) <= 1 + 1e-5):
            raise ValueError("weights must be between 0 and 1")

    def packed(self) -> bytes:
        """Return the picture as bytes for lines.js."""
        meta = {
            "queries": list(self.queries),
            "keys": list(self.keys),
            "heads": list(self.head_names) or [f"head {head + 1}" for head in range(len(self.weights))],
            "name": self.name,
            "caption": self.caption,
            "threshold": min(1.0, max(0.0, float(self.threshold))),
            "pinned": self.pinned if self.pinned is not None and 0 <= self.pinned < len(self.queries) else None,
            "controlled": self.sets_pin is not None,
            "tells": self.sets_threshold is not None,
        }
        return pack(meta, {"weights": self.weights})

    def token_labels(self) -> Sequence[str]:
        return (*self.queries, *self.keys)

    def draw(self) -> None:
        """Put the picture on the page."""
        _component(data=self.data(), key=self.key, on_pin_change=self._pinned, on_threshold_change=self._let_go)

    def _pinned(self) -> None:
        query = pinned_query(sent(self.key, "pin"), len(self.queries))
        if self.sets_pin is not None and query is not None:
            store(self.sets_pin(None if query < 0 else query))

    def _let_go(self) -> None:
        weight = valid_threshold(sent(self.key, "threshold"))
        if self.sets_threshold is not None and weight is not None:
            store(self.sets_threshold(weight))


def pinned_query(value: object, count: int) -> int | None:
    """Return the query that the browser names: 0 to count - 1, -1 for "unpinned", None for an invalid value."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -1 <= value < count else None


def valid_threshold(value: object) -> float | None:
    """Return the weight in [0, 1] that the browser names; None for an invalid value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None
