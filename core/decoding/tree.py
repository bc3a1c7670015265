"""Beam search over one text that keeps its whole tree: what was kept, what was dropped, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import torch
from torch import Tensor

from core.decoding.search import length_penalty

# (prefixes (K, L), rows (K,)): rows say which text of the call before each of these goes on. Gives the logits (K, V).
Score: TypeAlias = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Node:
    """One token of the tree. total: the log-probabilities from the root; score: total / length penalty.

    fate: "kept" for the next step, "dropped", or "finished" (</s>, or the limit).
    """

    index: int
    parent: int | None
    step: int
    id: int
    log_probability: float
    total: float
    score: float
    fate: str


@dataclass(frozen=True)
class Tree:
    """nodes in the order in which they were found; finished: indices of the ends of whole texts, best first."""

    nodes: tuple[Node, ...]
    finished: tuple[int, ...]

    def path(self, index: int) -> tuple[int, ...]:
        """The indices from the first token to this one."""
        found: list[int] = []
        at: int | None = index
        while at is not None:
            found.append(at)
            at = self.nodes[at].parent
        return tuple(reversed(found))


def beam_tree(score: Score, start: tuple[int, ...], most: int, width: int, alpha: float, end: int) -> Tree:
    """The tree of a beam search of at most `most` tokens after `start`; its rules are those of `search.beam_search`.

    In each step the 2·width likeliest ways on are looked at: of the best `width` those that end are finished, and the
    best `width` of the others go on. Done when `width` texts are finished. ValueError for a width or limit below 1.
    """
    if width < 1 or most < 1:
        raise ValueError(f"a beam needs a width and a limit of at least 1, not {width} and {most}")
    nodes: list[Node] = []
    finished: list[int] = []
    beams: list[Node | None] = [None]
    prefixes, rows = torch.tensor([start]), torch.zeros(1, dtype=torch.long)
    for step in range(1, most + 1):
        logs = torch.log_softmax(score(prefixes, rows).float().cpu(), -1)  # (K, V)
        found = _ways_on(beams, logs, step, 2 * width, alpha, len(nodes))
        ended = [node.index for rank, (node, _) in enumerate(found) if node.id == end and rank < width]
        going = [(node, beam) for node, beam in found if node.id != end][:width]
        finished += ended
        last = len(finished) >= width or step == most or not going
        cut = last and not finished
        fate = "finished" if cut else "dropped" if last else "kept"
        fates = dict.fromkeys(ended, "finished") | {node.index: fate for node, _ in going}
        nodes += [replace(node, fate=fates.get(node.index, "dropped")) for node, _ in found]
        if last:
            finished += [node.index for node, _ in going] if cut else []
            break
        rows = torch.tensor([beam for _, beam in going])
        prefixes = torch.cat([prefixes[rows], torch.tensor([[node.id] for node, _ in going])], 1)
        beams = [node for node, _ in going]
    best = sorted(finished, key=lambda index: -nodes[index].score)[:width]
    return Tree(tuple(nodes), tuple(best))


def _ways_on(
    beams: Sequence[Node | None], logs: Tensor, step: int, count: int, alpha: float, first: int
) -> list[tuple[Node, int]]:
    """The likeliest next tokens of all beams together, best first, and the beam that each goes on with."""
    before = torch.tensor([node.total if node else 0.0 for node in beams])
    best, where = (before[:, None] + logs).flatten().topk(min(count, logs.numel()))
    found: list[tuple[Node, int]] = []
    for total, place in zip(best.tolist(), where.tolist(), strict=True):
        beam, token = divmod(place, logs.shape[1])
        parent = beams[beam]
        if total > float("-inf"):
            score = total / length_penalty(step, alpha)
            above = parent.index if parent else None
            node = Node(first + len(found), above, step, token, float(logs[beam, token]), total, score, "dropped")
            found.append((node, beam))
    return found
