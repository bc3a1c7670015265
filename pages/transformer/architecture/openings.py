"""The page that shows the content of each box of the drawing closely, and the settings that open it there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.topics.architecture.plan import Box
from core.tracing.run import Run
from pages.widgets import ATTENTION, LAYER, ToPage

STEPS = {
    "q": ("1 project", "queries", "Q"),
    "k": ("1 project", "keys", "K"),
    "v": ("1 project", "values", "V"),
    "scores": ("5 softmax", "", "A"),
    "z": ("6 mix", "", "Z"),
}
TITLES = {
    "tokens": "Tokens",
    "positions": "Positions",
    "heads": "Heads",
    "self-attention": "Self-attention, step by step",
    "block": "The block",
    "generate": "Generate",
    "translate": "Translate",
    "journey": "The journey",
}


@dataclass(frozen=True)
class Doorway:
    """The destination of a click on a box.

    address: the address of a page; "" for this one.
    where: the settings of that page, by their keys.
    shared: the settings that all pages have, by their keys.
    """

    address: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    shared: Mapping[str, str] = field(default_factory=dict)

    @property
    def does(self) -> str:
        """The destination of a click, in words."""
        return f"to open it in {TITLES[self.address]}" if self.address else "to open this layer"

    def clicked(self) -> Mapping[str, str] | ToPage:
        """Return the action of a click: the settings to change on this page, or the way to another."""
        return ToPage(self.address, self.where, self.shared) if self.address else self.shared


def doorway(run: Run, box: Box) -> Doorway | None:
    """Return where a click on a box leads; None if no page shows the box."""
    stack, _, rest = box.key.partition(".")
    if box.layer is not None:
        cross = ".cross" in box.key
        shared = {LAYER.key: str(box.layer + 1)}
        shared |= {ATTENTION.key: "cross" if cross else stack} if run.config.has_two_stacks else {}
        return _in_layer(box, rest.rpartition(".")[2], shared)
    if box.kind == "text":
        return Doorway("tokens")
    if box.kind == "embedding":
        return Doorway("tokens", {"tokens-view": "one-hot against dense"})
    if box.kind == "positions":
        where = {"positions-encoding": run.config.positions, "positions-width": str(run.config.d_model)}
        return Doorway("positions", {"positions-view": "heatmap"} | where)
    if box.kind == "norm":
        return Doorway("block")
    if stack in ("logits", "answer"):
        return Doorway({"decoder": "generate", "encoder-decoder": "translate"}.get(run.config.architecture, "journey"))
    return None


def _in_layer(box: Box, name: str, shared: Mapping[str, str]) -> Doorway:
    if box.kind == "layer":
        return Doorway(shared={LAYER.key: shared[LAYER.key]})
    if box.kind in ("self-attention", "cross-attention"):
        return Doorway("heads", {"heads-view": "all heads"}, shared)
    if name in STEPS:
        step, of, matrix = STEPS[name]
        where = {"view": "six steps", "step": step, "matrix": matrix} | ({"of": of} if of else {})
        return Doorway("self-attention", {f"self-attention-{key}": value for key, value in where.items()}, shared)
    if name == "attn_out":
        return Doorway("heads", {"heads-view": "what each adds"}, shared)
    return Doorway("block", {}, shared)
