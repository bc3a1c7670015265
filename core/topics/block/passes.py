"""A recorded pass through a model, and passes of changed models that start where they first differ from it."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.model.transformer import Masks, Transformer
from core.topics.block.variants import changed_model, changed_site
from core.tracing.edits import Edit
from core.tracing.taps import RecordingTap
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
    ends = [f"{each}.final" for each in model.config.stacks]
    streams = [f"{stack}.0.resid_pre", *(f"{stack}.{layer}.resid_post" for layer in range(model.config.depth(stack)))]
    seen = trace(model, source, target, masks, record=[*streams, *ends], edits=edits)
    finals = {each: seen[f"{each}.final"] for each in model.config.stacks}
    return CachedPass(source, target, masks, stack, tuple(seen[key] for key in streams), finals)


def changed_pass(model: Transformer, kept: CachedPass, name: str) -> CachedPass:
    """Run the texts of a stored pass through a variant of the model.

    name: one of `VARIANTS`; a layer in it is a layer of the stored pass's stack.

    If the variant changes only one layer, nothing before that layer changes, so the pass starts there.
    """
    site = changed_site(name)
    if site is None:
        other, edits = changed_model(model, kept.stack, name)
        return keep_pass(other, kept.source, kept.target, kept.masks, kept.stack, edits)
    layer, part = site
    streams, finals = list(kept.streams[: layer + 1]), dict(kept.finals)
    tap = RecordingTap((), [Edit(f"{kept.stack}.{layer}.{part}", "zero")] if part else [])
    memory = finals["encoder"] if kept.stack == "decoder" and len(finals) == 2 else None
    cross = kept.masks.cross if kept.stack == "decoder" else None
    with torch.inference_mode():
        for number, block in list(enumerate(getattr(model, kept.stack)))[layer:]:
            gone, x, mask = number == layer and not part, streams[-1], getattr(kept.masks, kept.stack)
            there, inner = tap.scope(kept.stack).scope(str(number)), model.inner_positions(kept.stack, 0, x.shape[1], x)
            streams.append(x if gone else block(x, mask, memory, cross, there, inner=inner))
        final = finals[kept.stack] = getattr(model, f"{kept.stack}_norm")(streams[-1])
        if kept.stack == "encoder" and kept.target is not None:
            finals["decoder"] = model.run_stack("decoder", kept.target, kept.masks.decoder, final, kept.masks.cross)
    return CachedPass(kept.source, kept.target, kept.masks, kept.stack, tuple(streams), finals)
