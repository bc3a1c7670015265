"""What silencing a head changes downstream."""

from dataclasses import replace

import numpy as np
import torch
import torch.nn.functional as F

from core.edits import Edit
from core.explorer.places import layer_keys, to_numpy
from core.explorer.records import Ablation, Place
from core.model.transformer import Transformer
from core.run import Run, execute, prepare
from core.text import Tokenizer
from core.trace import Trace


def ablate(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place, edits: tuple[Edit, ...]) -> Ablation:
    """The same run with and without `edits` (silenced heads, say), and what moved downstream."""
    inputs = prepare(run, tokenizer)
    patterns = layer_keys(run, place, "pattern")
    streams = layer_keys(run, replace(place, cross=False), "resid_post")
    final = f"{place.stack}.final"
    record = [*patterns, *streams, final]
    before = execute(model, run, inputs, record, edits=())
    after = execute(model, run, inputs, record, edits=edits)
    per_head = [(before[name][0] - after[name][0]).abs().sum(-1).mean(-1) / 2 for name in patterns]
    per_layer = [(after[name] - before[name]).norm() / before[name].norm() for name in streams]
    moved = (after[final] - before[final])[0].norm(dim=-1) / before[final][0].norm(dim=-1)
    return Ablation(
        inputs.rows[place.stack],
        tuple((int(edit.key.split(".")[1]), edit.head or 0) for edit in edits),
        per_layer=to_numpy(torch.stack(per_layer)),
        per_token=to_numpy(moved),
        per_head=to_numpy(torch.stack(per_head)),
        surprise=_divergence(before, after) if "decoder" in run.config.stacks else None,
    )


def _divergence(before: Trace, after: Trace) -> np.ndarray:
    """(L,) KL(before ‖ after) of the next-token distributions, in bits."""
    first, second = (run.output[0].float().log_softmax(-1) for run in (before, after))
    return to_numpy(F.kl_div(second, first, reduction="none", log_target=True).sum(-1)) / np.log(2)
