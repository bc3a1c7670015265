"""The likeliest next tokens as rows with bars, one of which can be picked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from core.topics.generate.records import Candidate
from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing, joined
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

LIMITS = (0.1, 0.25, 0.5, 1.0)

_component = component("candidates")


@dataclass(frozen=True)
class Candidates(CanvasDrawing):
    """A bar chart of candidate tokens: a bar for the probability after all filters, an outline for the model's own.

    chosen: the id that was written.
    sets: returns the settings that a click on the row of a token id changes.
    before: the name of the outlined bar in the numbers.
    click: what a click does, said below the rows where something can be clicked.
    widest: the largest probability that a bar must have room for; the bars end at the next of 10, 25, 50 and 100%,
        which is said below them.
    """

    rows: Sequence[Candidate]
    _: KW_ONLY
    key: str
    name: str
    chosen: int | None = None
    sets: Callable[[int], Settings] | None = None
    caption: str = ""
    click: str = ""
    before: str = "own"
    widest: float = 1.0

    def packed(self) -> bytes:
        """Return the rows as bytes for candidates.js."""
        described = [
            {"id": row.id, "piece": row.piece, "after": float(row.probability), "own": float(row.own)}
            for row in self.rows
        ]
        click = self.click if self.sets else ""
        limit = next((end for end in LIMITS if self.widest <= end), 1.0)
        meta = {
            "name": self.name,
            "rows": described,
            "chosen": self.chosen,
            "pickable": self.sets is not None,
            "caption": joined(self.caption, click, f"The bars end at {100 * limit:g}%." if limit < 1 else ""),
            "before": self.before,
            "limit": limit,
        }
        return pack(meta, {})

    def token_labels(self) -> Sequence[str]:
        return [row.piece for row in self.rows]

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets:
            yield from ((row.id, self.sets(row.id)) for row in self.rows)

    def draw(self) -> None:
        """Put the rows on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        token = sent(self.key, "pick")
        if self.sets and type(token) is int and token in {row.id for row in self.rows}:
            store(self.sets(token))
