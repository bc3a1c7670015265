"""Views of many heads: those of one layer side by side and added up, and all layers at a glance."""

import numpy as np
import torch
from torch import Tensor

from core.analysis.aggregate import rollout
from core.analysis.heads import HEADS_COMPARED, ROWS_COMPARED, HeadTable, head_table, rows_compared, similarity
from core.model.attention import repeat_kv
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.heads.records import (
    MOST_NUMBERS,
    Behaviours,
    Contributions,
    Mixing,
    Overview,
    Patterns,
    Projections,
)
from core.topics.shared.glance import tiled
from core.topics.shared.places import (
    HeadAddress,
    attention_module,
    layer_keys,
    mask_of,
    to_numpy,
    token_rows,
    unpadded_length,
)
from core.tracing.run import Overflow, Run, execute, prepare

THUMB = 64


def patterns(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Patterns:
    """Return the attention weights of every head of one layer, with the run's own edits applied.

    >>> from core.topics.shared.open_run import open_run, run_of_model
    >>> run = run_of_model("storyteller", "the cat sat on the mat")
    >>> found = patterns(*open_run(run), run, HeadAddress("decoder", layer=3, head=0))
    >>> found.pattern.shape, [int(key) for key in found.pattern[0].argmax(-1)]  # it looks one token back
    ((8, 7, 7), [0, 0, 1, 2, 3, 4, 5])
    """
    inputs = prepare(run, tokenizer)
    key = place.prefix + "pattern"
    weights = to_numpy(execute(model, run, inputs, [key])[key][0])
    return Patterns(*token_rows(inputs, place), weights, mask_of(inputs, place), place.cross)


def projections(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Projections:
    """Return the queries, keys and values of every head of one layer, before any rotation.

    Heads of one group have the same keys and values.
    """
    inputs = prepare(run, tokenizer)
    keys = [place.prefix + site for site in ("q", "k", "v")]
    activations = execute(model, run, inputs, keys)
    heads = run.config.heads
    return Projections(*token_rows(inputs, place), *(to_numpy(repeat_kv(activations[key], heads)[0]) for key in keys))


def contributions(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Contributions:
    """Return the vector that each head of a layer adds to the stream, and how far their sum is from the layer's output.

    The layer's output comes from a separate run, which multiplies the concatenated heads by W_O in one product: if
    head_out is recorded, the model itself adds up the parts.
    """
    inputs = prepare(run, tokenizer)
    keys = {site: place.prefix + site for site in ("z", "head_out", "attn_out")}
    activations = execute(model, run, inputs, [keys["z"], keys["head_out"]])
    z, parts = to_numpy(activations[keys["z"]][0]), to_numpy(activations[keys["head_out"]][0])
    attn_out = to_numpy(execute(model, run, inputs, [keys["attn_out"]])[keys["attn_out"]][0])
    learned = attention_module(model, place).w_o.bias
    b_o = np.zeros(run.config.d_model, np.float32) if learned is None else to_numpy(learned)
    total = parts.sum(0, dtype=np.float64)
    lengths = np.linalg.norm(parts, axis=-1)  # (H, Q)
    return Contributions(
        token_rows(inputs, place)[0],
        z,
        mine=parts[place.head],
        others=(total - parts[place.head]).astype(np.float32),
        every=parts if parts.size <= MOST_NUMBERS else None,
        b_o=b_o,
        attn_out=attn_out,
        difference=float(np.abs(total + b_o - attn_out).max()),
        by_token=_shares(lengths),
        share=_shares(lengths.sum(-1)),
    )


def overview(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, size: int = THUMB) -> Overview:
    """Return a thumbnail of every head's pattern, at most size × size, with the largest weight of each tile.

    If the numbers overflow, the layers before the overflow are shown.
    """
    inputs = prepare(run, tokenizer)
    rows = token_rows(inputs, place)
    thumbs: list[Tensor] = []

    def keep(pattern: Tensor) -> Tensor:
        tiles, _ = tiled(pattern[0], size)
        thumbs.append(tiles.half())
        return tiles[:0]

    note = None
    try:
        execute(model, run, inputs, layer_keys(run, place, "pattern"), {"pattern": keep})
    except Overflow as overflow:
        if not thumbs:
            raise
        note = str(overflow)
    allowed, tile = tiled(torch.from_numpy(mask_of(inputs, place))[None].float(), size)
    return Overview(*rows, torch.stack(thumbs).cpu().numpy(), (allowed[0] == 0).numpy(), tile, note)


def behaviours(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Behaviours:
    """Describe how each head of the stack behaves on the text, and compare the heads with each other.

    Up to 63 heads are all compared with each other; with more, only those of the place's layer are. The attention of
    padding tokens is left out.
    """
    inputs = prepare(run, tokenizer)
    queries, keys = token_rows(inputs, place)
    written = unpadded_length(run, inputs, place.stack)
    chosen = rows_compared(written, ROWS_COMPARED)
    tables: list[HeadTable] = []

    def keep(pattern: Tensor) -> Tensor:
        text = pattern.clone()
        text[:, :, written:] = 0  # a row of zeros is left out of every mean
        tables.append(head_table(to_numpy(text), None if place.cross else queries.ids))
        return text[0, :, torch.from_numpy(chosen).to(text.device)]  # (H, rows, K)

    names = layer_keys(run, place, "pattern")
    every = len(names) * run.config.heads <= HEADS_COMPARED
    text_rows = execute(model, run, inputs, names, {"pattern": keep})
    layers = range(len(names)) if every else [place.layer]
    alike = similarity(np.stack([to_numpy(text_rows[names[layer]]) for layer in layers]))
    compared = tuple((layer, head) for layer in layers for head in range(run.config.heads))
    table, sampled = HeadTable.joined(tables), len(chosen) < written
    return Behaviours(queries, keys, table, compared, alike, len(chosen), sampled)


def compared_layer(run: Run, place: HeadAddress) -> int:
    """Return the layer on which the result of `behaviours` depends.

    It is the place's layer if there are too many heads to compare them all. Otherwise the result is the same for all
    layers, and 0 is returned.
    """
    return 0 if run.config.depth(place.stack) * run.config.heads <= HEADS_COMPARED else place.layer


def mixing(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, rolled: bool = False) -> Mixing:
    """Return the average over heads in every layer, or attention rollout (Abnar & Zuidema 2020) if `rolled`.

    ValueError for the rollout of cross-attention, whose queries and keys are different texts.
    """
    if rolled and place.cross:
        raise ValueError("Rollout follows one text through the layers; in cross-attention two texts meet.")
    inputs = prepare(run, tokenizer)
    names = layer_keys(run, place, "pattern")
    means = execute(model, run, inputs, names, {"pattern": lambda pattern: pattern[0].float().mean(0, keepdim=True)})
    layers = np.stack([to_numpy(means[name]) for name in names])  # (N, 1, Q, K)
    mixed = rollout(layers, run.config.residual) if rolled else layers[:, 0]
    allowed = mask_of(inputs, place)
    return Mixing(*token_rows(inputs, place), mixed, allowed | rolled, place.cross)


def _shares(lengths: np.ndarray) -> np.ndarray:
    """Divide by the sum over the heads, the first axis; 0 if that sum is 0."""
    total = lengths.sum(0)
    return np.divide(lengths, total, out=np.zeros_like(lengths), where=total > 0)
