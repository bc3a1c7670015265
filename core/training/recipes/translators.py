"""The four translators from English to French: two transformers and two recurrent models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from core.model import recurrent, transformer
from core.model.config import TransformerConfig
from core.model.recurrent import Recurrent, RecurrentConfig
from core.model.transformer import Transformer
from core.text.special import BOS, PAD
from core.text.tokenizer import Tokenizer
from core.text.trainer import train_model
from core.training import agreement, evaluation, translation
from core.training.augmentation import find_names
from core.training.augmented import AugmentedRounds, describe
from core.training.batches import Batch, Epochs, padded
from core.training.calibration import Predictions, reliability
from core.training.corpus import MULTI30K, TATOEBA, paragraphs
from core.training.loop import TrainConfig
from core.training.objectives import TranslationLoss
from core.training.recipe import TrainingRecipe
from core.training.schedules import cosine, in_turn, trapezoid

VOCABULARY = "unigram-8000"
MAX_PAIR_PIECES = 64  # pieces; longer pairs are left out of training
LONGEST_AUGMENTED = 100
SCORED_TOGETHER = 50  # pairs whose logits over the vocabulary are held at once


@dataclass(frozen=True)
class TranslationTask:
    """The training of a translator of either family, on Multi30k and, unless `lower`, Tatoeba.

    - lower: whether all text is in lower case.
    - augmented: the step from which the pairs are changed anew in each round to resemble visitors' texts
      (`core.training.augmented`); None to never change them.
    """

    config: TransformerConfig | RecurrentConfig
    what: str
    data: Path
    folder: Path
    seed: int
    batch_tokens: int
    smoothing: float = 0.1
    lower: bool = False
    augmented: int | None = None
    vocabulary: str = VOCABULARY

    def objective(self) -> TranslationLoss:
        return TranslationLoss(_build(self.config), self.smoothing)

    @cached_property
    def split(self) -> translation.Split:
        split = translation.split_pairs(self.data, self.seed, tatoeba=not self.lower)
        if not self.lower:
            return split
        tests = {name: test.lower() for name, test in split.tests.items()}
        return translation.Split(_lowered(split.train), _lowered(split.validation), tests)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The shared vocabulary in `folder`, trained on both sides of the training pairs if there is none yet."""
        path = self.folder / f"{self.vocabulary}.model"
        if not path.exists():
            kind, size = self.vocabulary.split("-")
            texts = (text for side in zip(*self.split.train, strict=True) for text in dict.fromkeys(side))
            path.write_bytes(train_model(kind, int(size), texts))
        return Tokenizer.load(self.vocabulary, self.folder)

    @cached_property
    def rounds(self) -> AugmentedRounds:
        """The augmented rows, without the names and combinations that the evaluation lists hold."""
        pairs = self.split.train
        names = find_names(pairs, paragraphs(self.data), kept_out=evaluation.names())
        nouns = {french for role in agreement.NOUNS.values() for _, french in agreement.noun_table(role)}
        genders = agreement.count_genders((french for _, french in pairs), nouns)
        made = agreement.AgreementPairs(genders, evaluation.agreement_kept_out())
        return AugmentedRounds(pairs, names, made, self.tokenizer, self.batch_tokens, LONGEST_AUGMENTED, self.seed)

    @cached_property
    def rows(self) -> list[tuple[list[int], list[int]]]:
        return [pair for pair in self._encoded(self.split.train) if max(map(len, pair)) <= MAX_PAIR_PIECES]

    @cached_property
    def epochs(self) -> Epochs:
        lengths = np.array([(len(target), len(source)) for source, target in self.rows])
        return Epochs(lengths, self.batch_tokens, self.seed)

    def batch(self, step: int) -> Batch:
        if self.augmented is not None and step >= self.augmented:
            return _batch(self.rounds.rows(step - self.augmented))
        return _batch([self.rows[i] for i in self.epochs.rows(step)])

    def validate(self, objective: nn.Module) -> Mapping[str, float]:
        """Return the loss of one target piece, in nats, without smoothing."""
        rows = sorted(self._encoded(self.split.validation), key=lambda pair: len(pair[1]))
        batches = [_batch(rows[start : start + 128]) for start in range(0, len(rows), 128)]
        device = next(objective.parameters()).device
        losses = [float(objective(**{k: v.to(device) for k, v in batch.tensors.items()})) for batch in batches]
        return {"loss": sum(losses) / sum(batch.predictions for batch in batches)}

    def evaluate(self, model: Transformer | Recurrent) -> Mapping[str, Any]:
        holds = {"reliability": reliability(self.predictions(model, test=True))}
        if not self.lower:
            return translation.bleu_scores(model, self.tokenizer, self.split.tests) | holds
        test = self.split.tests["multi30k_2016"]
        translations = translation.translate(model, self.tokenizer, test.english)
        return {
            "bleu_multi30k_2016_lc": translation.bleu(translations, test.french, lower=True),
            "bleu_multi30k_2016_lc_international": translation.bleu(
                translations, test.french, lower=True, tokens="intl"
            ),
            **holds,
        }

    @torch.no_grad()
    def predictions(self, model: Transformer | Recurrent, test: bool) -> Predictions:
        """Yield logits and right pieces for the test pairs, or for the validation pairs.

        There is one row for each French piece and the end of each text, given the pieces before it.
        """
        pairs = self.split.validation
        if test:
            parts = self.split.tests.values()
            pairs = tuple(
                (english, french[0])
                for part in parts
                for english, french in zip(part.english, part.french, strict=True)
            )
        rows = sorted(self._encoded(pairs), key=lambda pair: len(pair[1]))
        device = model.embed.weight.device
        read = TranslationLoss(model).read
        for start in range(0, len(rows), SCORED_TOGETHER):
            tensors = _batch(rows[start : start + SCORED_TOGETHER]).tensors
            source, target = (tensors[name].to(device) for name in ("source", "target"))
            written = target[:, 1:] != PAD
            yield model.logits(read(source, target[:, :-1])[written]).float(), target[:, 1:][written]

    def divide_logits(self, model: Transformer | Recurrent, temperature: float) -> None:
        model.config = replace(model.config, logit_scale=round(1 / temperature, 4))

    def about(self) -> Mapping[str, Any]:
        held = "Multi30k: its own validation and test_2016_flickr parts"
        if not self.lower:
            held += (
                f"; Tatoeba: {translation.TEST:,} English sentences for the test and {translation.VALIDATION} for"
                " validation, drawn by the seed, with all their translations; no English sentence, compared without"
                " case and punctuation, is on both sides"
            )
        if self.augmented is not None:
            held += f"; from step {self.augmented:,} on each round has {describe(self.rounds.shares)}"
        return {
            "what": self.what,
            "tokenizer": {"name": self.vocabulary, "own": True, "lower": self.lower},
            "data": (MULTI30K,) if self.lower else (TATOEBA, MULTI30K),
            "split": held,
        }

    def write(self, folder: Path) -> None:
        raw = (self.folder / f"{self.tokenizer.name}.model").read_bytes()
        (folder / f"{self.tokenizer.name}.model").write_bytes(raw)

    def _encoded(self, pairs: tuple[tuple[str, str], ...]) -> list[tuple[list[int], list[int]]]:
        encode = self.tokenizer
        return [
            (translation.ids_with_end(encode, english), [BOS, *translation.ids_with_end(encode, french)])
            for english, french in pairs
        ]


def _build(config: TransformerConfig | RecurrentConfig) -> Transformer | Recurrent:
    return recurrent.build(config) if isinstance(config, RecurrentConfig) else transformer.build(config)


def _lowered(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((english.lower(), french.lower()) for english, french in pairs)


def _batch(rows: list[tuple[list[int], list[int]]]) -> Batch:
    source, target = padded([row[0] for row in rows]), padded([row[1] for row in rows])
    return Batch({"source": source, "target": target}, sum(len(row[1]) - 1 for row in rows))


def _transformer(
    d_model: int, heads: int, layers: int, d_ff: int, dropout: float
) -> Callable[[int], TransformerConfig]:
    def config(seed: int) -> TransformerConfig:
        return TransformerConfig(
            architecture="encoder-decoder",
            d_model=d_model,
            heads=heads,
            layers=layers,
            d_ff=d_ff,
            norm_position="pre",
            max_length=256,
            dropout=dropout,
            seed=seed,
        )

    return config


def _recurrent(kind: str, d_model: int, units: int, dropout: float) -> Callable[[int], RecurrentConfig]:
    return lambda seed: RecurrentConfig(kind, 8000, d_model, units, dropout, 256, seed)


def _recipe(
    name: str,
    title: str,
    what: str,
    limits: str,
    config: Callable[[int], TransformerConfig | RecurrentConfig],
    training: TrainConfig,
    batch_tokens: int,
    lower: bool = False,
    augmented: int | None = None,
) -> TrainingRecipe:
    def task(data: Path, folder: Path, seed: int) -> TranslationTask:
        return TranslationTask(config(seed), what, data, folder, seed, batch_tokens, lower=lower, augmented=augmented)

    return TrainingRecipe(name, title, f"{what[0].upper()}{what[1:]}.", limits, task, training)


def _two_parts(peak: float, plain: int, peak_augmented: float, augmented: int) -> TrainConfig:
    """Return the settings of a training in two parts.

    plain: the number of steps on unchanged pairs, which come first.
    augmented: the number of steps on pairs that are changed anew in each round.
    peak, peak_augmented: the largest learning rate of each part.
    """
    schedule = in_turn((cosine(peak, 400), plain), (trapezoid(peak_augmented, 100, cooling=0.5), augmented))
    steps = plain + augmented
    return TrainConfig(schedule, steps=steps, validations=steps // 500, average_from=0.97)


SHORT = "It was trained on everyday sentences and captions of pictures; it does worse on more than 20 words."
PLAIN_STEPS, AUGMENTED_STEPS = 9000, 7500
TRANSLATOR = _recipe(
    "translator",
    "Translator, English to French",
    "a transformer that translates English to French, on Tatoeba and Multi30k",
    "It was trained on everyday sentences and captions of pictures. Of names that it has never seen it copies about"
    " four in five, and rare words come out wrong.",
    _transformer(d_model=256, heads=4, layers=3, d_ff=1024, dropout=0.1),
    _two_parts(2e-3, PLAIN_STEPS, 7e-4, AUGMENTED_STEPS),
    batch_tokens=4096,
    augmented=PLAIN_STEPS,
)
TRANSLATOR_MULTI30K = _recipe(
    "translator-multi30k",
    "Small translator, of captions alone",
    "a small transformer on lower-cased Multi30k alone, to compare with the literature",
    "It knows captions of pictures in lower case, and nothing else.",
    _transformer(d_model=128, heads=4, layers=4, d_ff=256, dropout=0.3),
    TrainConfig(cosine(4e-3, 400), steps=5000),
    batch_tokens=4096,
    lower=True,
)
RECURRENT_PLAIN_STEPS, RECURRENT_AUGMENTED_STEPS = 6000, 5000
RECURRENT_TRAINING = _two_parts(1.5e-3, RECURRENT_PLAIN_STEPS, 7e-4, RECURRENT_AUGMENTED_STEPS)
RNN_BOTTLENECK = _recipe(
    "rnn-bottleneck",
    "Recurrent translator, without attention",
    "a GRU encoder-decoder that translates through one vector (Cho et al. 2014)",
    "The whole sentence must pass through one vector: the longer it is, the more gets lost.",
    _recurrent("bottleneck", d_model=256, units=608, dropout=0.1),
    RECURRENT_TRAINING,
    batch_tokens=4096,
    augmented=RECURRENT_PLAIN_STEPS,
)
RNN_ATTENTION = _recipe(
    "rnn-attention",
    "Recurrent translator, with attention",
    "RNNSearch: GRUs with additive attention that translate English to French (Bahdanau et al. 2015)",
    SHORT,
    _recurrent("attention", d_model=256, units=432, dropout=0.1),
    RECURRENT_TRAINING,
    batch_tokens=4096,
    augmented=RECURRENT_PLAIN_STEPS,
)
TRANSLATORS = (TRANSLATOR, TRANSLATOR_MULTI30K, RNN_BOTTLENECK, RNN_ATTENTION)
