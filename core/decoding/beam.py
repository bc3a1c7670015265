"""Beam search over several sources at once; it returns the whole tree of tokens, with the fate of each.

A search sees the model as one function of prefixes, `NextLogits`, which may keep a cache from step to step.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import torch
from torch import Tensor

from core.decoding.filters import without
from core.text.special import BOS, EOS

IMPOSSIBLE = float("-inf")


class NextLogits(Protocol):
    """A function that takes prefixes (N, L) and returns the logits (N, V) of the token after each.

    rows (N,): prefix n is prefix `rows[n]` of the previous call plus one token; in the first call, prefix n is the
        start of the text for source `rows[n]`.
    """

    def __call__(self, prefixes: Tensor, rows: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Node:
    """One token of the tree.

    index, parent: the position of this node, and of the node before it in the text, among `Beam.nodes`; a parent of
        None means that this is the text's first token.
    step: the number of tokens after the start, this one included.
    total: the sum of the log-probabilities from the root, in nats.
    score: total / length penalty.
    fate: "kept" for the next step, "dropped", "finished" (it ends the text, as </s> does), or "cut" (it is at the
        limit, and its text is a hypothesis without an end).
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
class Hypothesis:
    """A text that a search found.

    ids: its tokens without the start and the end.
    path: the indices of its nodes, including the node of the end.
    log_probability: the sum over its tokens, in nats.
    score: that sum / length penalty.
    cut: whether it reached the limit before it ended.
    """

    ids: tuple[int, ...]
    path: tuple[int, ...]
    log_probability: float
    score: float
    cut: bool


@dataclass(frozen=True)
class Beam:
    """The result of a search for one source: its hypotheses, best first, and all nodes in the order of their making."""

    hypotheses: tuple[Hypothesis, ...]
    nodes: tuple[Node, ...]

    @property
    def best(self) -> Hypothesis:
        """The best text that has ended; if none has, the best of all."""
        return next((hypothesis for hypothesis in self.hypotheses if not hypothesis.cut), self.hypotheses[0])


def length_penalty(length: int, alpha: float) -> float:
    """Return ((5 + length) / 6)^alpha, by which a log-probability is divided (Wu et al. 2016, equation 14)."""
    return ((5 + length) / 6) ** alpha


def beam_search(
    next_logits: NextLogits,
    limits: Sequence[int],
    width: int = 4,
    alpha: float = 0.6,
    start: tuple[int, ...] = (BOS,),
    ends: Collection[int] = (EOS,),
    withheld: Callable[[Sequence[int]], Sequence[int]] = lambda prefix: (),
) -> list[Beam]:
    """Return, for each source, at least one and at most `width` hypotheses, and the tree of the search.

    In each step, each beam of a source is extended by its 2·width likeliest next tokens (more if several tokens can end
    a text), and the 2·width likeliest of all these texts are considered. Those among the best `width` that end are
    finished, and the best `width` of the ones that do not end are extended in the next step. The search for a source
    stops when `width` texts are finished, or at its limit. A text that is cut there is a hypothesis if it scores higher
    than the worst of the `width` best finished ones, or if none is finished.

    limits: for each source, the largest number of tokens after `start`, including the end.
    width: the number of beams of a source; 1 is greedy search.
    alpha: the exponent of `length_penalty`.
    start: the tokens with which every text begins.
    ends: the tokens that end a text.
    withheld: gives the tokens that may not follow a prefix; the log-probabilities of the others stay as they are.

    Raises ValueError for a width or a limit below 1.

    A model that finds token 5 twice as likely as token 4, then ends:

    >>> def next_logits(prefixes: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    ...     first = torch.tensor([0.0, 0, 0, 0, 1, 2]).log()
    ...     return (first if prefixes.shape[1] == 1 else 9.0 * torch.eye(6)[EOS]).expand(len(prefixes), -1)
    >>> (found,) = beam_search(next_logits, limits=[4], width=2)
    >>> [hypothesis.ids for hypothesis in found.hypotheses]
    [(5,), (4,)]
    """
    if width < 1 or min(limits, default=1) < 1:
        raise ValueError(f"a beam needs a width and a limit of at least 1, not {width} and {min(limits, default=1)}")
    trees = [_Tree(limit, width, alpha, ends) for limit in limits]
    alive, prefixes = list(trees), torch.tensor([start] * len(trees))
    rows = torch.arange(len(trees))
    for step in range(1, max(limits, default=0) + 1):
        logs = torch.log_softmax(next_logits(prefixes, rows).float(), -1)  # (N, V)
        logs = without(logs, [withheld(prefix) for prefix in prefixes.tolist()])
        totals = torch.tensor([beam.total if beam else 0.0 for tree in alive for beam in tree.beams]).to(logs)
        best, tokens = (totals[:, None] + logs).topk(min((1 + max(1, len(ends))) * width, logs.shape[1]), -1)
        extensions = (best.tolist(), tokens.tolist(), logs.gather(1, tokens).tolist())
        parents: list[int] = []
        first = 0
        for tree in alive:
            last = first + len(tree.beams)
            parents += [first + beam for beam in tree.advance(step, *(part[first:last] for part in extensions))]
            first = last
        alive = [tree for tree in alive if tree.beams]
        if not alive:
            break
        rows = torch.tensor(parents)
        newest = torch.tensor([beam.id for tree in alive for beam in tree.beams if beam])
        prefixes = torch.cat([prefixes[rows], newest[:, None]], 1)
    return [tree.result() for tree in trees]


@dataclass(eq=False)
class _Tree:
    """The tree of texts of the search for one source, in which each node adds a token.

    beams: the last node of each text that the next step extends; a None stands for the text that holds only the start.
    """

    limit: int
    width: int
    alpha: float
    ends: Collection[int]
    beams: list[Node | None] = field(default_factory=lambda: [None])
    nodes: list[Node] = field(default_factory=list)
    finished: list[Node] = field(default_factory=list)
    cut: list[Node] = field(default_factory=list)

    def advance(
        self, step: int, totals: list[list[float]], tokens: list[list[int]], logs: list[list[float]]
    ) -> list[int]:
        """Extend the beams by one token, and return for each new beam the number of the beam that it extends.

        totals, tokens, logs: for each beam, its likeliest extensions: the log-probability of the whole text, the next
            token, and that token's log-probability.
        """
        ways = [
            (total, beam, token, log)
            for beam, row in enumerate(zip(totals, tokens, logs, strict=True))
            for total, token, log in zip(*row, strict=True)
            if total > IMPOSSIBLE
        ]
        ways = sorted(ways, key=lambda way: -way[0])[: 2 * self.width]
        ends = {rank for rank, way in enumerate(ways) if way[2] in self.ends}
        finishing = {rank for rank in ends if rank < self.width}
        going = [rank for rank in range(len(ways)) if rank not in ends][: self.width]
        done = len(self.finished) + len(finishing) >= self.width
        goes_on = "cut" if step == self.limit else "dropped" if done else "kept"
        fates = dict.fromkeys(finishing, "finished") | dict.fromkeys(going, goes_on)
        nodes = [self._node(step, *way, fates.get(rank, "dropped")) for rank, way in enumerate(ways)]
        self.finished += [nodes[rank] for rank in sorted(finishing)]
        self.cut = [node for node in nodes if node.fate == "cut"]
        self.beams = [node for node in nodes if node.fate == "kept"]
        return [way[1] for way, node in zip(ways, nodes, strict=True) if node.fate == "kept"]

    def result(self) -> Beam:
        finished = sorted(self.finished, key=lambda node: -node.score)[: self.width]
        cut = [node for node in self.cut if not finished or node.score > finished[-1].score]
        ranked = sorted([*finished, *cut], key=lambda node: -node.score)[: self.width]
        if finished and finished[0] not in ranked:
            ranked[-1] = finished[0]  # the best text that has ended is always among them
        chosen = {node.index for node in ranked}
        nodes = [
            replace(node, fate="dropped") if node.fate == "cut" and node.index not in chosen else node
            for node in self.nodes
        ]
        return Beam(tuple(map(self._hypothesis, ranked)), tuple(nodes))

    def _node(self, step: int, total: float, beam: int, token: int, log: float, fate: str) -> Node:
        parent = self.beams[beam]
        score = total / length_penalty(step, self.alpha)
        node = Node(len(self.nodes), parent.index if parent else None, step, token, log, total, score, fate)
        self.nodes.append(node)
        return node

    def _hypothesis(self, last: Node) -> Hypothesis:
        path: list[int] = []
        node_index: int | None = last.index
        while node_index is not None:
            path.append(node_index)
            node_index = self.nodes[node_index].parent
        path.reverse()
        written = path if last.fate == "cut" else path[:-1]
        ids = tuple(self.nodes[index].id for index in written)
        return Hypothesis(ids, tuple(path), last.total, last.score, last.fate == "cut")
