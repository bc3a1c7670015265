"""The card of a model and the licences of its texts, as files beside its weights."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from core.checkpoints.card import Card


def card_files(card: Card) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of both files."""
    yield "card.json", (json.dumps(asdict(card), indent=2, ensure_ascii=False) + "\n").encode()
    yield "LICENCES.txt", licences(card).encode()


def licences(card: Card) -> str:
    """Return the texts that a model was trained on, with the licence of each, as lines."""
    sources = "\n".join(f"- {source['text']}: {source['licence']}" for source in card.data)
    return f"{card.title} was trained on\n{sources}\n"
