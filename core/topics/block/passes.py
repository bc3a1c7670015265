"""A recorded pass through a model, and passes of changed models that start where they first differ from it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.model.transformer import Masks, Transformer
from core.topics.block.variants import changed_model, changed_site
from core.tracing.edits import Edit
from core.tracing.trace import trace


@dataclass(frozen=True, eq=False)
class CachedPass:
    """A recorded pass through a model on B texts.

    source (B, S), target (B, L): token ids; None for a stack that the model lacks.
    stack: the stack whose streams are kept.
    streams: its stream (B, L, D) before the first block and after each block.
    finals: the output of each stack.

    Overflow raises no error: the numbers are then infinite or NaN.
    """

    source: Tensor | None
    target: Tensor | None
    masks: Masks
    stack: str
    streams: tuple[Tensor, ...]
    finals: Mapping[str, Tensor]

    @property
    def output(self) -> Tensor:
        """The output (B, L, D) of the last stack."""
        return self.finals["decoder" if self.target is not None else "encoder"]


def keep_pass(
    model: Transformer,
    source: Tensor | None,
    target: Tensor | None,
    masks: Masks,
    stack: str,
    edits: tuple[Edit, ...] = (),
) -> CachedPass:
    """Run a whole pass, from the first layer to the last, and store its streams and outputs.

    source (B, S), target (B, L): token ids; None for a stack that the model lacks.
    stack: the stack whose streams are stored.
    edits: changes of activations during the pass.
    """
    ends = [f"{name}.final" for name in model.config.stacks]
    streams = [f"{stack}.0.resid_pre", *_after_blocks(model, stack)]
    activations = trace(model, source, target, masks, record=[*streams, *ends], edits=edits)
    finals = {name: activations[f"{name}.final"] for name in model.config.stacks}
    return CachedPass(source, target, masks, stack, tuple(activations[key] for key in streams), finals)


def changed_pass(model: Transformer, stored_pass: CachedPass, name: str) -> CachedPass:
    """Run the texts of a stored pass through a variant of the model.

    name: one of `VARIANTS`; a layer in it is a layer of the stored pass's stack.

    If the variant changes only one layer, nothing before that layer changes, so the pass starts there.
    """
    variant, edits = changed_model(model, stored_pass.stack, name)
    site = changed_site(name)
    if site is None:
        return keep_pass(variant, stored_pass.source, stored_pass.target, stored_pass.masks, stored_pass.stack, edits)
    stack, masks, finals, (layer, part) = stored_pass.stack, stored_pass.masks, dict(stored_pass.finals), site
    before = stored_pass.streams[: layer + 1]
    if not part:  # the block that is taken away hands on its input
        before, edits = (*before, before[-1]), ()
    first = len(before) - 1
    after = _after_blocks(model, stack, first)
    memory = finals.get("encoder") if stack == "decoder" else None
    inputs = before[-1], getattr(masks, stack), memory, masks.cross
    rerun = trace(model.run_blocks, stack, *inputs, record=after, edits=edits, first=first)
    finals[stack] = rerun.output
    if stack == "encoder" and stored_pass.target is not None:
        with torch.inference_mode():
            finals["decoder"] = model.run_stack("decoder", stored_pass.target, masks.decoder, rerun.output, masks.cross)
    return replace(stored_pass, streams=(*before, *(rerun[key] for key in after)), finals=finals)


def _after_blocks(model: Transformer, stack: str, first: int = 0) -> list[str]:
    """Return the keys of the stream after each block of a stack, from the block numbered `first`."""
    return [f"{stack}.{layer}.resid_post" for layer in range(first, model.config.depth(stack))]
