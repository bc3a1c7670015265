"""The settings for the attention that a view looks at, the same on every page: stack, layer and head."""

from collections.abc import Iterator

from core.limits import FILE_HEADS, FILE_LAYERS
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.widgets.setting import Control, Setting, Values, control

ATTENTION = Setting("attention", "Attention", "pills", "encoder", options=("encoder", "decoder", "cross"))
LAYER = Setting("layer", "Layer", "pills", "1", options=tuple(str(n) for n in range(1, FILE_LAYERS + 1)))
HEAD = Setting("head", "Head", "pills", "1", options=tuple(str(n) for n in range(1, FILE_HEADS + 1)))
PLACE = (ATTENTION, LAYER, HEAD)


def place_controls(
    run: Run, attention: bool = True, layer: bool = True, head: bool = True, stack: str = ""
) -> Iterator[Control]:
    """Yield the controls of attention (if the model has several kinds), layer and head.

    attention, layer, head: which of them to yield.
    stack: the stack whose layers can be chosen; "" for the deeper one.
    """
    config = run.config
    if attention and config.has_two_stacks:
        yield control(ATTENTION, "more")
    if layer:
        yield control(LAYER, "more", options=LAYER.options[: config.depth(stack) if stack else config.max_layers])
    if head:
        yield control(HEAD, "more", options=HEAD.options[: config.heads])


def place_of(run: Run, values: Values) -> HeadAddress:
    """Return the stack, layer and head that the controls choose."""
    config = run.config
    attention = values[ATTENTION] if config.has_two_stacks else config.stacks[0]
    cross = attention == "cross"
    stack = "decoder" if cross else attention
    return HeadAddress(stack, layer_of(run, values, stack), head_of(run, values), cross)


def layer_of(run: Run, values: Values, stack: str = "") -> int:
    """Return the chosen layer of a stack, from 0; the last layer if the stack has fewer.

    stack: "" for the deeper one.
    """
    return min(int(values[LAYER] or 1), run.config.depth(stack) if stack else run.config.max_layers) - 1


def head_of(run: Run, values: Values) -> int:
    """Return the chosen head, from 0; the last head if there are fewer."""
    return min(int(values[HEAD] or 1), run.config.heads) - 1


def head_picked(layer: int, head: int) -> dict[str, str]:
    """Return the values of settings that choose this layer and head (from 0)."""
    return {LAYER.key: str(layer + 1), HEAD.key: str(head + 1)}
