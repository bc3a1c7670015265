"""The base classes of the drawings: what a click sends, the data for the browser, and the drawing as a page."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from html import escape
from typing import Any, ClassVar, Self

import numpy as np

from pages.canvas.runtime.click_answers import Answers, click_answers
from pages.canvas.runtime.clicks import Settings
from pages.canvas.runtime.pack import unpack
from pages.canvas.runtime.standalone import Saved, SavedPage

FRAME_HEIGHT = 600  # pixels


class Drawing:
    """The base class of the drawings, which are dataclasses with a key of their own.

    clicks: the names of the fields with the functions that return the settings to change.
    """

    clicks: ClassVar[tuple[str, ...]] = ("sets",)

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        """Yield the value that a click on each part sends, and the settings that it changes; nothing by default."""
        return iter(())

    def read_only(self) -> Self:
        """Return the drawing for the pinned side of a comparison, with another key and nothing to click."""
        this: Any = self
        return replace(this, key=f"pinned-{this.key}", **dict.fromkeys(self.clicks))

    @property
    def follows(self) -> frozenset[str]:
        """The keys of the settings that it follows by itself in the browser; none by default."""
        return frozenset()

    def elsewhere(self) -> Mapping[str, Any]:
        """Return other values of the settings that it follows; nothing by default."""
        return {}

    def token_labels(self) -> Sequence[str]:
        """Return the labels of the tokens that it shows, such as "3:·al"."""
        return ()


def joined(*sentences: str) -> str:
    """Return the sentences of a caption as one text; empty ones are left out."""
    return " ".join(filter(None, sentences))


class CanvasDrawing(Drawing, ABC):
    """A drawing that a script of `pages/canvas` draws from packed data, in the app or in a file of its own."""

    key: str

    @classmethod
    def script(cls) -> str:
        """Return the name of the folder below `pages/canvas` that holds its script, which has the same name."""
        return cls.__module__.rpartition(".")[2]

    @abstractmethod
    def packed(self) -> bytes:
        """Return its data, as `pack` makes them, for its script."""

    def to_html(self, title: str) -> str:
        """Return the drawing as an HTML page of its own, in which clicks that would need the app do nothing."""
        saved = Saved(self.script(), self.read_only().packed())
        return SavedPage(title, saved.html, [saved]).html()

    def _repr_html_(self) -> str:
        """Return the drawing in a frame, as a notebook shows it."""
        page = escape(self.to_html(self.key))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {FRAME_HEIGHT}px; border: 0"></iframe>'

    def unpacked(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return the meta and the arrays of its data, which are cached."""
        return self._cached("unpacked", lambda: unpack(self.packed()))

    @property
    def nbytes(self) -> int:
        """The size of its arrays."""
        return sum(array.nbytes for array in self.unpacked()[1].values())

    def answers(self) -> Answers:
        """Return the settings that each click changes, which are cached."""
        return self._cached("answers", lambda: click_answers(self.picks()))

    def data(self) -> bytes:
        """Return the data that are drawn: those of `with_data`, or its own."""
        return self.__dict__["_data"] if "_data" in self.__dict__ else self.packed()

    def with_data(self, data: bytes) -> Self:
        """Return the same drawing that sends other data to the browser, such as its own with frames."""
        copied = copy(self)
        copied.__dict__["_data"] = data
        return copied

    def _cached(self, name: str, make: Callable[[], Any]) -> Any:
        if f"_{name}" not in self.__dict__:
            self.__dict__[f"_{name}"] = make()
        return self.__dict__[f"_{name}"]
