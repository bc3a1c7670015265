"""How far a verdict moves when the attention weights are permuted (Jain & Wallace 2019, section 4.2)."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
from core.explorer.sentiment.judging import (
    BATCH_TOKENS,
    WordPieces,
    chances,
    judging_holds,
    margin,
    margin_of,
    mask_rows,
    word_pieces,
)
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.edits import Edit
from core.tracing.run import Run
from core.tracing.taps import RecordingTap

TIMES, HEAD_TIMES = 50, 8
PERMUTED = 10  # tensors of the size of the weights while they change places
SEEDS = 1000


@dataclass(frozen=True, eq=False)
class PermutedVerdict:
    """labels: the two sides. chance: of the second one, with the weights as they are; permuted (P,): with every row
    of every head's weights permuted; uniform: with equal weights in their place. heads (N, H): the mean change of the
    chance, up or down, where the weights of this head alone are permuted."""

    labels: tuple[str, ...]
    chance: float
    permuted: np.ndarray
    uniform: float
    heads: np.ndarray
    note: str | None

    @property
    def turned(self) -> int:
        """In how many of the permutations the verdict is the other class."""
        return int(((self.permuted >= 0.5) != (self.chance >= 0.5)).sum())

    @property
    def moved(self) -> np.ndarray:
        """(P,) the size of each change of the chance."""
        return np.abs(self.permuted - self.chance)


def permuted_verdict(
    layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run, seed: int
) -> PermutedVerdict:
    """The verdict under permuted and under equal weights. Only weights that may be other than 0 change places."""
    text, config = word_pieces(tokenizer, run), run.config
    allowed = mask_rows(run, len(text.row)).to(run.placement.device)
    draw = torch.Generator().manual_seed(seed % SEEDS)
    mix, even = partial(permute_rows, allowed=allowed, draw=draw), partial(_even, allowed=allowed)
    layers, judge = range(config.layers), partial(_chances, layer, model, run, text)
    clean = RecordingTap(["resid_pre"])
    chance = float(judge(clean, 1)[0])
    heads = [_heads_alone(layer, model, clean.seen[f"encoder.{n}.resid_pre"], n, allowed, draw) for n in layers]
    return PermutedVerdict(
        layer.sides,
        chance,
        judge(RecordingTap(edits=[Edit(f"encoder.{n}.pattern", "replace", mix) for n in layers]), TIMES),
        float(judge(RecordingTap(edits=[Edit(f"encoder.{n}.pattern", "replace", even) for n in layers]), 1)[0]),
        np.abs(np.array(heads) - chance).mean(-1),
        text.note,
    )


def permuted_holds(length: int, heads: int) -> PeakMemory:
    """What `permuted_verdict` holds of a text of this length: the weights, their draws and their orders."""
    return judging_holds(length, max(TIMES, HEAD_TIMES * heads), PERMUTED)


def _heads_alone(
    layer: ClassLayer, model: Transformer, stream: Tensor, number: int, allowed: Tensor, draw: torch.Generator
) -> np.ndarray:
    """(H, P) the chance of the followed class where one head of the layer of this number is permuted.

    stream (1, L, D): what enters that layer. Nothing before it changes, so the pass begins there, for many heads.
    """
    length, count = stream.shape[1], model.config.heads
    owners = torch.arange(count).repeat_interleave(HEAD_TIMES)  # (B,) the head that is permuted in each text
    found = []
    with torch.no_grad():
        for part in owners.split(max(1, BATCH_TOKENS // length)):
            mix = partial(_permute_own, heads=part, allowed=allowed, draw=draw)
            tap = RecordingTap(edits=[Edit(f"encoder.{number}.pattern", "replace", mix)])
            out = model.run_blocks("encoder", stream.expand(len(part), -1, -1), allowed, tap=tap, first=number)
            found.append(margin_of(layer, out, [length] * len(part)).numpy())
    return chances(np.concatenate(found)).reshape(count, HEAD_TIMES)


def _permute_own(pattern: Tensor, heads: Tensor, allowed: Tensor, draw: torch.Generator) -> Tensor:
    """The weights (B, H, Q, K), in each text those of one head permuted: heads (B,)."""
    rows, changed = torch.arange(len(pattern)), pattern.clone()
    changed[rows, heads] = permute_rows(pattern[rows, heads], allowed, draw)
    return changed


def permute_rows(pattern: Tensor, allowed: Tensor, draw: torch.Generator) -> Tensor:
    """The weights (…, Q, K) of each row in a random order of their own, among the keys that it may attend to (Q, K)."""
    hidden = (~allowed).to(pattern.device)
    order = torch.rand(pattern.shape, generator=draw).to(pattern.device) + 2.0 * hidden  # hidden keys come last
    places = hidden.int().argsort(dim=-1, stable=True).expand_as(order)
    return torch.zeros_like(pattern).scatter(-1, places, pattern.gather(-1, order.argsort(-1)))


def _even(pattern: Tensor, allowed: Tensor) -> Tensor:
    """Equal weights on all keys that a row may attend to; a row of none keeps zeros."""
    return (allowed / allowed.sum(-1, keepdim=True).clamp(min=1)).to(pattern).expand_as(pattern)


def _chances(
    layer: ClassLayer, model: Transformer, run: Run, text: WordPieces, tap: RecordingTap, times: int
) -> np.ndarray:
    """(P,) the chance of the followed class, so many times."""
    row = text.row
    many, found = max(1, BATCH_TOKENS // len(row)), []
    for start in range(0, times, many):
        count = min(many, times - start)
        ids = torch.tensor([row]).expand(count, -1)
        with torch.no_grad():
            found.append(margin(layer, model, run, ids, [len(row)] * count, tap).numpy())
    return chances(np.concatenate(found))
