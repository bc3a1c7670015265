"""How far a verdict moves when the attention weights are permuted (Jain & Wallace 2019, section 4.2)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.sentiment.judging import (
    BATCH_TOKENS,
    WordPieces,
    judging_holds,
    margin,
    margin_of,
    mask_rows,
    probabilities,
    word_pieces,
)
from core.tracing.edits import Edit
from core.tracing.run import Run
from core.tracing.taps import RecordingTap

TIMES, HEAD_TIMES = 50, 8
HELD_TENSORS = 10  # tensors of the size of the weights that are held while weights are permuted
SEEDS = 1000


@dataclass(frozen=True, eq=False)
class PermutedVerdict:
    """A verdict with attention weights permuted or made equal.

    labels: the names of the two sides of the verdict.
    probability: the probability of the second side with the weights as they are.
    permuted (P,): the probability with every row of every head's weights permuted.
    uniform: the probability with equal weights in their place.
    heads (N, H): the mean absolute change of the probability when the weights of this head alone are permuted.
    note: a note on text that was cut off, None if nothing was.
    """

    labels: tuple[str, ...]
    probability: float
    permuted: np.ndarray
    uniform: float
    heads: np.ndarray
    note: str | None

    @property
    def turned(self) -> int:
        """The number of permutations in which the verdict is the other class."""
        return int(((self.permuted >= 0.5) != (self.probability >= 0.5)).sum())

    @property
    def moved(self) -> np.ndarray:
        """The size of each change of the probability, (P,)."""
        return np.abs(self.permuted - self.probability)


def permuted_verdict(
    layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run, seed: int
) -> PermutedVerdict:
    """Return the verdict under permuted and under equal weights.

    Only weights of keys that the mask allows change places.
    """
    text, config = word_pieces(tokenizer, run), run.config
    allowed = mask_rows(run, len(text.row)).to(run.placement.device)
    draw, clean = torch.Generator().manual_seed(seed % SEEDS), RecordingTap(["resid_pre"])
    probability, permuted, uniform = permuted_probabilities(layer, model, run, text, draw)
    _probabilities(layer, model, run, text, clean, 1)
    streams = [clean.seen[f"encoder.{n}.resid_pre"] for n in range(config.layers)]
    heads = [_heads_alone(layer, model, stream, n, allowed, draw) for n, stream in enumerate(streams)]
    changes = np.abs(np.array(heads) - probability).mean(-1)
    return PermutedVerdict(layer.sides, probability, permuted, uniform, changes, text.note)


def permuted_probabilities(
    layer: ClassLayer, model: Transformer, run: Run, text: WordPieces, draw: torch.Generator
) -> tuple[float, np.ndarray, float]:
    """Return the probability of the followed class, with all weights permuted (`TIMES`,), and with equal weights."""
    allowed = mask_rows(run, len(text.row)).to(run.placement.device)
    mix, even = partial(permute_rows, allowed=allowed, draw=draw), partial(_even, allowed=allowed)

    def judge(change: Callable[[Tensor], Tensor] | None, times: int) -> np.ndarray:
        layers = range(run.config.layers) if change else ()
        tap = RecordingTap(edits=[Edit(f"encoder.{n}.pattern", "replace", change) for n in layers])
        return _probabilities(layer, model, run, text, tap, times)

    return float(judge(None, 1)[0]), judge(mix, TIMES), float(judge(even, 1)[0])


def permuted_holds(length: int, heads: int) -> PeakMemory:
    """Return the memory that `permuted_verdict` needs for a text of this length: weights, random draws and orders."""
    return judging_holds(length, max(TIMES, HEAD_TIMES * heads), HELD_TENSORS)


def _heads_alone(
    layer: ClassLayer, model: Transformer, stream: Tensor, number: int, allowed: Tensor, draw: torch.Generator
) -> np.ndarray:
    """Return the probability of the followed class when one head of a layer is permuted, (H, P).

    stream (1, L, D): the input of that layer. Nothing before it changes, so the pass begins there, for many heads.
    number: the number of the layer.
    """
    length, count = stream.shape[1], model.config.heads
    owners = torch.arange(count).repeat_interleave(HEAD_TIMES)  # (B,) the head that is permuted in each text
    log_odds = []
    with torch.no_grad():
        for part in owners.split(max(1, BATCH_TOKENS // length)):
            mix = partial(_permute_own, heads=part, allowed=allowed, draw=draw)
            tap = RecordingTap(edits=[Edit(f"encoder.{number}.pattern", "replace", mix)])
            out = model.run_blocks("encoder", stream.expand(len(part), -1, -1), allowed, tap=tap, first=number)
            log_odds.append(margin_of(layer, out, [length] * len(part)).numpy())
    return probabilities(np.concatenate(log_odds)).reshape(count, HEAD_TIMES)


def _permute_own(pattern: Tensor, heads: Tensor, allowed: Tensor, draw: torch.Generator) -> Tensor:
    """Return the weights (B, H, Q, K) with those of one head permuted in each text; heads (B,) gives these heads."""
    rows, changed = torch.arange(len(pattern)), pattern.clone()
    changed[rows, heads] = permute_rows(pattern[rows, heads], allowed, draw)
    return changed


def permute_rows(pattern: Tensor, allowed: Tensor, draw: torch.Generator) -> Tensor:
    """Return the weights (…, Q, K) with each row in its own random order.

    allowed (Q, K): the keys that may be attended to; only their weights change places.
    """
    hidden = (~allowed).to(pattern.device)
    order = torch.rand(pattern.shape, generator=draw).to(pattern.device) + 2.0 * hidden  # hidden keys come last
    places = hidden.int().argsort(dim=-1, stable=True).expand_as(order)
    return torch.zeros_like(pattern).scatter(-1, places, pattern.gather(-1, order.argsort(-1)))


def _even(pattern: Tensor, allowed: Tensor) -> Tensor:
    """Return equal weights on all keys that a row may attend to; a row that may attend to none keeps zeros."""
    return (allowed / allowed.sum(-1, keepdim=True).clamp(min=1)).to(pattern).expand_as(pattern)


def _probabilities(
    layer: ClassLayer, model: Transformer, run: Run, text: WordPieces, tap: RecordingTap, times: int
) -> np.ndarray:
    """Return the probability of the followed class in `times` passes over the text, (P,)."""
    row = text.row
    many, log_odds = max(1, BATCH_TOKENS // len(row)), []
    for start in range(0, times, many):
        count = min(many, times - start)
        ids = torch.tensor([row]).expand(count, -1)
        with torch.no_grad():
            log_odds.append(margin(layer, model, run, ids, [len(row)] * count, tap).numpy())
    return probabilities(np.concatenate(log_odds))
