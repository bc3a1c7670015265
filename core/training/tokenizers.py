"""Trains the six sentencepiece tokenizers of ``assets/tokenizers``.

How one is made: `core.text.trainer`.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sentencepiece

from core.text.trainer import KINDS, TYPED_CHARACTERS, train_model
from core.training.corpus import paragraphs, sentence_pairs

SIZES = (1000, 4000, 8000)
SEED = 20240817
BOOK_CHARACTERS = 12_000_000
HELD_OUT_LINES = 2_000

DATA = [
    {
        "text": "English books, plays, speeches and the World Factbook of 1992, most from Project Gutenberg",
        "licence": "public domain in the USA",
    },
    {
        "text": "English sentences of Tatoeba, tatoeba.org and its contributors, by way of manythings.org/anki",
        "licence": "CC BY 2.0 FR",
    },
]


@dataclass(frozen=True)
class TrainingLines:
    """Lines to train on and lines kept apart to measure on."""

    train: tuple[str, ...]
    held_out: tuple[str, ...]


def sample_lines(
    data: Path, seed: int = SEED, characters: int = BOOK_CHARACTERS, held_out: int = HELD_OUT_LINES
) -> TrainingLines:
    """Draw book paragraphs of up to ``characters`` characters and all English sentences, in an order set by ``seed``.

    Of each of the two sources, at most ``held_out / 2`` lines and at most a tenth of all lines are held out.
    """
    rng = np.random.default_rng(seed)
    book_train, book_test = _split(paragraphs(data), rng, held_out // 2)
    english_train, english_test = _split((english for english, _ in sentence_pairs(data)), rng, held_out // 2)
    lengths = np.cumsum([len(line) for line in book_train])
    book_train = book_train[: int(np.searchsorted(lengths, characters, side="right"))]
    return TrainingLines(tuple(book_train + english_train), tuple(book_test + english_test))


def _split(texts: Iterable[str], rng: np.random.Generator, held_out: int) -> tuple[list[str], list[str]]:
    unique = list(dict.fromkeys(texts))
    shuffled = [unique[i] for i in rng.permutation(len(unique))]
    cut = min(held_out, len(shuffled) // 10)
    return shuffled[cut:], shuffled[:cut]


def characters_per_piece(model: bytes, texts: Iterable[str]) -> float:
    """Return the mean number of characters that one piece covers."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    counts = [(len(text), len(processor.encode(" " + text))) for text in texts]
    return sum(length for length, _ in counts) / max(1, sum(pieces for _, pieces in counts))


def train_tokenizers(data: Path, out: Path, sizes: Sequence[int] = SIZES) -> None:
    """Train both kinds at each of ``sizes`` on the text in ``data``, and write models and card into ``out``."""
    sample = sample_lines(data)
    out.mkdir(parents=True, exist_ok=True)
    models = {}
    for kind in KINDS:
        for size in sizes:
            start = time.monotonic()
            model = train_model(kind, size, sample.train)
            seconds = time.monotonic() - start
            name = f"{kind}-{size}"
            (out / f"{name}.model").write_bytes(model)
            models[name] = {
                "kind": kind,
                "pieces": size,
                "bytes": len(model),
                "sha256": hashlib.sha256(model).hexdigest(),
                "characters_per_piece": round(characters_per_piece(model, sample.held_out), 3),
                "seconds": round(seconds, 1),
            }
            print(f"{name}: {seconds:.1f} s, {models[name]['characters_per_piece']} characters per piece", flush=True)
    card = _card(sample, models)
    (out / "card.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _card(sample: TrainingLines, models: dict[str, dict]) -> dict:
    return {
        "what": "sentencepiece tokenizers of English, unigram and BPE",
        "command": "python -m core.training tokenizers --data DIR",
        "data": DATA,
        "seed": SEED,
        "sentencepiece": sentencepiece.__version__,
        "normalisation": "none (identity): capitals, punctuation and every space are kept",
        "spaces": "A space is the mark U+2581. core.text puts one space before each line and takes it off in decoding;"
        " the models add none themselves.",
        "unknown_characters": "byte fallback: a character that is no piece becomes its UTF-8 bytes, <0x00> to <0xFF>",
        "always_pieces": TYPED_CHARACTERS,
        "special_pieces": {"<pad>": 0, "<unk>": 1, "<s>": 2, "</s>": 3},
        "train": {"lines": len(sample.train), "characters": sum(map(len, sample.train))},
        "held_out": {"lines": len(sample.held_out), "characters": sum(map(len, sample.held_out))},
        "score": "characters_per_piece: characters of the held-out lines divided by their pieces",
        "models": models,
    }


def main(arguments: Sequence[str]) -> None:
    """Train the shipped sentencepiece tokenizers.

    ``python -m core.training tokenizers --data DIR [--out DIR]``.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training tokenizers", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with general/, stories/ and tatoeba/")
    parser.add_argument("--out", type=Path, default=Path("assets/tokenizers"), help="where the models are written")
    chosen = parser.parse_args(arguments)
    train_tokenizers(chosen.data, chosen.out)
