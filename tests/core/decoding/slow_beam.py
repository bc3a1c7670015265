"""Beam search in the plainest words, one source at a time, each prefix read anew: what the core's is held to."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import torch

from core.decoding.beam import length_penalty
from core.text.special import BOS, EOS

Logits = Callable[[tuple[int, ...]], torch.Tensor]  # of a prefix with its beginning: (V,)


CLOSE = 1e-4


class CloseCall(Exception):
    """Two ways on with nearly the same log-probability."""


class Text(NamedTuple):
    """ids without begin and end; score: the log-probability / length penalty; cut: the limit came before its end."""

    ids: tuple[int, ...]
    score: float
    cut: bool


def slow_beam_search(logits: Logits, limit: int, width: int, alpha: float) -> tuple[list[Text], list[Text]]:
    """The finished texts and those that are cut at the limit, each best first.

    Raises CloseCall where rounding could decide which of two ways on, or of two texts, is the better.
    """
    beams: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    finished: list[Text] = []
    cut: list[Text] = []
    for step in range(1, limit + 1):
        ways = []
        for total, ids in beams:
            logs = torch.log_softmax(logits((BOS, *ids)).double(), -1).tolist()
            ways += [(total + log, (*ids, token)) for token, log in enumerate(logs)]
        ways = sorted(ways, reverse=True)
        if any(a - b < CLOSE for (a, _), (b, _) in pairwise(ways[: 2 * width + 1])):
            raise CloseCall
        ways = ways[: 2 * width]
        ended = [(total, ids) for total, ids in ways[:width] if ids[-1] == EOS]
        finished += [Text(ids[:-1], total / length_penalty(step, alpha), False) for total, ids in ended]
        beams = [way for way in ways if way[1][-1] != EOS][:width]
        if step == limit:
            cut = [Text(ids, total / length_penalty(step, alpha), True) for total, ids in beams]
            break
        if len(finished) >= width:
            break
    scores = sorted(text.score for text in (*finished, *cut))
    if any(b - a < CLOSE for a, b in pairwise(scores)):
        raise CloseCall
    return ranked(finished), ranked(cut)


def ranked(texts: list[Text]) -> list[Text]:
    return sorted(texts, key=lambda text: -text.score)


def hypotheses(finished: list[Text], cut: list[Text], width: int) -> list[Text]:
    """The best `width` of finished ones and of cut ones that beat one of them; the best finished one stays."""
    finished = finished[:width]
    found = ranked(finished + [text for text in cut if not finished or text.score > finished[-1].score])[:width]
    return found if not finished or finished[0] in found else [*found[:-1], finished[0]]
