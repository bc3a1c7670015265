"""BLEU by the length of the source, from the models' cards, and splitting a long sentence into short pieces."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.checkpoints.card import Card
from core.topics.sequence_to_sequence.records import TITLES

WHOLE_SCORE, JOINED_SCORE = "bleu_by_source_words", "bleu_joined_by_source_words"
MIN_PIECE_WORDS = 3  # the least words of a piece
JOINING_WORDS = "and|but|or|so|while|because|when|who|which|that|where|after|before|although"
CUT_PATTERN = re.compile(rf"(?<=,)\s+|\s+(?=(?:{JOINING_WORDS})\s)", re.IGNORECASE)


@dataclass(frozen=True)
class Bucket:
    """The BLEU of one model on sentences of one range of lengths, with its interval if the card has one."""

    model: str
    words: str
    bleu: float
    sentences: int
    low: float | None = None
    high: float | None = None


def buckets(cards: Mapping[str, Card], score: str = WHOLE_SCORE) -> list[Bucket]:
    """Return the BLEU of the three models by length from their cards, leaving out cards without this score."""
    return [
        Bucket(title, words, values["bleu"], int(values["sentences"]), values.get("low"), values.get("high"))
        for name, title in TITLES.items()
        if name in cards
        for words, values in cards[name].scores.get(score, {}).items()
    ]


def short_pieces(text: str) -> tuple[str, ...]:
    """Split a sentence at its commas and before words such as "and"; no piece has fewer than three words."""
    parts: list[str] = []
    for part in CUT_PATTERN.split(" ".join(text.split())):
        if parts and min(len(part.split()), len(parts[-1].split())) < MIN_PIECE_WORDS:
            parts[-1] = f"{parts[-1]} {part}"
        elif part:
            parts.append(part)
    return tuple(part.rstrip(",") for part in parts)
