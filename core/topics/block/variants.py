"""The same weights in a changed model: without residual connections or norms, without a part, or without a layer."""

from dataclasses import replace
from typing import Any

from torch import Tensor

from core.limits import FILE_LAYERS
from core.model.config import TransformerConfig
from core.model.transformer import Transformer
from core.topics.shared.loading import with_config
from core.tracing.edits import Edit

CONFIGS: dict[str, dict[str, Any]] = {
    "no residuals": {"residual": False},
    "no norms": {"norm_position": "none"},
    "post-norm": {"norm_position": "post"},
    "pre-norm": {"norm_position": "pre"},
}
PARTS = {"no attention": "attn_out", "no cross-attention": "cross.attn_out", "no feed-forward": "ffn_out"}
CROSS = "no cross-attention"
NO_LAYER = "no layer"
VARIANTS = (
    *CONFIGS,
    *PARTS,
    *(f"{name} {layer + 1}" for name in (*PARTS, NO_LAYER) for layer in range(FILE_LAYERS)),
)


def variants_of(config: TransformerConfig, stack: str, layer: int) -> tuple[str, ...]:
    """Return the names of the variants that such a model can have.

    Those that act in all layers come first, then those in one layer (from 0) of a stack, then the removal of each layer
    of that stack.
    """
    crosses = config.has_two_stacks
    turned = {"pre": ["no norms", "post-norm"], "post": ["no norms", "pre-norm"], "none": []}[config.norm_position]
    if config.parallel_residual:  # parts that read the same vector are summed on the stream, with no norm after the sum
        turned = [name for name in turned if name != "post-norm"]
    parts = [part for part in PARTS if part != CROSS or crosses]
    if not config.hidden_width:
        parts.remove("no feed-forward")
    here = [part for part in parts if part != CROSS or stack == "decoder"]
    return (
        *(["no residuals"] if config.residual and not config.parallel_residual else []),
        *turned,
        *parts,
        *(f"{part} {layer + 1}" for part in here if config.depth(stack) > 1),
        *(f"{NO_LAYER} {number + 1}" for number in range(config.depth(stack))),
    )


def changed_model(model: Transformer, stack: str, name: str) -> tuple[Transformer, tuple[Edit, ...]]:
    """Return a model with the same weights, not copied, and the edits that make it the variant of this name.

    Residual connections and norms change in all stacks; a norm after the last block stays. A layer in the name is a
    layer of `stack`.
    """
    if name in CONFIGS:
        config = replace(model.config, final_norm=model.config.ends_with_norm, **CONFIGS[name])
        return with_config(model, config), ()
    config = model.config
    if name in PARTS:
        site = PARTS[name]
        stacks = ["decoder"] if site.startswith("cross.") else config.stacks
        return model, tuple(
            Edit(f"{part_stack}.{n}.{site}", "zero") for part_stack in stacks for n in range(config.depth(part_stack))
        )
    kind, _, number = name.rpartition(" ")
    layer = f"{stack}.{int(number) - 1}"
    return model, (skipping(layer) if kind == NO_LAYER else (Edit(f"{layer}.{PARTS[kind]}", "zero"),))


def changed_site(name: str) -> tuple[int, str] | None:
    """Return the layer (from 0) and the site of the removed part of a variant that changes one layer.

    The site is "" if the whole layer is removed. None if all layers change.
    """
    kind, _, number = name.rpartition(" ")
    return (int(number) - 1, PARTS.get(kind, "")) if number.isdecimal() else None


def skipping(layer: str) -> tuple[Edit, Edit]:
    """Return the edits that make a layer, such as "decoder.2", return its input unchanged.

    The edits store that input between them: use them for one run at a time.
    """
    came: list[Tensor] = []

    def keep(x: Tensor) -> Tensor:
        came[:] = [x]
        return x

    def hand_on(x: Tensor) -> Tensor:
        return came[0]

    return Edit(f"{layer}.resid_pre", "replace", keep), Edit(f"{layer}.resid_post", "replace", hand_on)
