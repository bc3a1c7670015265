"""A folder of small models for tests: written as training writes them, without training."""

import json
import shutil
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.checkpoints.card import Card, family_of
from core.checkpoints.weights import save
from core.model import classifier, recurrent, transformer, word2vec
from core.model.config import TransformerConfig
from core.text.tokenizer import TOKENIZERS_FOLDER
from core.training.recipes.toys import SYMBOLS

TINY = TransformerConfig(vocab_size=len(SYMBOLS), d_model=8, heads=2, layers=1, max_length=64)
LETTERS = {"symbols": list(SYMBOLS)}
PIECES = {"name": "bpe-1000"}
OWN = {"name": "unigram-1000", "own": True, "lower": True}


def card_of(name: str, model: Any, tokenizer: dict[str, Any], steps: int = 200) -> Card:
    return Card(
        name=name,
        title=f"Small {name}",
        what="a model for tests",
        limits="It knows nothing.",
        family=family_of(model.config),
        config=json.loads(json.dumps(asdict(model.config))),
        tokenizer=tokenizer,
        data=({"text": "no data", "licence": "none needed"},),
        split="none",
        seed=3,
        steps=steps,
        minutes=0.5,
        parameters=sum(p.numel() for p in model.parameters()),
        commands={"train": f"python -m core.training {name}", "evaluate": f"python -m core.training evaluate {name}"},
        scores={"loss": 1.5, "by_length": {"1-5": {"bleu": 40.25}}},
    )


def fill(folder: Path) -> Path:
    """Seven models: five that a run can use, and a recurrent one and word vectors, which it cannot."""
    for path, content in _files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@cache
def _files() -> dict[Path, bytes]:
    """Each file of the folder by its path there: the models are made once."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _make(folder)
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _make(folder: Path) -> None:
    decoder = transformer.build(replace(TINY, architecture="decoder", positions="rotary", seed=1))
    both = transformer.build(replace(TINY, architecture="encoder-decoder", seed=2))
    words = replace(TINY, vocab_size=1000)
    reader = transformer.build(replace(words, architecture="decoder"))
    translator = transformer.build(replace(words, architecture="encoder-decoder"))
    judge = classifier.build(classifier.ClassifierConfig(words))
    for name, model, tokenizer in (
        ("toy-copy", decoder, LETTERS),
        ("toy-reverse", both, LETTERS),
        ("storyteller", reader, PIECES),
        ("translator", translator, OWN),
        ("sentiment", judge, OWN),
        ("rnn", recurrent.build(recurrent.RecurrentConfig(vocab_size=11, d_model=8, units=6)), PIECES),
        ("words", word2vec.build(word2vec.WordVectorsConfig(vocab_size=7, d_model=4)), {"words": "words.txt"}),
    ):
        save(folder / name, model, card_of(name, model, tokenizer))
        if tokenizer.get("own"):
            shutil.copy(TOKENIZERS_FOLDER / "unigram-1000.model", folder / name)
    for step in (0, 100, 200):
        grown = transformer.build(replace(decoder.config, seed=10 + step))
        save(folder / "toy-copy" / "steps" / f"{step:06d}", grown, card_of("toy-copy", decoder, LETTERS, step))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])
