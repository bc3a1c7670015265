"""Attention as a soft dictionary: one query looks up all keys at once, with an adjustable temperature."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("soft_dictionary")


@dataclass(frozen=True)
class SoftDictionary(CanvasDrawing):
    """softmax(scores / T) over the allowed keys and the mix of the values, while T is changed in the browser.

    scores: (K,) one query's scaled scores before the mask.
    values: (K, E), one row per key.
    allowed: (K,) booleans, True = may attend.
    query, keys: token labels.
    name: the name for screen readers, and the stem of the saved file.
    temperature: the initial T, which runs from 0.01 to 100 on a log scale.
    sets: returns the settings that releasing the slider at a T changes.

    Raises ValueError if sizes disagree or a number is not finite.
    The weights at T = 1 are equation 1 of "Attention Is All You Need" (Vaswani et al., 2017).
    """

    scores: np.ndarray
    values: np.ndarray
    allowed: np.ndarray
    query: str
    keys: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    temperature: float = 1.0
    sets: Callable[[float], Settings] | None = None

    def __post_init__(self) -> None:
        scores, values, allowed, count = self.scores, self.values, self.allowed, len(self.keys)
        if scores.shape != (count,) or allowed.shape != (count,) or values.ndim != 2 or len(values) != count:
            shapes = f"scores {scores.shape}, values {values.shape}, mask {allowed.shape}"
            raise ValueError(f"{shapes} do not fit {count} keys")
        if not (np.isfinite(scores).all() and np.isfinite(values).all()):
            raise ValueError("scores and values must be finite: the mask says which keys may be attended to")

    def packed(self) -> bytes:
        """Return the picture as bytes for soft_dictionary.js."""
        arrays = {"scores": self.scores, "values": self.values, "allowed": self.allowed.astype(np.uint8)}
        meta = {"query": self.query, "keys": list(self.keys), "name": self.name}
        return pack(meta | {"temperature": self.temperature, "tells": self.sets is not None}, arrays)

    def token_labels(self) -> Sequence[str]:
        return (self.query, *self.keys)

    def draw(self) -> None:
        """Put the picture on the page."""
        _component(data=self.data(), key=self.key, on_temperature_change=self._let_go)

    def _let_go(self) -> None:
        turned = valid_temperature(sent(self.key, "temperature"))
        if self.sets is not None and turned is not None:
            store(self.sets(turned))


def valid_temperature(value: object) -> float | None:
    """Return the temperature that the browser names; None for an invalid value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0.01 <= value <= 100 else None
