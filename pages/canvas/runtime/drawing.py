"""What every drawing can be asked, besides to draw itself."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self


class Drawing:
    """The base of the drawings, which are dataclasses with a key of their own.

    clicks: the names of the fields that say what a click sets.
    """

    clicks: ClassVar[tuple[str, ...]] = ("sets",)

    def read_only(self) -> Self:
        """Return the drawing for the pinned side of a comparison, with another key and nothing to click."""
        this: Any = self
        return replace(this, key=f"pinned-{this.key}", **dict.fromkeys(self.clicks))

    def token_labels(self) -> Sequence[str]:
        """Return the labels of the tokens that it shows, such as "3:·al"."""
        return ()
