"""What every drawing can be asked, besides to draw itself."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from pages.canvas.runtime.clicks import Settings


class Drawing:
    """The base class of the drawings, which are dataclasses with a key of their own.

    clicks: the names of the fields that say what a click sets.
    """

    clicks: ClassVar[tuple[str, ...]] = ("sets",)

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        """Yield the value that a click on each part sends, and the settings that it changes; nothing by default."""
        return iter(())

    def read_only(self) -> Self:
        """Return the drawing for the pinned side of a comparison, with another key and nothing to click."""
        this: Any = self
        return replace(this, key=f"pinned-{this.key}", **dict.fromkeys(self.clicks))

    def token_labels(self) -> Sequence[str]:
        """Return the labels of the tokens that it shows, such as "3:·al"."""
        return ()


class CanvasDrawing(Drawing, ABC):
    """A drawing that a script of `pages/canvas` draws from packed data, in the app or in a file of its own."""

    @classmethod
    def script(cls) -> str:
        """Return the name of the folder below `pages/canvas` that holds its script, which has the same name."""
        return cls.__module__.rpartition(".")[2]

    @abstractmethod
    def packed(self) -> bytes:
        """Return its data, as `pack` makes them, for its script."""
