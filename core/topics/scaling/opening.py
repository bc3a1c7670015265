"""The default head and cell of the page on scores: those in which dividing by √d_k changes most."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from core.analysis.heads import effective_keys
from core.model.attention import apply_mask, masked_softmax
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.scaling.comparison import Scored
from core.topics.shared.places import HeadAddress, layer_keys, mask_of, require_no_sink, to_numpy
from core.tracing.run import Run, execute, prepare


def scaled_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadAddress:
    """Return the head whose effective number of keys grows most, on average, by dividing its scores by √d_k.

    All heads of the place's stack and kind of attention are compared. Raises ValueError as `require_no_sink` does.
    """
    require_no_sink(run)
    inputs = prepare(run, tokenizer)
    mask = torch.from_numpy(mask_of(inputs, place)).to(run.placement.device)
    scale = run.config.key_width**-0.5
    growth: list[np.ndarray] = []

    def keep(raw: Tensor) -> Tensor:
        scaled, plain = (masked_softmax(apply_mask(raw.float() * factor, mask), mask)[0] for factor in (scale, 1.0))
        growth.append(_more_keys(to_numpy(plain), to_numpy(scaled)).mean(-1))  # (H,)
        return raw[:, :, :1, :1]

    execute(model, run, inputs, layer_keys(run, place, "raw_scores"), {"raw_scores": keep})
    layer, head = np.unravel_index(int(np.stack(growth).argmax()), (len(growth), len(growth[0])))
    return replace(place, layer=int(layer), head=int(head))


def scaled_cell(scored: Sequence[Scored]) -> tuple[int, int]:
    """Return the query whose effective number of keys grows most by scaling, and its strongest key without scaling.

    The first of several queries is never chosen.
    """
    plain, scaled = (next(result.pattern for result in scored if result.kind == kind) for kind in ("dot", "scaled_dot"))
    more = _more_keys(plain, scaled)
    row = 1 + int(more[1:].argmax()) if len(more) > 1 else 0
    return row, int(plain[row].argmax())


def _more_keys(plain: np.ndarray, scaled: np.ndarray) -> np.ndarray:
    """Return how many more effective keys each query has with scaling, (..., Q), from patterns (..., Q, K)."""
    return effective_keys(scaled) - effective_keys(plain)
