"""One text through all the stages of one block, cut to windows small enough to draw."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.journey.records import Journey, Stage
from core.topics.shared.places import HeadAddress, mask_of, memory_key, to_numpy, token_rows
from core.tracing.run import Run, execute, prepare
from core.tracing.sites import head_at, keys_of, parse
from core.tracing.taps import Reduce
from core.tracing.trace import Trace

MAX_ROWS, MAX_COLUMNS, SHOWN_GUESSES = 48, 64, 10
ENDS = ("embed", "pos", "types", "final")
PROJECTED = ("attn_in", "q", "k", "v", "q_normed", "k_normed", "q_rotated", "k_rotated")
ATTENTION = (*PROJECTED, "raw_scores", "scores", "masked_scores", "pattern", "z", "attn_out", "resid_mid")
BLOCK = ("ffn_in", "ffn_hidden", "ffn_out", "resid_post")


def journey(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Journey:
    """Return every stage of one text through block `place.layer` of `place.stack`, with one head in close-up.

    Stages keep at most 48 rows and 64 columns (48 if columns are keys) of their tensor, and its whole shape. Sites with
    a head axis are shown for head `place.head`; "patterns" holds the weights of all heads of the layer.
    """
    inputs = prepare(run, tokenizer)
    keys = stage_keys(run, place)
    shapes: dict[str, tuple[int, ...]] = {}
    windows = {
        key: _window(key, head_at(run.config, key, place.head), shapes)
        for name, key in keys.items()
        if name != "pattern"
    }
    activations = execute(model, run, inputs, set(keys.values()), windows)
    patterns = activations[keys["pattern"]][0]
    queries, key_tokens = token_rows(inputs, place)
    shapes[keys["pattern"]] = tuple(patterns.shape[1:])
    cut = to_numpy(patterns[:, :MAX_ROWS, :MAX_ROWS]).copy()
    stages = {
        name: _stage(key, cut[place.head] if name == "pattern" else to_numpy(activations[key]), shapes[key])
        for name, key in keys.items()
    }
    last = len(queries) - 1 - (run.pads if place.stack == run.config.stacks[0] else 0)
    expected = _next(activations, tokenizer, last) if place.stack == "decoder" else ()
    weights = to_numpy(patterns[place.head]).copy()
    mask = mask_of(inputs, place)
    hidden, empty = int((~mask).sum()), int((~mask.any(1)).sum())
    return Journey(place, queries, key_tokens, stages, cut, hidden, empty, weights, last, expected)


def stage_keys(run: Run, place: HeadAddress) -> Mapping[str, str]:
    """Return the key of every stage that a run of this config passes, by its name."""
    block = replace(place, cross=False).prefix
    keys = {name: f"{place.stack}.{name}" for name in ENDS}
    keys |= {"entered": f"{place.stack}.0.resid_pre"}
    keys |= {"stream": block + ("resid_mid" if place.cross else "resid_pre")}
    keys |= {name: place.prefix + name for name in ATTENTION}
    keys |= {name: block + name for name in BLOCK}
    keys |= {"memory": memory_key(place)} if place.cross else {}
    passed = {key for key, _ in keys_of(run.config)}
    return {name: key for name, key in keys.items() if key in passed}


def _window(key: str, head: int, shapes: dict[str, tuple[int, ...]]) -> Reduce:
    """Return the function that cuts the tensor at `key`; it writes the whole shape into `shapes`."""
    axes = parse(key)[3].axes

    def keep(tensor: Tensor) -> Tensor:
        matrix = tensor[0, head] if axes[1] in ("H", "G") else tensor[0]
        shapes[key] = tuple(matrix.shape)
        return matrix[:MAX_ROWS, : MAX_ROWS if axes[-1] == "K" else MAX_COLUMNS].clone()

    return keep


def _stage(key: str, window: np.ndarray, shape: tuple[int, ...]) -> Stage:
    site = parse(key)[3]
    return Stage(key, window, shape, site.axes[-2:], site.sentence)


def _next(activations: Trace, tokenizer: AnyTokenizer, last: int) -> tuple[tuple[str, float], ...]:
    """Return the likeliest pieces after token `last`, with their probabilities."""
    probabilities = torch.softmax(activations.output[0, last].float(), -1)
    best = probabilities.topk(min(SHOWN_GUESSES, len(probabilities)))
    pieces = tokenizer.labels(best.indices.tolist())
    return tuple(zip(pieces, best.values.tolist(), strict=True))
