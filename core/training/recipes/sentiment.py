"""Classifiers of film reviews on the Stanford Sentiment Treebank (Socher et al. 2013).

One is small and trained from scratch; the other begins as the reader, which was trained to predict hidden pieces
(Devlin et al. 2019).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.analysis.proportions import wilson_interval
from core.checkpoints import shipped
from core.device import Placement
from core.model.classifier import Classifier, ClassifierConfig, build
from core.model.config import TransformerConfig
from core.text.negations import negations
from core.text.tokenizer import Tokenizer
from core.text.trainer import train_model
from core.training.augmentation import make_typos
from core.training.batches import Batch, Epochs, padded
from core.training.calibration import Predictions, reliability
from core.training.corpus import labelled
from core.training.loop import TrainConfig
from core.training.negated import find_adjectives, negated_rows
from core.training.objectives import ClassificationLoss
from core.training.recipe import TrainingRecipe
from core.training.schedules import cosine
from core.training.translation import key

VOCABULARY = "unigram-4000"
SENTENCE_TURNS = 2  # the number of times a whole sentence is read for each time that a phrase is
BASE = "reader"
CPU = Placement("cpu", "float32")
SLIPS = 0.3  # the share of the texts that are read with a typing mistake or two
NEGATED = 8000  # made sentences with negations, in addition to about 68,000 rows of the treebank
HELD_OUT = 400  # training sentences held out to choose the weights; dev is for the score alone


@dataclass(frozen=True)
class SentimentTask:
    """The training of a classifier of film reviews.

    base: the shipped model whose weights and tokenizer the encoder begins with; "" for fresh weights and a vocabulary
    of its own.
    fresh: whether only the tokenizer of the base is used, with fresh weights.
    sentences: the number of whole sentences to train on, drawn by the seed, without phrases; None for all sentences and
    phrases.
    longest: the most words of a phrase; longer ones are left out.
    typed: whether the punctuation is joined to the words, as people type and as in the reader's texts.
    negated: the number of sentences to make in which a negation reverses the verdict, or seems to
    (`core.training.negated`).
    slips: the share of the texts of each step that are read with a typing mistake or two, drawn anew.
    """

    config: ClassifierConfig
    data: Path
    folder: Path
    seed: int
    batch_tokens: int = 4096
    smoothing: float = 0.1
    forget: float = 0.2
    vocabulary: str = VOCABULARY
    base: str = ""
    fresh: bool = False
    sentences: int | None = None
    longest: int | None = None
    typed: bool = False
    negated: int = 0
    slips: float = 0.0

    def objective(self) -> ClassificationLoss:
        model = build(self.config)
        if self.base and not self.fresh:
            model.encoder.load_state_dict(shipped.load(self.base, CPU).state_dict())
        return ClassificationLoss(model, self.smoothing, self.forget)

    @cached_property
    def parts(self) -> dict[str, list[tuple[str, int]]]:
        """The train, validation and dev rows, lower-cased.

        No validation or dev sentence is trained on, and no phrase of four words or more from a validation sentence.
        """
        folder = self.data / "sst2"
        named = {name: _lowered(labelled(folder / f"{name}.tsv.gz")) for name in ("train", "train_phrases", "dev")}
        order = np.random.default_rng(self.seed).permutation(len(named["train"]))
        held = {int(i) for i in order[: min(HELD_OUT, len(order) // 10)]}
        validation = [row for i, row in enumerate(named["train"]) if i in held]
        known = {key(text) for text, _ in [*named["dev"], *validation]}
        inside = " | ".join(f" {key(text)} " for text, _ in validation)
        sentences = [row for row in named["train"] if key(row[0]) not in known]
        if self.sentences is not None:
            drawn = np.random.default_rng(self.seed).permutation(len(sentences))[: self.sentences]
            return {"train": [sentences[i] for i in drawn], "validation": validation, "dev": named["dev"]}
        short = [row for row in named["train_phrases"] if self.longest is None or len(row[0].split()) <= self.longest]
        phrases = [row for row in short if not _is_held_out(row[0], inside, known)]
        rows = sentences * SENTENCE_TURNS + phrases
        if self.negated:
            held_out = {text for text, _ in negations()}
            rows += negated_rows(find_adjectives(rows), self.negated, held_out, self.seed)
        return {"train": rows, "validation": validation, "dev": named["dev"]}

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the base or, without a base, of the vocabulary in `folder`.

        The vocabulary is trained on the training rows if there is none yet.
        """
        if self.base:
            return Tokenizer.load(self.vocabulary)
        path = self.folder / f"{self.vocabulary}.model"
        if not path.exists():
            kind, size = self.vocabulary.split("-")
            path.write_bytes(train_model(kind, int(size), dict.fromkeys(text for text, _ in self.parts["train"])))
        return Tokenizer.load(self.vocabulary, self.folder)

    @cached_property
    def rows(self) -> list[tuple[list[int], int]]:
        return self._encoded("train")

    @cached_property
    def epochs(self) -> Epochs:
        return Epochs(np.array([len(ids) for ids, _ in self.rows]), self.batch_tokens, self.seed)

    def batch(self, step: int) -> Batch:
        rng = np.random.default_rng((self.seed, step))
        chosen = self.epochs.rows(step)
        changed = rng.random(len(chosen)) < self.slips
        rows = zip(chosen, changed, strict=True)
        return _batch([self._misspelt(row, rng) if slips else self.rows[row] for row, slips in rows])

    def _misspelt(self, index: int, rng: np.random.Generator) -> tuple[list[int], int]:
        text, label = self.parts["train"][index]
        return self.tokenizer.ids(make_typos(self._typed(text), rng)), label

    def validate(self, objective: nn.Module) -> Mapping[str, float]:
        rows = self._encoded("validation")
        batch = _batch(rows)
        device = next(objective.parameters()).device
        loss = objective(**{name: value.to(device) for name, value in batch.tensors.items()})
        return {"loss": float(loss) / len(rows), "accuracy": _percent(self._right(objective.model, rows) / len(rows))}

    def evaluate(self, model: Classifier) -> Mapping[str, Any]:
        """Return the percentage of dev sentences judged right, with its interval, and further scores.

        These are the percentage with typing mistakes, the number of our own sentences with negations judged right, and
        the reliability of the probabilities.
        """
        negated, dev = [(self.tokenizer.ids(text), label) for text, label in negations()], self._encoded("dev")
        right = self._right(model, dev)
        low, high = wilson_interval(right, len(dev))
        return {
            "accuracy_dev": _percent(right / len(dev)),
            "accuracy_dev_interval": {"low": _percent(low), "high": _percent(high)},
            "accuracy_dev_typing_mistakes": _percent(self._right(model, self._misspelt_dev()) / len(dev)),
            "negations": f"{self._right(model, negated)} of {len(negated)}",
            "reliability": reliability(self.predictions(model, test=True)),
        }

    @torch.no_grad()
    def predictions(self, model: Classifier, test: bool) -> Predictions:
        """Return the logits and the labels of the test sentences (dev), or of the validation ones."""
        batch = _batch(self._encoded("dev" if test else "validation")).tensors
        ids, labels = (batch[name].to(model.head.weight.device) for name in ("ids", "labels"))
        return [(model(ids, ids != 0).float(), labels)]

    @torch.no_grad()
    def divide_logits(self, model: Classifier, temperature: float) -> None:
        for weights in model.head.parameters():
            weights.div_(temperature)

    @torch.no_grad()
    def _right(self, model: Any, rows: list[tuple[list[int], int]]) -> int:
        """Return the number of texts whose likeliest class is their own."""
        batch = _batch(rows).tensors
        ids, labels = (batch[name].to(model.head.weight.device) for name in ("ids", "labels"))
        right: Tensor = model(ids, ids != 0).argmax(-1) == labels
        return int(right.sum())

    def _misspelt_dev(self) -> list[tuple[list[int], int]]:
        """Return the dev sentences with a typing mistake or two in each, the same for every model."""
        rng = np.random.default_rng(0)
        return [(self.tokenizer.ids(make_typos(self._typed(text), rng)), label) for text, label in self.parts["dev"]]

    def about(self) -> Mapping[str, Any]:
        own = {} if self.base else {"own": True}
        short = f"; phrases of more than {self.longest} words are left out" if self.longest else ""
        slips = f"; {self.slips:.0%} of the texts were read with a typing mistake or two" if self.slips else ""
        made = f"; {self.negated:,} rows with negations were made from its labelled words" if self.negated else ""
        before = f", which began as the model {self.base}" if self.base else ""
        return {
            "what": f"a self-attention encoder that tells good film reviews from bad ones{before}",
            "tokenizer": {"name": self.vocabulary, "lower": True} | own,
            "data": (
                *(shipped.read(self.base).card.data if self.base else ()),
                {
                    "text": "Stanford Sentiment Treebank, sentences and phrases with two labels (Socher et al. 2013)",
                    "licence": "none stated by its authors; used in research",
                },
            ),
            "split": f"scored on the 872 dev sentences, on which the settings were chosen too; the weights are picked"
            f" by {HELD_OUT} training sentences that are kept out with their phrases{short}{made}{slips}",
        }

    def write(self, folder: Path) -> None:
        if self.base:
            return
        (folder / f"{self.vocabulary}.model").write_bytes((self.folder / f"{self.vocabulary}.model").read_bytes())

    def _encoded(self, part: str) -> list[tuple[list[int], int]]:
        return [(self.tokenizer.ids(self._typed(text)), label) for text, label in self.parts[part]]

    def _typed(self, text: str) -> str:
        return as_typed(text) if self.typed else text


def as_typed(text: str) -> str:
    """Return a text of the treebank as people type it.

    The spaces before its marks (it is n't good , he said) are removed, and its quotation marks are replaced by plain
    ones.
    """
    text = text.replace("``", '"').replace("''", '"')
    text = re.sub(r" (n't|'(?:s|re|ve|ll|d|m)\b|[,.;:!?)])", r"\1", text)
    return text.replace("( ", "(")


def _lowered(rows: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return [(text.lower(), label) for text, label in rows]


def _is_held_out(phrase: str, inside: str, known: set[str]) -> bool:
    """Return whether a phrase is a kept-out sentence, or has four words or more and occurs in one."""
    words = key(phrase)
    return words in known or (len(words.split()) >= 4 and f" {words} " in inside)


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _batch(rows: list[tuple[list[int], int]]) -> Batch:
    labels = torch.tensor([label for _, label in rows])
    return Batch({"ids": padded([ids for ids, _ in rows]), "labels": labels}, len(rows))


def _config(seed: int) -> ClassifierConfig:
    return ClassifierConfig(
        TransformerConfig(
            architecture="encoder",
            vocab_size=int(VOCABULARY.partition("-")[2]),
            d_model=64,
            heads=4,
            layers=1,
            d_ff=128,
            norm_position="pre",
            positions="none",
            max_length=512,
            dropout=0.5,
            seed=seed,
        ),
        embedding_init="xavier",
    )


def _task(data: Path, folder: Path, seed: int) -> SentimentTask:
    return SentimentTask(_config(seed), data, folder, seed)


def reader_task(data: Path, folder: Path, seed: int) -> SentimentTask:
    """Return the task of the classifier that begins as the reader."""
    known = shipped.read(BASE)
    config = ClassifierConfig(replace(known.config, dropout=0.1, seed=seed))
    return SentimentTask(
        config,
        data,
        folder,
        seed,
        batch_tokens=1024,
        forget=0.1,
        vocabulary=known.card.tokenizer["name"],
        base=BASE,
        longest=12,
        typed=True,
        negated=NEGATED,
        slips=SLIPS,
    )


SENTIMENT = TrainingRecipe(
    "sentiment",
    "Classifier of film reviews, good or bad",
    "A self-attention encoder that tells good film reviews from bad ones.",
    "It knows English film reviews of about a sentence. It has no positions, so it cannot tell the order of the words.",
    _task,
    TrainConfig(cosine(1.5e-3, 100), steps=400, weight_decay=0.2),
)
SENTIMENT_READER = TrainingRecipe(
    "sentiment-reader",
    "Classifier of film reviews, pre-trained",
    "The reader, trained on to tell good film reviews from bad ones.",
    "It knows English film reviews of about a sentence.",
    reader_task,
    TrainConfig(cosine(4e-4, 150), steps=2400, weight_decay=0.01, validations=12),
)
