"""What silencing a head changes downstream."""

from dataclasses import replace
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.edits import Edit
from core.explorer.head_records import Ablation
from core.explorer.places import layer_keys, to_numpy
from core.explorer.records import Place
from core.model.transformer import Transformer
from core.run import Run, execute, prepare
from core.text import Tokenizer

LIKELIEST = 8


def ablate(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place, edits: tuple[Edit, ...]) -> Ablation:
    """The same run with and without `edits` (silenced heads, say), and what moved downstream."""
    inputs = prepare(run, tokenizer)
    patterns = layer_keys(run, place, "pattern")
    streams = layer_keys(run, replace(place, cross=False), "resid_post")
    final = f"{place.stack}.final"
    record = [*patterns, *streams, final]
    before = execute(model, run, inputs, record, edits=())
    compare = {name: partial(_variation, before[name]) for name in patterns}
    after = execute(model, run, inputs, record, compare, edits)
    predicts = "decoder" in run.config.stacks
    first, second = (result.output[0].float() for result in (before, after))
    return Ablation(
        inputs.rows[place.stack],
        per_layer=np.array([float(_moved(before[name].flatten(), after[name].flatten())) for name in streams]),
        per_token=to_numpy(_moved(before[final][0], after[final][0])),
        per_head=to_numpy(torch.stack([after[name] for name in patterns])),
        surprise=_divergence(first, second) if predicts else None,
        next_pieces=_next_pieces(first[-1], second[-1], tokenizer) if predicts else (),
    )


def _variation(before: Tensor, after: Tensor) -> Tensor:
    """(H,) total variation between two patterns (1, H, Q, K): half of what changed in a row, averaged over rows."""
    return (before[0] - after[0]).float().abs().sum(-1).mean(-1) / 2


def _moved(before: Tensor, after: Tensor) -> Tensor:
    """‖after − before‖ / ‖before‖ along the last axis; 0 where both are zero vectors."""
    change = (after.float() - before.float()).norm(dim=-1)
    return torch.where(change > 0, change / before.float().norm(dim=-1), change)


def _divergence(before: Tensor, after: Tensor) -> np.ndarray:
    """(L,) KL(before ‖ after) of the next-token distributions whose logits (L, V) these are, in bits."""
    first, second = before.log_softmax(-1), after.log_softmax(-1)
    bits = F.kl_div(second, first, reduction="none", log_target=True).sum(-1) / np.log(2)
    return to_numpy(bits.clamp(min=0))


def _next_pieces(before: Tensor, after: Tensor, tokenizer: Tokenizer) -> tuple[tuple[str, float, float], ...]:
    """The likeliest pieces before the change, with both probabilities. Logits (V,)."""
    likely = before.softmax(-1).topk(LIKELIEST)
    changed = after.softmax(-1)[likely.indices]
    labels = tokenizer.labels(likely.indices.tolist())
    return tuple(zip(labels, likely.values.tolist(), changed.tolist(), strict=True))
