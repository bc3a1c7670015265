"""Measures how the translator translates "it" in our own pairs of sentences, for the page Words in context."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.checkpoints import shipped
from core.checkpoints.measured import MEASURED_FOLDER, write_measured
from core.device import choose
from core.text.pieces import AnyTokenizer
from core.text.pronoun_pairs import french_pronoun, pronoun_pairs
from core.text.tokenizer import Tokenizer
from core.training.translation import translate

MODEL = "translator"


def measure_pronouns(model: Any, tokenizer: AnyTokenizer) -> list[Mapping[str, Any]]:
    """Return the two greedy translations of each pair, and the pronoun of each translation."""
    assert isinstance(tokenizer, Tokenizer)
    pairs = pronoun_pairs()
    french = translate(model, tokenizer, [text for pair in pairs for text in pair.texts], width=1)
    both = zip(french[::2], french[1::2], strict=True)
    return [
        {"texts": pair.texts, "french": texts, "said": [french_pronoun(text) for text in texts]}
        for pair, texts in zip(pairs, both, strict=True)
    ]


def main(arguments: Sequence[str]) -> None:
    """Measure how the translator translates "it" in our pairs of sentences.

    ``python -m core.training pronouns [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training pronouns", description=main.__doc__)
    parser.add_argument("--out", type=Path, default=MEASURED_FOLDER, help="where the numbers are written")
    chosen = parser.parse_args(arguments)
    pairs = measure_pronouns(shipped.load(MODEL, choose()), shipped.tokenizer(MODEL))
    about = {
        "what": "which French pronoun the translator writes for “it”, greedily, in our own pairs of sentences",
        "model": MODEL,
        "steps": shipped.read(MODEL).card.steps,
        "data": "the pairs of core.text.pronoun_pairs, written for this project",
        "command": "python -m core.training pronouns",
    }
    write_measured(chosen.out / "pronouns.json", {**about, "pairs": pairs})
