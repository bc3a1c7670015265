"""Drawing the next token: the filters in their order, and a random number determined by the seed and the position."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
import torch
from torch import Tensor

from core.decoding import filters
from core.decoding.filters import without

STAGES = ("logits", "repetition penalty", "temperature", "top-k", "top-p", "min-p")


@dataclass(frozen=True)
class Sampling:
    """The settings by which a token is chosen.

    A temperature of 0 takes the likeliest token. top_k 0, top_p 1, min_p 0 and a repetition penalty of 1 are off.

    Raises ValueError, which names the value and its range, for a setting out of range.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not (isfinite(self.temperature) and self.temperature >= 0):
            raise ValueError(f"the temperature must be 0 or more, not {self.temperature}")
        if self.top_k < 0:
            raise ValueError(f"top-k must be 0 (off) or more, not {self.top_k}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top-p must be above 0 and at most 1, not {self.top_p}")
        if not 0 <= self.min_p <= 1:
            raise ValueError(f"min-p must be from 0 to 1, not {self.min_p}")
        if not (isfinite(self.repetition_penalty) and self.repetition_penalty > 0):
            raise ValueError(f"the repetition penalty must be above 0, not {self.repetition_penalty}")
        if self.seed < 0:
            raise ValueError(f"the seed must be 0 or more, not {self.seed}")

    @property
    def greedy(self) -> bool:
        return self.temperature == 0


GREEDY = Sampling(temperature=0.0)


def stages(
    logits: Tensor, seen: Tensor, sampling: Sampling, withheld: Sequence[Sequence[int]] | None = None
) -> list[Tensor]:
    """Return the logits (…, V) after each of `STAGES`, in float32; the first are the model's own.

    At a temperature of 0, only the likeliest token is left, from the temperature's stage on.

    seen: (…, V) booleans, whether the text already contains each token.
    withheld: for each row of logits (N, V), the tokens with which its text may not go on. The last stage removes them;
        if it leaves none, all stages are repeated without them.
    """
    stage_logits = _filtered(logits, seen, sampling)
    if withheld is None:
        return stage_logits
    left = without(stage_logits[-1], withheld)
    if bool((left == filters.REMOVED).all(-1).any()):
        others = _filtered(without(stage_logits[0], withheld), seen, sampling)[-1]
        left = torch.where((left == filters.REMOVED).all(-1, keepdim=True), others, left)
    return [*stage_logits[:-1], left]


def _filtered(logits: Tensor, seen: Tensor, sampling: Sampling) -> list[Tensor]:
    stage_logits = [logits.float()]
    stage_logits.append(filters.repetition_penalty(stage_logits[-1], seen, sampling.repetition_penalty))
    stage_logits.append(
        filters.top_k(stage_logits[-1], 1)
        if sampling.greedy
        else filters.temperature(stage_logits[-1], sampling.temperature)
    )
    stage_logits.append(filters.top_k(stage_logits[-1], sampling.top_k) if sampling.top_k else stage_logits[-1])
    stage_logits.append(filters.top_p(stage_logits[-1], sampling.top_p))
    stage_logits.append(filters.min_p(stage_logits[-1], sampling.min_p))
    return stage_logits


def seen_tokens(ids: Tensor, vocab_size: int) -> Tensor:
    """Return (…, V) booleans: whether each token of the vocabulary occurs in the texts (…, L)."""
    seen = torch.zeros(*ids.shape[:-1], vocab_size, dtype=torch.bool, device=ids.device)
    return seen.scatter_(-1, ids, True)


def uniform(seed: int, sample: int, number: int) -> float:
    """Return the random number in [0, 1) for token `number` of one sample; it does not depend on the tokens before."""
    return float(np.random.default_rng((seed, sample, number)).random())


def draw(probabilities: Tensor, number: float) -> int:
    """Return the token that a number in [0, 1) picks if the probabilities (V,) are laid end to end, largest first."""
    ordered = probabilities.double().sort(descending=True, stable=True)
    edges = ordered.values.cumsum(0)
    rank = int(torch.searchsorted(edges, number * float(edges[-1]), right=True))
    return int(ordered.indices[min(rank, int((ordered.values > 0).sum()) - 1)])
