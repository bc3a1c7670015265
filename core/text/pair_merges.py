"""Byte-pair encoding as a ``tokenizer.json`` has it: pairs of pieces in the order in which their merges were learned.

(Sennrich et al. 2016; on bytes: Radford et al. 2019.) sentencepiece's BPE is in `core.text.segmentations`: it asks
whether two neighbours together are a piece, and not whether this pair was merged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

Pair = tuple[str, str]


class PairState(NamedTuple):
    """A word after some merges. parts: its pieces, for each part that no merge crosses. joined: which piece of the
    whole word the last merge made; None at the start. fits: the pairs that could be merged now, the next first, by the
    place of their left piece."""

    parts: tuple[tuple[str, ...], ...]
    joined: int | None
    fits: tuple[int, ...]

    @property
    def pieces(self) -> tuple[str, ...]:
        return tuple(piece for part in self.parts for piece in part)


@dataclass(frozen=True, eq=False)
class PairMerges:
    """The merges of a tokenizer. ranks: of each pair the number of its merge, from 1. taken: pieces that are taken as
    they stand where a whole part is one of them, as Llama 3 does."""

    ranks: Mapping[Pair, int]
    taken: frozenset[str] = frozenset()

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> "PairMerges | None":
        """From the model in a ``tokenizer.json``; None where it merges nothing, or marks where words begin or end."""
        if model.get("type") != "BPE" or model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
            return None
        pairs = (each.split(" ", 1) if isinstance(each, str) else each for each in model["merges"])
        ranks = {(left, right): rank for rank, (left, right) in enumerate(pairs, start=1)}
        return cls(ranks, frozenset(model["vocab"] if model.get("ignore_merges") else ()))

    @cached_property
    def made_of(self) -> Mapping[str, Pair]:
        """Of each piece the pair that it was first made of."""
        found: dict[str, Pair] = {}
        for left, right in self.ranks:
            found.setdefault(left + right, (left, right))
        return found

    def states(self, parts: Sequence[str]) -> Iterator[PairState]:
        """All states of a word in parts, from its characters to its end."""
        pieces = [[part] if part in self.taken else list(part) for part in parts]
        joined = None
        while True:
            fits = self._fits(pieces)
            starts = [sum(map(len, pieces[:number])) for number in range(len(pieces))]
            places = tuple(starts[part] + place for _, part, place in fits)
            yield PairState(tuple(map(tuple, pieces)), joined, places)
            if not fits:
                return
            _, part, place = fits[0]
            row = pieces[part]
            row[place : place + 2] = [row[place] + row[place + 1]]
            joined = places[0]

    def _fits(self, pieces: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
        """(rank, part, place) of the pairs that could be merged, the next first."""
        return sorted(
            (self.ranks[pair], part, place)
            for part, row in enumerate(pieces)
            for place, pair in enumerate(pairwise(row))
            if pair in self.ranks
        )
