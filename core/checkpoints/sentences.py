"""Sentences that a translator is known to translate well, for visitors whose own sentence was translated wrongly."""

from functools import cache
from pathlib import Path

from core.checkpoints.measured import MEASURED_FOLDER, load_measured


@cache
def known_sentences(model: str, folder: Path = MEASURED_FOLDER) -> tuple[str, ...]:
    """Return the English sentences of ``sentences-<model>.json``; none if that file is missing or damaged."""
    try:
        pairs = load_measured(f"sentences-{model}", folder)["pairs"]
        return tuple(str(english) for english, _ in pairs)
    except (ValueError, KeyError, TypeError):
        return ()
