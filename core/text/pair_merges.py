"""Byte-pair encoding as stored in a ``tokenizer.json``: pairs of pieces in the order in which the merges were learned.

(Sennrich et al. 2016; on bytes: Radford et al. 2019.) sentencepiece's BPE is in `core.text.segmentations`: it merges
two neighbours if together they are a piece of the vocabulary, whether or not this pair was a learned merge.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

Pair = tuple[str, str]


class PairState(NamedTuple):
    """The state of a word after some of its merges.

    parts: the parts of the word, whose borders no merge crosses, each as its pieces.
    joined: the index in the whole word of the piece that the last merge made; None at the start.
    fits: the pairs that can still be merged, the next one first; each is given by the index of its left piece.
    """

    parts: tuple[tuple[str, ...], ...]
    joined: int | None
    fits: tuple[int, ...]

    @property
    def pieces(self) -> tuple[str, ...]:
        return tuple(piece for part in self.parts for piece in part)


@dataclass(frozen=True, eq=False)
class PairMerges:
    """The merges of a tokenizer.

    ranks: the number of each pair's merge, from 1.
    taken: pieces that are used without merging if a whole part of a word is one of them, as in Llama 3.
    """

    ranks: Mapping[Pair, int]
    taken: frozenset[str] = frozenset()

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> "PairMerges | None":
        """Return the merges of the model in a ``tokenizer.json``.

        None if the model is not byte-pair encoding, or if its pieces mark where words begin, go on or end.
        """
        if model.get("type") != "BPE" or model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
            return None
        pairs = (merge.split(" ", 1) if isinstance(merge, str) else merge for merge in model["merges"])
        ranks = {(left, right): rank for rank, (left, right) in enumerate(pairs, start=1)}
        return cls(ranks, frozenset(model["vocab"] if model.get("ignore_merges") else ()))

    @cached_property
    def made_of(self) -> Mapping[str, Pair]:
        """The pair that each piece was first made from."""
        pairs: dict[str, Pair] = {}
        for left, right in self.ranks:
            pairs.setdefault(left + right, (left, right))
        return pairs

    def states(self, parts: Sequence[str]) -> Iterator[PairState]:
        """Yield the state of a word before the first merge and after each merge, to the last.

        parts: the parts of the word, whose borders no merge crosses. A part starts as single characters, or whole if it
            is in `taken`.
        """
        pieces = [[part] if part in self.taken else list(part) for part in parts]
        joined = None
        while True:
            fits = self._fits(pieces)
            starts = [sum(map(len, pieces[:number])) for number in range(len(pieces))]
            positions = tuple(starts[part] + position for _, part, position in fits)
            yield PairState(tuple(map(tuple, pieces)), joined, positions)
            if not fits:
                return
            _, part, position = fits[0]
            row = pieces[part]
            row[position : position + 2] = [row[position] + row[position + 1]]
            joined = positions[0]

    def _fits(self, pieces: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
        """Return (rank, part, position) of the pairs that could be merged, the next one first."""
        return sorted(
            (self.ranks[pair], part, position)
            for part, row in enumerate(pieces)
            for position, pair in enumerate(pairwise(row))
            if pair in self.ranks
        )
