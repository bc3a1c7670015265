"""Finds sentences kept out of training that a translator translates exactly as a person did."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.checkpoints import shipped
from core.checkpoints.measured import MEASURED_FOLDER, write_measured
from core.device import choose
from core.text.tokenizer import Tokenizer
from core.training.corpus import TATOEBA
from core.training.translation import Parallel, split_pairs, translate

LEAST, MOST = 4, 14  # words
KEPT_SENTENCES = 400


def exact_pairs(test: Parallel, translations: Sequence[str]) -> list[tuple[str, str]]:
    """Return the sentences whose translation equals one of the references, letter by letter: (English, French).

    They have `LEAST` to `MOST` words; at most `KEPT_SENTENCES` are returned, spread over the test set.
    """
    right = [
        (english, translation)
        for english, references, translation in zip(test.english, test.french, translations, strict=True)
        if translation in references and LEAST <= len(english.split()) <= MOST
    ]
    step = max(1.0, len(right) / KEPT_SENTENCES)
    return [right[int(number * step)] for number in range(min(KEPT_SENTENCES, len(right)))]


def main(arguments: Sequence[str]) -> None:
    """Find sentences kept out of training that a translator translates exactly as a person did.

    ``python -m core.training sentences --data DIR [--model NAME] [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training sentences", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with multi30k/ and tatoeba/")
    parser.add_argument("--model", default="translator", help="the shipped model that translates the sentences")
    parser.add_argument("--out", type=Path, default=MEASURED_FOLDER, help="where the sentences are written")
    chosen = parser.parse_args(arguments)
    card = shipped.read(chosen.model).card
    tokenizer = shipped.tokenizer(chosen.model)
    assert isinstance(tokenizer, Tokenizer)
    test = split_pairs(chosen.data, card.seed).tests["tatoeba"]
    model = shipped.load(chosen.model, choose())
    translations = translate(model, tokenizer, test.english, width=1)
    about = {
        "what": "English sentences kept out of training whose greedy translation is, letter by letter, one that a "
        f"person wrote; {LEAST} to {MOST} words, at most {KEPT_SENTENCES} of them",
        "model": chosen.model,
        "steps": card.steps,
        "data": [TATOEBA],
        "split": f"the test part of Tatoeba that the seed {card.seed} draws, {len(test.english):,} sentences",
        "command": f"python -m core.training sentences --data DIR --model {chosen.model}",
    }
    write_measured(chosen.out / f"sentences-{chosen.model}.json", {**about, "pairs": exact_pairs(test, translations)})
