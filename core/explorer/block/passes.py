"""One pass through a model, kept, and passes of changed models that begin where they differ from it."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from core.explorer.block.variants import changed_model, changed_site
from core.model.transformer import Masks, Transformer
from core.tracing.edits import Edit
from core.tracing.taps import RecordingTap
from core.tracing.trace import trace


@dataclass(frozen=True, eq=False)
class CachedPass:
    """What one pass made of texts (B texts). source (B, S), target (B, L): ids of the stacks that there are. stack:
    whose streams are kept: (B, L, D) before its first block and behind each. finals: what each stack puts out.
    Raises nothing: numbers that overflow are infinite or no numbers."""

    source: Tensor | None
    target: Tensor | None
    masks: Masks
    stack: str
    streams: tuple[Tensor, ...]
    finals: Mapping[str, Tensor]

    @property
    def output(self) -> Tensor:
        """(B, L, D) of the last stack."""
        return self.finals["decoder" if self.target is not None else "encoder"]


def keep_pass(
    model: Transformer,
    source: Tensor | None,
    target: Tensor | None,
    masks: Masks,
    stack: str,
    edits: tuple[Edit, ...] = (),
) -> CachedPass:
    """A whole pass, from the first layer to the last."""
    ends = [f"{each}.final" for each in model.config.stacks]
    streams = [f"{stack}.0.resid_pre", *(f"{stack}.{layer}.resid_post" for layer in range(model.config.depth(stack)))]
    seen = trace(model, source, target, masks, record=[*streams, *ends], edits=edits)
    finals = {each: seen[f"{each}.final"] for each in model.config.stacks}
    return CachedPass(source, target, masks, stack, tuple(seen[key] for key in streams), finals)


def changed_pass(model: Transformer, kept: CachedPass, name: str) -> CachedPass:
    """The same texts through the variant of this name (one of `VARIANTS`; a layer is one of the kept pass's stack).

    A part that is gone in one layer changes nothing before it: the pass begins there.
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
