"""The parts that several families share: their words for activations, and their options for rotary positions."""

from collections.abc import Sequence
from typing import Any

from core.checkpoints.real.options import Options
from core.model.rotary_scaling import RotaryScaling

# Heads for other tasks, and the value head of reinforcement learning with trl, which nothing here reads.
OTHER_HEADS = r"(score|classifier|qa_outputs|multiple_choice_head|v_head)\..*"
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_fast": "gelu_tanh",
    "gelu_new": "gelu_tanh",
    "gelu_python": "gelu",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}
GATES = {
    "gelu": "geglu",
    "gelu_new": "geglu_tanh",
    "gelu_pytorch_tanh": "geglu_tanh",
    "silu": "swiglu",
    "swish": "swiglu",
}

KINDS_OF_LAYER = {"full_attention": False, "sliding_attention": True}


def sliding_layers(options: Options, usual: Sequence[bool]) -> Sequence[bool]:
    """Return for each layer whether its attention has a window.

    usual: what holds if the options do not say.
    """
    kinds = options.texts("layer_types")
    if kinds is None:
        return usual
    if len(kinds) != len(usual) or not set(kinds) <= set(KINDS_OF_LAYER):
        raise ValueError(f"config.json: layer_types must be {len(usual)} of {', '.join(KINDS_OF_LAYER)}.")
    return [KINDS_OF_LAYER[kind] for kind in kinds]


def rotary_fields(options: Options, head_width: int, base: str = "rope_theta", share: str = "") -> dict[str, Any]:
    """Return the config fields for rotary positions whose pairs take one number from each half of a head.

    base: the older name of the option for the base.
    share: the older name of the option for the share of a head's numbers that are rotated; "" if all are.
    """
    theta = options.number(base, 10000.0)
    turned = options.number(share, 0.25, max_value=1.0) if share else 1.0
    old, new = options.part("rope_scaling"), options.part("rope_parameters")
    rope = old or new  # the older one counts if both are there, as in transformers
    scaling = None
    if rope is not None:
        theta = rope.number("rope_theta", theta)
        if share:
            turned = rope.number("partial_rotary_factor", turned, max_value=1.0)
        else:
            rope.fixed("partial_rotary_factor", 1.0, 1)
        scaling = _scaling(rope, _trained_length(options, rope))
        rope.finish_part()
    return {
        "positions": "rotary",
        "position_base": theta,
        "rotary_pairs": "halves",
        "rotary_width": int(head_width * turned) if share else None,
        "rotary_scaling": scaling,
    }


def _trained_length(options: Options, rope: Options) -> int:
    """Return the length of the texts before the positions were scaled; as in transformers, the outer option counts."""
    name, length = "original_max_position_embeddings", options.whole("max_position_embeddings")
    return options.whole(name, rope.whole(name, length))


def _scaling(rope: Options, trained_length: int) -> RotaryScaling | None:
    """Return the scaling of rotary positions; None for default and dynamic scaling.

    Dynamic scaling changes nothing up to the length of training, and no text here is longer.

    trained_length: the length of the texts before the positions were scaled.
    """
    kinds = {kind: kind for kind in ("default", "linear", "dynamic", "llama3")}
    kind = rope.choice("type", "default", kinds)
    kind = rope.choice("rope_type", kind, kinds)
    if kind == "linear":
        return RotaryScaling("linear", rope.number("factor"))
    if kind == "llama3":
        low, high = rope.number("low_freq_factor", 1.0), rope.number("high_freq_factor", 4.0)
        return RotaryScaling("llama3", rope.number("factor"), low, high, trained_length)
    rope.unused(("factor",))
    return None
