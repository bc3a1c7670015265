"""What every drawing can be asked, besides to draw itself."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from pages.canvas.runtime.clicks import Settings


class Drawing:
    """The base of the drawings, which are dataclasses with a key of their own.

    clicks: the names of the fields that say what a click sets.
    """

    clicks: ClassVar[tuple[str, ...]] = ("sets",)

    @classmethod
    def script(cls) -> str:
        """Return the name of the folder below `pages/canvas` that holds its script, which has the same name."""
        return cls.__module__.rpartition(".")[2]

    def packed(self) -> bytes:
        """Return its data, as `pack` makes them, for its script."""
        raise NotImplementedError

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        """Yield what a click on each of its parts sends, and the settings that the click changes; nothing, as here."""
        return iter(())

    def read_only(self) -> Self:
        """Return the drawing for the pinned side of a comparison, with another key and nothing to click."""
        this: Any = self
        return replace(this, key=f"pinned-{this.key}", **dict.fromkeys(self.clicks))

    def token_labels(self) -> Sequence[str]:
        """Return the labels of the tokens that it shows, such as "3:·al"."""
        return ()
