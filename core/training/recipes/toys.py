"""Three toy models on generated letters, whose heads each do one thing that can be named.

copy: a decoder continues a stretch of random letters that it has seen once, by induction.
reverse: an encoder-decoder writes its source backwards; its cross-attention runs along the other diagonal.
sort: an encoder-decoder writes its source in order; its cross-attention follows the rank of the letters.
"""

import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.analysis.heads import induction_score, previous_token_score
from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.text.special import BOS, EOS, SPECIAL
from core.tracing.taps import RecordingTap
from core.training.batches import Batch
from core.training.loop import TrainConfig
from core.training.objectives import LanguageLoss, TranslationLoss
from core.training.recipe import TrainingRecipe
from core.training.schedules import cosine

SYMBOLS = ("<pad>", "<unk>", "<s>", "</s>", *string.ascii_lowercase)
FIRST_SYMBOL_ID = len(SPECIAL)
SHORTEST = 4
ROWS, HELD_OUT = 128, 64
OTHER_STREAM = 1_000_003  # added to the seed to draw the held-out rows

MAX_SYMBOLS = {"copy": 20, "reverse": 12, "sort": 12}
WHAT = {
    "copy": "a decoder that goes on with a stretch of random letters that it has seen once: induction heads",
    "reverse": "an encoder-decoder that writes letters backwards: cross-attention along the other diagonal",
    "sort": "an encoder-decoder that writes letters in order: cross-attention by rank",
}


@dataclass(frozen=True)
class ToyTask:
    """The training of a toy, whose `kind` is "copy", "reverse" or "sort"."""

    kind: str
    config: TransformerConfig
    seed: int

    def objective(self) -> LanguageLoss | TranslationLoss:
        model = build(self.config)
        return LanguageLoss(model) if self.kind == "copy" else TranslationLoss(model)

    def batch(self, step: int) -> Batch:
        rng = np.random.default_rng((self.seed, step))
        return self.rows(draw_letters(int(rng.integers(SHORTEST, self.longest + 1)), ROWS, rng), rng)

    @property
    def longest(self) -> int:
        """The most letters of a row; longer rows are harder to reverse or to sort, but not to copy."""
        return MAX_SYMBOLS[self.kind]

    def rows(self, letters: np.ndarray, rng: np.random.Generator) -> Batch:
        """Return the batch for letters (rows, n)."""
        begin = np.full((len(letters), 1), BOS)
        if self.kind == "copy":
            text = torch.from_numpy(np.hstack([begin, letters, stretch(letters, rng)]))
            gold = text[:, 1:].clone()
            gold[:, : letters.shape[1] + 1] = 0  # neither the letters nor the first of the stretch can be known
            return Batch({"given": text[:, :-1], "gold": gold}, int((gold > 0).sum()))
        end = np.full((len(letters), 1), EOS)
        answer = letters[:, ::-1] if self.kind == "reverse" else np.sort(letters, axis=1)
        target = torch.from_numpy(np.hstack([begin, answer, end]))
        return Batch({"source": torch.from_numpy(np.hstack([letters, end])), "target": target}, target[:, 1:].numel())

    def held_out(self) -> list[tuple[np.ndarray, Batch]]:
        """Return letters of every length from a stream that training never draws from, and their batches."""
        rng = np.random.default_rng(self.seed + OTHER_STREAM)
        drawn = [draw_letters(length, HELD_OUT, rng) for length in range(SHORTEST, self.longest + 1)]
        return [(letters, self.rows(letters, rng)) for letters in drawn]

    def validate(self, objective: LanguageLoss | TranslationLoss) -> Mapping[str, float]:
        batches = [batch for _, batch in self.held_out()]
        device = next(objective.parameters()).device
        losses = [float(objective(**{k: v.to(device) for k, v in batch.tensors.items()})) for batch in batches]
        return {"loss": sum(losses) / sum(batch.predictions for batch in batches)}

    @torch.no_grad()
    def evaluate(self, model: Transformer) -> Mapping[str, Any]:
        """Return exact_match, the share of rows that are right to the last letter, and the best head's scores."""
        right, heads = [], []
        for letters, rows in self.held_out():
            batch, tap = rows.tensors, RecordingTap(record=("pattern",))
            if self.kind == "copy":
                logits, gold = model(target=batch["given"], tap=tap), batch["gold"]
            else:
                logits, gold = model(batch["source"], batch["target"][:, :-1], tap=tap), batch["target"][:, 1:]
            right.append(((logits.argmax(-1) == gold) | (gold == 0)).all(1).float().mean())
            heads.append(self._heads(tap.seen, batch, letters))
        names = heads[0].keys()
        best = {name: round(float(np.mean([scores[name] for scores in heads], axis=0).max()), 4) for name in names}
        return {"exact_match": round(float(torch.stack(right).mean()), 4), **best}

    def _heads(self, patterns_by_name: Mapping[str, Tensor], batch: Mapping[str, Tensor], letters: np.ndarray) -> dict:
        """Return each score's value (N, H) in every layer and head, over the rows of a batch."""
        if self.kind == "copy":
            stacked = np.stack([pattern.numpy() for pattern in patterns_by_name.values()], axis=1)  # (B, N, H, Q, K)
            texts = list(zip(stacked, batch["given"].numpy(), strict=True))
            induction = [induction_score(patterns, ids).filled(0.0) for patterns, ids in texts]
            previous = [previous_token_score(patterns).filled(0.0) for patterns, _ in texts]
            return {"induction_head": np.mean(induction, axis=0), "previous_token_head": np.mean(previous, axis=0)}
        crossing = [pattern.numpy() for key, pattern in patterns_by_name.items() if ".cross." in key]
        where = letter_places(self.kind, letters)  # (B, n)
        attention = np.stack(crossing, axis=1)[..., : where.shape[1], :]  # (B, N, H, n, S)
        weights = np.take_along_axis(attention, where[:, None, None, :, None], axis=-1)
        return {f"{self.kind}_head": weights.mean((0, 3, 4))}

    def about(self) -> Mapping[str, Any]:
        return {
            "what": WHAT[self.kind],
            "tokenizer": {"symbols": list(SYMBOLS)},
            "data": ({"text": "random letters, made by the program", "licence": "none needed"},),
            "split": f"fresh letters at every step; scored on {HELD_OUT} rows of each length from another stream",
        }

    def write(self, folder: Path) -> None:
        """Write nothing, because a toy needs no files beside its weights."""


def draw_letters(length: int, rows: int, rng: np.random.Generator) -> np.ndarray:
    """Draw ids of letters (rows, length), all different within a row."""
    return FIRST_SYMBOL_ID + rng.permuted(np.tile(np.arange(26), (rows, 1)), axis=1)[:, :length]


def stretch(letters: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a stretch (rows, m) of the letters of each row, 2 ≤ m ≤ n, from a position drawn for each row.

    If the stretch were always the whole row, it could be written without looking for the last letter, because the
    oldest letter not yet repeated is always next.
    """
    length = int(rng.integers(2, letters.shape[1] + 1))
    start = rng.integers(0, letters.shape[1] - length + 1, size=(len(letters), 1))
    return np.take_along_axis(letters, start + np.arange(length), axis=1)


def letter_places(kind: str, letters: np.ndarray) -> np.ndarray:
    """Return the position in the source of each letter of the answer, (rows, n)."""
    if kind == "sort":
        return letters.argsort(axis=1)
    return np.broadcast_to(np.arange(letters.shape[1])[::-1], letters.shape)


def toy_config(kind: str, seed: int) -> TransformerConfig:
    copies = kind == "copy"
    return TransformerConfig(
        architecture="decoder" if copies else "encoder-decoder",
        vocab_size=len(SYMBOLS),
        d_model=64,
        heads=2,
        layers=2,
        d_ff=128,
        norm_position="pre",
        positions="rotary" if copies else "sinusoidal",  # a letter must be found by what it is, not by where
        max_length=64,
        tied=True,
        seed=seed,
    )


TITLES = {
    "copy": "Toy, repeats letters",
    "reverse": "Toy, writes letters backwards",
    "sort": "Toy, sorts letters",
}


def _recipe(kind: str, steps: int, checkpoints: tuple[float, ...] = ()) -> TrainingRecipe:
    training = TrainConfig(
        cosine(3e-3, 100), steps, bf16=False, validations=5, average=0, checkpoints=checkpoints, eps=1e-8
    )

    def task(data: Path, folder: Path, seed: int) -> ToyTask:
        return ToyTask(kind, toy_config(kind, seed), seed)

    sentence, letters = f"{WHAT[kind][0].upper()}{WHAT[kind][1:]}.", MAX_SYMBOLS[kind]
    limits = f"It knows the 26 small letters and nothing else, and was trained on rows of at most {letters}."
    return TrainingRecipe(f"toy-{kind}", TITLES[kind], sentence, limits, task, training, needs_data=False)


GROWTH = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.6, 1.0)
TOYS = (_recipe("copy", 2000, GROWTH), _recipe("reverse", 1500), _recipe("sort", 1500))
