"""Pairs of sentences in which one word decides what "it" refers to, and a translator's results on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.checkpoints.measured import rebuild_measured
from core.checkpoints.source import Shipped
from core.device import Placement
from core.text.broken_file import BrokenFile
from core.text.pronoun_pairs import PronounPair
from core.tracing.run import Run

TRANSLATOR = "translator"


@dataclass(frozen=True)
class PairResult:
    """The translations of the two sentences of a pair.

    said: the pronoun in each translation.
    """

    pair: PronounPair
    french: tuple[str, str]
    said: tuple[str, str]

    @property
    def right(self) -> int:
        """The number of the two pronouns that are the expected ones."""
        return sum(pronoun == meant for pronoun, meant in zip(self.said, self.pair.pronouns, strict=True))


class PairCounts(NamedTuple):
    """The number of pairs, and of pairs with a given result.

    both, one: both pronouns right, or one.
    same: the same pronoun twice.
    first_noun: the pronoun of the first noun twice.
    """

    pairs: int
    both: int
    one: int
    same: int
    first_noun: int


def pair_results(pairs: Sequence[PronounPair], measured: Mapping[str, Any]) -> tuple[PairResult, ...]:
    """Return the shipped results, one for each pair.

    Raises BrokenFile if they are of other pairs or not complete.
    """
    again = rebuild_measured("pronouns")
    try:
        rows = measured["pairs"]
        if [tuple(row["texts"]) for row in rows] != [pair.texts for pair in pairs]:
            raise BrokenFile("The file pronouns.json holds other pairs.", again)
        return tuple(
            PairResult(pair, (row["french"][0], row["french"][1]), (row["said"][0], row["said"][1]))
            for pair, row in zip(pairs, rows, strict=True)
        )
    except (KeyError, TypeError, IndexError) as error:
        raise BrokenFile(f"The file pronouns.json is not whole ({error!r}).", again) from error


def count_pairs(results: Sequence[PairResult]) -> PairCounts:
    """Count the results of a translator on all pairs."""
    same = [result for result in results if result.said[0] == result.said[1]]
    first = [result for result in same if result.said[0] == result.pair.pronouns[0]]
    right = [result.right for result in results]
    return PairCounts(len(results), right.count(2), right.count(1), len(same), len(first))


def translator_run(translator: Shipped, placement: Placement, text: str) -> Run:
    """Return a translator's run on a text, independent of the model that the page shows."""
    return Run(
        text,
        translator.config,
        text,
        placement=placement,
        source=translator.source,
        format=translator.format,
    )
