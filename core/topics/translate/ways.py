"""One sentence translated in several ways: by beam search, greedily, and by random sampling."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.topics.generate.records import BeamText, GeneratedToken, Sample
from core.topics.shared.labels import NamedColumns


@dataclass(frozen=True)
class Way:
    """One translation.

    surprisal: −log₂ of the probabilities that the model itself gave its tokens, summed, in bits.
    """

    name: str
    text: str
    surprisal: float
    tokens: int

    @property
    def bits_per_token(self) -> float:
        return self.surprisal / max(1, self.tokens)


def translations(
    beam: tuple[str, BeamText],
    greedy: tuple[str, str, Sequence[GeneratedToken]],
    samples: Sequence[tuple[str, Sample]],
) -> tuple[Way, ...]:
    """Return all translations in one format.

    beam, samples: each with its name in front.
    greedy: the greedy translation, with its name and its text in front.
    """
    (beam_name, best), (name, text, written) = beam, greedy
    return (
        Way(beam_name, best.text, -best.log_probability / math.log(2), len(best.path)),
        Way(name, text, sum(token.surprisal for token in written), len(written)),
        *(Way(how, sample.text, -sample.log_probability / math.log(2), len(sample.ids)) for how, sample in samples),
    )


def distinct_texts(ways: Sequence[Way]) -> dict[str, list[Way]]:
    """Return the ways that wrote each text, the likeliest text first."""
    texts: dict[str, list[Way]] = {}
    for way in sorted(ways, key=lambda way: way.surprisal):
        texts.setdefault(" ".join(way.text.split()), []).append(way)
    return texts


def word_changes(before: str, after: str) -> list[tuple[list[str], list[str], int]]:
    """Return the runs of words of `before` that are others in `after`: (old words, new words, place in `after`)."""
    old, new = before.split(), after.split()
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(old[a:b], new[c:d], c) for tag, a, b, c, d in blocks if tag != "equal"]


def ways_table(ways: Sequence[Way]) -> NamedColumns:
    """Return a table with a row for each translation."""
    return {
        "how": [way.name for way in ways],
        "text": [way.text for way in ways],
        "surprisal, bits": [round(way.surprisal, 3) for way in ways],
        "bits a token": [round(way.bits_per_token, 3) for way in ways],
    }
