"""A whole model as boxes and lines with a click on each box, and the tokens of a text moving through it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from core.readings.words import number, percent
from core.topics.architecture.flow import Flow, FlowStep
from core.topics.architecture.plan import Box, DrawingPlan, Pile
from core.topics.architecture.readings.drawing import name_amount
from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

UNCOUNTED_KINDS = ("text", "answer", "add", "gap")  # kinds of boxes without a line about their number of parameters

_component = component("model_drawing")


@dataclass(frozen=True)
class ModelDrawing(CanvasDrawing):
    """The drawing of a plan, with the same content as a list below it.

    does: by the keys of boxes, the effect of a click ("to open it in Heads"); the others cannot be clicked.
    sets: returns the settings that a click on a box changes.
    flow: the values at each box, for the tokens that move through the drawing.
    after: the text above the answer of the flow.
    step: the step of the flow at which the tokens are.
    sets_step: returns the settings that a new step changes.
    compact: boxes of two lines, for several drawings side by side.
    name: the name for screen readers, and the stem of the saved files.
    """

    clicks = ("sets", "sets_step")
    plan: DrawingPlan
    _: KW_ONLY
    key: str
    name: str
    does: Mapping[str, str] = field(default_factory=dict)
    sets: Callable[[str], Settings] | None = None
    flow: Flow | None = None
    after: str = ""
    step: int = 0
    sets_step: Callable[[int], Settings] | None = None
    compact: bool = False

    def packed(self) -> bytes:
        """Return the drawing as bytes for model_drawing.js: one array for each step."""
        named = self.plan.named
        meta = {
            "name": self.name,
            "compact": self.compact,
            "piles": [self._pile(pile) for pile in self.plan.piles],
            "edges": [{"source": edge.source, "target": edge.target, "kind": edge.kind} for edge in self.plan.edges],
            "flow": None,
            "step": self.step,
            "tells": self.sets_step is not None,
        }
        if self.flow is None:
            return pack(meta, {})
        several = len(self.plan.piles) > 1
        steps = [_described(step, named[step.box], several) for step in self.flow.steps]
        tokens = {
            stack: {"pieces": list(shown.pieces), "places": list(shown.places), "left": shown.left}
            for stack, shown in self.flow.tokens.items()
        }
        answer = [[label, share, percent(share)] for label, share in self.flow.answer]
        flow = {"steps": steps, "tokens": tokens, "answer": answer, "after": self.after}
        arrays = {str(index): np.asarray(step.strip, np.float32) for index, step in enumerate(self.flow.steps)}
        return pack(meta | {"flow": flow}, arrays)

    def token_labels(self) -> Sequence[str]:
        return (self.flow.last, *(label for label, _ in self.flow.answer)) if self.flow else ()

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets:
            yield from ((box, self.sets(box)) for box in self.does)

    def draw(self) -> None:
        """Put the drawing on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked, on_step_change=self._stepped)

    def _pile(self, pile: Pile) -> dict[str, Any]:
        ranks = [
            {
                "boxes": [self._box(box) for box in rank.boxes],
                "frame": self._box(rank.frame) if rank.frame else None,
                "branch": rank.branch,
            }
            for rank in pile.ranks
        ]
        return {"stack": pile.stack, "title": pile.title, "ranks": ranks}

    def _box(self, box: Box) -> dict[str, Any]:
        fields = {
            name: getattr(box, name) for name in ("key", "kind", "title", "shape", "parameters", "about", "share")
        }
        return fields | {
            "learns": box.kind not in UNCOUNTED_KINDS,
            "does": self.does.get(box.key, "") if self.sets else "",
        }

    def _picked(self) -> None:
        box = sent(self.key, "pick")
        if self.sets and isinstance(box, str) and box in self.does:
            store(self.sets(box))

    def _stepped(self) -> None:
        step = sent(self.key, "step")
        if self.sets_step and self.flow and type(step) is int and 0 <= step < len(self.flow.steps):
            store(self.sets_step(step))


def _described(step: FlowStep, box: Box, several: bool) -> dict[str, Any]:
    """Return a step for the browser.

    `scale` is the largest |number| of its rows, by which they are coloured.
    """
    stack = box.key.partition(".")[0]
    parts = [
        stack if several and "." in box.key else "",
        "" if box.layer is None or box.kind == "layer" else f"layer {box.layer + 1}",
    ]
    title = ", ".join(filter(None, [*parts, box.title, "" if step.head is None else f"head {step.head + 1}"]))
    scale = float(np.abs(step.strip).max(initial=0))
    pieces = step.pieces or [""] * len(step.amounts)
    return {
        "box": step.box,
        "stack": step.stack,
        "title": title[:1].upper() + title[1:],
        "unit": step.unit,
        "told": [name_amount(step.unit, amount, piece) for amount, piece in zip(step.amounts, pieces, strict=True)],
        "columns": step.strip.shape[1],
        "width": step.width,
        "weights": step.weights,
        "scale": scale,
        "limit": number(-scale),
    }
