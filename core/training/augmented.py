"""Makes rounds of English-French pairs that resemble visitors' texts, changing the training pairs anew for each round.

A round follows from the seed and its number alone, so a run can stop and resume at any step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from core.text.special import BOS, EOS
from core.text.tokenizer import Tokenizer
from core.training import augmentation
from core.training.agreement import AgreementPairs
from core.training.augmentation import Names, Pair
from core.training.batches import group_by_length
from core.training.subwords import SubwordSampler

Change = Callable[[Pair], Pair]
Row = tuple[list[int], list[int]]  # ids of the source, of the target with its begin


@dataclass(frozen=True)
class Shares:
    """The shares of a round that are made or changed.

    The first five are further rows, as a share of the pairs; the rest are chances for each row.

    joined: two to four pairs as one.
    named, numbered: pairs repeated with other names or numbers.
    counted: our own sentences about prices and times.
    agreeing: sentences in which a later word decides which noun "it" refers to.
    name, number: the chance that a pair's names or numbers are replaced.
    pronoun: the chance of a name in place of he or she.
    case, typo, contraction: the chance of such a change to the English.
    sampled: the chance that the English is split into pieces at random.
    """

    joined: float = 0.35
    named: float = 0.12
    numbered: float = 0.06
    counted: float = 0.03
    agreeing: float = 0.3
    name: float = 0.5
    pronoun: float = 0.12
    number: float = 0.3
    case: float = 0.08
    typo: float = 0.08
    contraction: float = 0.12
    sampled: float = 0.5


def describe(shares: Shares) -> str:
    """Describe the shares of a round in words, for a model's card."""
    more = {
        "of two to four joined": shares.joined,
        "with other names, some of children's books": shares.named,
        "with other numbers": shares.numbered,
        "of our own about prices and times": shares.counted,
        "of our own in which a later word decides it": shares.agreeing,
    }
    probabilities = {
        "another name": shares.name,
        "a name for he or she": shares.pronoun,
        "another number": shares.number,
        "other case": shares.case,
        "slips of the keyboard": shares.typo,
        "other contractions": shares.contraction,
        "pieces cut at random": shares.sampled,
    }
    added = ", ".join(f"{share:.0%} {what}" for what, share in more.items())
    changed = ", ".join(f"{what} ({share:.0%})" for what, share in probabilities.items())
    return f"further pairs ({added}) and changes of any pair where it has what is changed: {changed}"


@dataclass(frozen=True, eq=False)
class AugmentedRounds:
    """Batches of augmented English-French pairs; `rows` returns those of any step, in any order.

    tokens: the size of a batch in tokens.
    longest: the most pieces of a side; longer rows are left out.
    """

    pairs: Sequence[Pair]
    names: Names
    agreement: AgreementPairs
    tokenizer: Tokenizer
    tokens: int
    longest: int
    seed: int
    shares: Shares = Shares()

    @cached_property
    def _round(self) -> Callable[[int], list[list[Row]]]:
        return lru_cache(maxsize=1)(self._made_round)

    @cached_property
    def batches(self) -> int:
        """The number of batches of every round, slightly fewer than the first has because rounds differ."""
        return max(1, int(0.97 * len(self._made_round(0))))

    def rows(self, step: int) -> list[Row]:
        """Return the rows of a step."""
        number, batch_index = divmod(step, self.batches)
        made = self._round(number)
        return made[batch_index % len(made)]

    def texts(self, number: int) -> list[Pair]:
        """Return the pairs of a round, unshuffled."""
        rng, shares, count = np.random.default_rng((self.seed, number)), self.shares, len(self.pairs)
        made = [self._varied(pair, rng) for pair in self.pairs]
        made += [self._joined(rng) for _ in range(int(shares.joined * count))]
        made += self._again(
            self._with_names, shares.named, rng, lambda p: augmentation.replace_names(p, self.names, rng)
        )
        made += self._again(self._with_numbers, shares.numbered, rng, lambda p: augmentation.replace_numbers(p, rng))
        made += [augmentation.number_pair(rng) for _ in range(int(shares.counted * count))]
        made += filter(None, (self.agreement.draw(rng) for _ in range(int(shares.agreeing * count))))
        return [(self._rough(english, rng), french) for english, french in made]

    def _made_round(self, number: int) -> list[list[Row]]:
        rng, sampler = np.random.default_rng((self.seed, number, 1)), SubwordSampler(self.tokenizer)
        encoded: list[Row] = []
        for english, french in self.texts(number):
            source = sampler.ids(english, rng) if rng.random() < self.shares.sampled else self.tokenizer.ids(english)
            row = [*source, EOS], [BOS, *self.tokenizer.ids(french), EOS]
            if max(map(len, row)) <= self.longest:
                encoded.append(row)
        lengths = np.array([(len(target), len(source)) for source, target in encoded])
        return [[encoded[i] for i in group] for group in group_by_length(lengths, self.tokens, rng)]

    def _varied(self, pair: Pair, rng: np.random.Generator) -> Pair:
        """Replace the names and the numbers of a pair, each with its chance."""
        named = any(f" {name}" in f" {pair[0]}" for name in ("Tom", "Mary")) or pair in self._named_set
        if rng.random() < (self.shares.name if named else self.shares.pronoun):
            pair = augmentation.replace_names(pair, self.names, rng)
        if rng.random() < self.shares.number:
            pair = augmentation.replace_numbers(pair, rng)
        return pair

    def _joined(self, rng: np.random.Generator) -> Pair:
        pair = self._varied(self._draw(rng), rng)
        for _ in range(int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))):
            pair = augmentation.join_pairs(pair, self._varied(self._draw(rng), rng), self._known, rng)
        return pair

    def _draw(self, rng: np.random.Generator) -> Pair:
        return self.pairs[int(rng.integers(len(self.pairs)))]

    def _again(self, places: Sequence[int], share: float, rng: np.random.Generator, change: Change) -> list[Pair]:
        count = int(share * len(self.pairs)) if len(places) else 0
        return [change(self.pairs[places[int(rng.integers(len(places)))]]) for _ in range(count)]

    def _rough(self, english: str, rng: np.random.Generator) -> str:
        """Change the case, the contractions and the spelling of an English text, each with its chance."""
        case, typo, contraction = rng.random(3)
        if contraction < self.shares.contraction:
            english = augmentation.change_contractions(english, rng)
        if typo < self.shares.typo:
            english = augmentation.make_typos(english, rng)
        if case < self.shares.case:
            english = augmentation.change_case(english, rng)
        return english

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names.copied) | {"Tom", "Mary"}

    @cached_property
    def _with_names(self) -> list[int]:
        known = set(self.names.copied)
        return [
            index
            for index, (english, french) in enumerate(self.pairs)
            if known & set(augmentation.COPIED.findall(english)) & set(augmentation.COPIED.findall(french))
        ]

    @cached_property
    def _named_set(self) -> frozenset[Pair]:
        return frozenset(self.pairs[index] for index in self._with_names)

    @cached_property
    def _with_numbers(self) -> list[int]:
        rng = np.random.default_rng(0)
        return [index for index, pair in enumerate(self.pairs) if augmentation.replace_numbers(pair, rng) != pair]
