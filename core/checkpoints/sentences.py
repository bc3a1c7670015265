"""Texts that suit a model, for visitors whose own text does not: sentences that a translator translates well, and
beginnings from books of the kind that a storyteller has read."""

from functools import cache
from pathlib import Path

from core.checkpoints.firing import load_pool
from core.checkpoints.measured import MEASURED_FOLDER, load_measured

BEGINNING_WORDS = 10


@cache
def known_sentences(model: str, folder: Path = MEASURED_FOLDER) -> tuple[str, ...]:
    """Return the English sentences of ``sentences-<model>.json``; none if that file is missing or damaged."""
    try:
        pairs = load_measured(f"sentences-{model}", folder)["pairs"]
        return tuple(str(english) for english, _ in pairs)
    except (ValueError, KeyError, TypeError):
        return ()


@cache
def beginnings(folder: Path = MEASURED_FOLDER) -> tuple[str, ...]:
    """Return the first words of passages of children's books that no model was trained on; none if the file is damaged.

    A passage of at most `BEGINNING_WORDS` words is left out.
    """
    try:
        passages = [each.english.split() for each in load_pool(folder) if not each.french]
    except ValueError:
        return ()
    cut = [" ".join(words[:BEGINNING_WORDS]) for words in passages if len(words) > BEGINNING_WORDS]
    return tuple(dict.fromkeys(cut))
