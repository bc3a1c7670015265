"""Beam search over many sources at once, and greedy search as its narrowest case.

A search sees the model as one function, `score(rows, prefixes)`: prefixes (N, L) of ids, rows (N,) saying which
source each belongs to; it gives the logits (N, V) of the next token.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from core.model import masks
from core.model.recurrent import Recurrent
from core.model.transformer import Masks, Transformer
from core.text.special import BOS, EOS, PAD

Score: TypeAlias = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Hypothesis:
    """A finished text: its ids, without begin and end, the sum of its log-probabilities, and that sum normalised."""

    ids: tuple[int, ...]
    log_probability: float
    score: float


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6)^alpha, by which a log-probability is divided (Wu et al. 2016, equation 14)."""
    return ((5 + length) / 6) ** alpha


def beam_search(
    score: Score,
    sources: int,
    limits: Sequence[int],
    width: int = 4,
    alpha: float = 0.6,
    begin: int = BOS,
    end: int = EOS,
) -> list[list[Hypothesis]]:
    """For each source its hypotheses, best first: at most `width`, at least one.

    limits: the most tokens that each source's text may have, its end among them. A text that reaches its limit is
    cut there. A source is done when `width` hypotheses are finished; width 1 is greedy search.
    Raises ValueError for a width or a limit below 1.
    """
    if width < 1 or min(limits, default=1) < 1:
        raise ValueError(f"a beam needs a width and limits of at least 1, not {width} and {min(limits, default=1)}")
    search = _Search(limits, width, alpha, end, [[] for _ in range(sources)])
    alive = torch.arange(sources)  # the sources still searched
    prefixes = torch.full((sources, 1, 1), begin)  # (B, K, L), K the width from the second step on
    totals = torch.zeros(sources, 1)
    for _ in range(max(limits, default=0)):
        beams = prefixes.shape[1]
        logits = score(alive.repeat_interleave(beams), prefixes.flatten(0, 1)).float().cpu()
        steps = torch.log_softmax(logits, dim=-1).unflatten(0, (len(alive), beams))  # (B, K, V)
        candidates = (totals[..., None] + steps).flatten(1)  # (B, K·V)
        best, where = candidates.topk(min(2 * width, candidates.shape[1]), dim=-1)
        parents, tokens = where // steps.shape[-1], where % steps.shape[-1]
        longer = torch.cat(
            [prefixes.gather(1, parents[..., None].expand(-1, -1, prefixes.shape[2])), tokens[..., None]], 2
        )
        kept = [found for row in zip(alive.tolist(), longer, best, strict=True) if (found := search.advance(*row))]
        if not kept:
            break
        alive, prefixes, totals = _stack(kept, width)
    return [sorted(each, key=lambda found: -found.score)[:width] for each in search.finished]


_Kept: TypeAlias = tuple[int, Tensor, Tensor]


@dataclass(frozen=True)
class _Search:
    """The rules of a beam search, and what it has finished for each source."""

    limits: Sequence[int]
    width: int
    alpha: float
    end: int
    finished: list[list[Hypothesis]]

    def advance(self, source: int, longer: Tensor, totals: Tensor) -> _Kept | None:
        """Takes a source's candidates (2K, L + 1), best first, with their log-probabilities; finishes those among the
        best K that have ended. Returns the best K others, or None where the source is done."""
        finished = self.finished[source]
        ended, possible = longer[:, -1] == self.end, totals > float("-inf")
        for rank in torch.nonzero((ended & possible)[: self.width]).flatten().tolist():
            finished.append(self._finish(longer[rank, 1:-1], totals[rank], longer.shape[1] - 1))
        going = torch.nonzero(~ended & possible).flatten()[: self.width]
        if len(finished) >= self.width:
            return None
        if longer.shape[1] - 1 < self.limits[source] and len(going):
            return source, longer[going], totals[going]
        if not finished:
            finished += [self._finish(longer[i, 1:], totals[i], longer.shape[1] - 1) for i in going.tolist()]
        return None

    def _finish(self, ids: Tensor, total: Tensor, length: int) -> Hypothesis:
        return Hypothesis(tuple(ids.tolist()), float(total), float(total) / length_penalty(length, self.alpha))


def _stack(kept: Sequence[_Kept], width: int) -> tuple[Tensor, Tensor, Tensor]:
    """The kept beams as (B,), (B, K, L), (B, K); a beam that is not full is filled with impossible texts."""
    most = min(width, max(len(totals) for _, _, totals in kept))
    prefixes, totals = [], []
    for _, rows, sums in kept:
        missing = most - len(sums)
        prefixes.append(torch.cat([rows, rows[:1].expand(missing, -1)]))
        totals.append(torch.cat([sums, sums.new_full((missing,), float("-inf"))]))
    return torch.tensor([source for source, _, _ in kept]), torch.stack(prefixes), torch.stack(totals)


def greedy(score: Score, sources: int, limits: Sequence[int], begin: int = BOS, end: int = EOS) -> list[list[int]]:
    """For each source the ids found by taking the likeliest token each time, without begin and end."""
    return [list(found[0].ids) for found in beam_search(score, sources, limits, 1, 0.0, begin, end)]


def pad(texts: Sequence[Sequence[int]], value: int = PAD) -> tuple[Tensor, Tensor]:
    """Texts of ids as one (B, L) tensor, filled up at the end, and its mask (B, L), True = a token."""
    lengths = torch.tensor([len(text) for text in texts])
    ids = torch.full((len(texts), int(lengths.max())), value)
    for row, text in zip(ids, texts, strict=True):
        row[: len(text)] = torch.tensor(text)
    return ids, torch.arange(ids.shape[1]) < lengths[:, None]


@torch.no_grad()
def translator_score(model: Transformer | Recurrent, sources: Sequence[Sequence[int]]) -> Score:
    """The `score` of a translator for sources of ids: each is encoded once, every prefix is decoded anew."""
    device = model.embed.weight.device
    source, mask = (part.to(device) for part in pad(sources))
    if isinstance(model, Recurrent):
        states, last = model.encode(source, mask)

        def recurrent(rows: Tensor, prefixes: Tensor) -> Tensor:
            rows, prefixes = rows.to(device), prefixes.to(device)
            with torch.no_grad():
                hidden, _ = model.decode(prefixes, states[rows], last[rows], mask[rows])
                return model.logits(hidden[:, -1])

        return recurrent
    attends = mask[:, None, None, :]
    memory = model.run_stack("encoder", source, attends)

    def transformer(rows: Tensor, prefixes: Tensor) -> Tensor:
        rows, prefixes = rows.to(device), prefixes.to(device)
        own = Masks(decoder=masks.causal(prefixes.shape[1], prefixes.shape[1]).to(device), cross=attends[rows])
        with torch.no_grad():
            x = model.run_stack("decoder", prefixes, own.decoder, memory[rows], own.cross)
            return model.logits(x[:, -1])

    return transformer
