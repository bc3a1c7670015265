"""Reads the sentences that the translators are judged by, written as visitors type them, in two halves.

`assets/evaluation/*.tsv`: English TAB one French reference or two; brackets mark the parts that must be copied. Every
second line belongs to the half that nobody looks at before the last training is over.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from core.text.pronoun_pairs import PronounPair, parse_pairs, pronoun_pairs

FOLDER = Path(__file__).parents[2] / "assets" / "evaluation"
KINDS = ("everyday", "questions", "names", "numbers", "case", "typos", "long")
COPIED = re.compile(r"\[([^\]]+)\]")


@dataclass(frozen=True)
class Judged:
    """A sentence, its French references, and the parts that must appear unchanged in its translation."""

    english: str
    references: tuple[str, ...]
    copied: tuple[str, ...]


def sentences(kind: str, unseen: bool) -> list[Judged]:
    """Return one half of the sentences of a kind.

    unseen: whether that is the half that nobody looks at before the last training is over.
    """
    judged = []
    for line in (FOLDER / f"{kind}.tsv").read_text(encoding="utf-8").splitlines()[unseen::2]:
        english, *references = line.split("\t")
        plain = tuple(COPIED.sub(r"\1", text) for text in references if text)
        judged.append(Judged(COPIED.sub(r"\1", english), plain, tuple(COPIED.findall(english))))
    return judged


def second_pairs() -> tuple[PronounPair, ...]:
    """Return the second list of pairs in which one word decides which noun "it" refers to."""
    return parse_pairs((FOLDER / "pronouns.txt").read_text(encoding="utf-8"))


def names() -> frozenset[str]:
    """Return the names of the evaluation, which no training may use."""
    return frozenset(name for half in (False, True) for row in sentences("names", half) for name in row.copied)


def agreement_kept_out() -> frozenset[tuple[str, str]]:
    """Return the pairs (English noun, adjective) of both lists of pairs with "it", which no training may use."""
    return frozenset(
        (noun, word)
        for pair in (*pronoun_pairs(), *second_pairs())
        for noun in re.findall(r"\b(?:the|The) (\w+)", pair.texts[0])
        for word in pair.words
    )


def was_copied(wanted: str, french: str) -> bool:
    """Return whether a name or a number appears in a French text.

    A number is found by its digits in their order, whatever marks separate them.
    """
    if not any(c.isdigit() for c in wanted):
        return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", french) is not None
    digits = re.findall(r"\d", wanted)
    return re.search(rf"(?<!\d){'[ .,:h]*'.join(digits)}(?!\d)", french) is not None
