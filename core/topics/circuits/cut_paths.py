"""What really changes in a model's logits when one path between two heads is cut, and an estimate of it for all paths.

The truth is path patching: the later head's queries, keys or values are made anew as if the earlier head had written
nothing, and all that follows is computed again (Goldowsky-Dill et al. 2023). The estimate is attribution patching: the
change of the queries, keys or values times the gradient there, one backward pass for all paths (Syed et al. 2023,
"Attribution patching outperforms automated circuit discovery").
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import exact
from core.topics.circuits.edges import INPUTS, LETTERS, AttentionInput, attention_inputs, record_heads, stack_heads
from core.topics.shared.places import HeadAddress, attention_module
from core.tracing.edits import Edit
from core.tracing.gradients import gradients
from core.tracing.run import Inputs, Run, execute, prepare
from core.tracing.taps import RecordingTap

TOGETHER = 64  # paths that are cut in one pass, each in a copy of the text


def cut_into(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    token: int,
    ids: Sequence[int],
    place: HeadAddress,
    entry: str,
) -> np.ndarray:
    """Return how the logits at a token change when a path into an attention is cut, one path at a time.

    ids: the C pieces whose logits are compared.
    place: the attention, with head 0.
    entry: of `INPUTS`, what the path leads into.

    Returns (H, S, C + 1): by the head that reads and the earlier head, all heads before this attention; the last column
    is the change of the mean logit of all pieces. Heads that share keys and values lose the path together.
    """
    inputs = prepare(run, tokenizer)
    activations = record_heads(model, run, inputs, stack)
    reading = next(each for each in attention_inputs(model, run, stack, activations) if each.place == place)
    if not len(reading.parts) or (place.cross and entry != "query"):
        return np.zeros((run.config.heads, len(reading.parts), len(ids) + 1))
    changes, letter = _changes(model, reading, entry), LETTERS[INPUTS.index(entry)]  # changes (N, S, L, E)
    number, senders = changes.shape[:2]
    flat = changes.flatten(0, 1)
    found = []
    for start in range(0, len(flat), TOGETHER):
        chosen = range(start, min(start + TOGETHER, len(flat)))
        edited = flat.new_zeros(len(chosen), number, *flat.shape[1:])
        edited[range(len(chosen)), [path // senders for path in chosen]] = flat[chosen.start : chosen.stop]
        found.append(_logits(model, run, inputs, place, activations, letter, edited, token, ids))
    whole = _logits(model, run, inputs, place, activations, letter, torch.zeros_like(edited[:1]), token, ids)
    cut = (torch.cat(found) - whole).unflatten(0, (number, senders)).numpy()
    groups = [run.config.kv_head_of(head) for head in range(run.config.heads)]
    return cut if entry == "query" else cut[groups]


def estimated_cuts(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    stack: str,
    token: int,
    piece: int,
    against: int | None,
) -> np.ndarray:
    """Return an estimate of how a piece's logit changes, compared with another, when each path is cut.

    against: the other piece; None compares with the mean of all, −1 with nothing.

    Returns (3, S, S): by input (`INPUTS`), by the head that reads, and by the head that wrote.
    """
    inputs = prepare(run, tokenizer)
    heads = stack_heads(run, stack)
    activations = record_heads(model, run, inputs, stack)
    slopes = _slopes(model, run, inputs, stack, token, piece, against)
    found = np.zeros((3, len(heads), len(heads)))
    groups = [run.config.kv_head_of(head) for head in range(run.config.heads)]
    for reading in attention_inputs(model, run, stack, activations):
        first = heads.index(reading.place)
        for index, entry in enumerate(INPUTS[:1] if reading.place.cross else INPUTS):
            slope = exact(slopes[reading.place.prefix + LETTERS[index]][0])  # (N, L, E)
            estimate = (_changes(model, reading, entry) * slope[:, None]).sum((-2, -1)).numpy()  # (N, S)
            rows = estimate if entry == "query" else estimate[groups]
            found[index, first : first + len(rows), : rows.shape[1]] = rows
    return found


def _slopes(
    model: Transformer, run: Run, inputs: Inputs, stack: str, token: int, piece: int, against: int | None
) -> dict[str, Tensor]:
    """Return the gradient of a piece's logit, compared with another, at the queries, keys and values of all heads."""
    keys = sorted({f"{head.prefix}{letter}" for head in stack_heads(run, stack) for letter in LETTERS})

    def compared(output: Tensor) -> Tensor:
        logits = output[0, token] if "decoder" in run.config.stacks else model.logits(output[:, token])[0]
        return logits[piece] - (0.0 if against == -1 else logits.mean() if against is None else logits[against])

    device = run.placement.device
    ids = inputs.ids("encoder", device), inputs.ids("decoder", device)
    return dict(gradients(model, *ids, inputs.masks, of=compared, at=keys, edits=run.edits))


def _changes(model: Transformer, reading: AttentionInput, entry: str) -> Tensor:
    """Return how queries, keys or values change if one path is cut, (N, S, L, E); N: heads, or heads of keys."""
    attn = attention_module(model, reading.place)
    linear = getattr(attn, f"w_{LETTERS[INPUTS.index(entry)]}")
    number = attn.config.heads if entry == "query" else attn.config.n_kv_heads
    weight = exact(linear.weight).unflatten(0, (number, -1))  # (N, E, D)
    return torch.einsum("sld,ned->nsle", reading.without - reading.read, weight)


def _logits(
    model: Transformer,
    run: Run,
    inputs: Inputs,
    place: HeadAddress,
    activations: dict[str, Tensor],
    letter: str,
    changes: Tensor,
    token: int,
    ids: Sequence[int],
) -> Tensor:
    """Return the logits (B, C + 1) at a token when changes (B, N, L, E) are added at one place of an attention."""
    stack, weight = place.stack, model.embed.weight
    x = activations[f"{stack}.{place.layer}.resid_pre"].to(weight).expand(len(changes), -1, -1)
    memory = None
    if run.config.has_two_stacks and stack == "decoder":
        memory = execute(model, run, inputs, ["encoder.final"])["encoder.final"].expand(len(changes), -1, -1)
    edits = (*run.edits, Edit(f"{place.prefix}{letter}", "add", changes.to(weight)))
    masks, tap = inputs.masks, RecordingTap(edits=edits)
    with torch.inference_mode():
        mask = masks.encoder if stack == "encoder" else masks.decoder
        final = model.run_blocks(stack, x, mask, memory, masks.cross, tap, first=place.layer)
        logits = exact(model.logits(final[:, token]))
    return torch.cat([logits[:, list(ids)], logits.mean(-1, keepdim=True)], dim=-1)
