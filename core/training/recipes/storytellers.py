"""The storytellers: decoders that continue a story, trained on children's books; whole books are held out."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.text.special import BOS
from core.text.tokenizer import Tokenizer
from core.training.batches import Batch
from core.training.corpus import book_lines, split_stories
from core.training.loop import TrainConfig
from core.training.objectives import LanguageLoss
from core.training.recipe import TrainingRecipe
from core.training.schedules import cosine, in_turn

CONTEXT = 256
LINE_END = 4 + 10  # the piece of the byte "\n"
VALIDATION_WINDOWS = 64
FIRST, SECOND = 7000, 5500  # steps of the two falls of the learning rate
ECHO = (24, 120)  # pieces of a repeated passage: the least, and one more than the most


@dataclass(frozen=True)
class StoryTask:
    """The training of a storyteller on windows of books.

    From step `echo_from` on, `echoes` rows of a batch are changed to say a passage, something else, and the passage
    again. Books seldom repeat themselves word by word; from rows that do, heads learn to look for what came after
    (Olsson et al. 2022).
    """

    config: TransformerConfig
    tokenizer_name: str
    data: Path
    folder: Path
    seed: int
    rows: int = 16
    echoes: int = 0
    echo_from: int = 0

    def objective(self) -> LanguageLoss:
        return LanguageLoss(build(self.config))

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return Tokenizer.load(self.tokenizer_name)

    @cached_property
    def parts(self) -> dict[str, list[Path]]:
        return split_stories(self.data, self.seed)

    @cached_property
    def train_ids(self) -> np.ndarray:
        """All training books as one row of ids, kept in `folder` once it is made."""
        path, paths = self.folder / "train-ids.npy", self.parts["train"]
        if not path.exists():
            np.save(path, book_ids(self.tokenizer, paths))
        return np.load(path, allow_pickle=False)

    def batch(self, step: int) -> Batch:
        """Return windows of the text, which hold every piece about once an epoch.

        Each epoch cuts the text at other positions. Raises ValueError if the text is too short for a window.
        """
        length = min(self.config.max_length, CONTEXT)
        count = (len(self.train_ids) - 2) // length - 1
        if count < 1:
            raise ValueError(f"The stories have {len(self.train_ids):,} pieces, too few for a window of {length}.")
        batches = max(1, count // self.rows)
        epoch, batch_index = divmod(step, batches)
        rng = np.random.default_rng((self.seed, epoch))
        shift, order = int(rng.integers(length)), rng.permutation(count)
        starts = shift + length * order[batch_index * self.rows : (batch_index + 1) * self.rows]
        batch = _windows(self.train_ids, starts, length)
        return self._echoed(batch, step) if self.echoes and step >= self.echo_from else batch

    def _echoed(self, batch: Batch, step: int) -> Batch:
        """Return the batch with its first rows changed, so that their beginning is repeated at their end."""
        rng = np.random.default_rng((self.seed, step, 1))
        text = torch.cat([batch.tensors["given"], batch.tensors["gold"][:, -1:]], dim=1)  # (B, L + 1)
        for row in text[: self.echoes]:
            long = int(rng.integers(*ECHO))
            row[-long:] = row[:long].clone()
        return Batch({"given": text[:, :-1], "gold": text[:, 1:]}, batch.predictions)

    def validate(self, objective: nn.Module) -> Mapping[str, float]:
        """Return the loss of one piece, in nats, in windows spread over the validation books."""
        ids, length = self.held_out("validation"), min(self.config.max_length, CONTEXT)
        starts = np.unique(np.linspace(0, len(ids) - length - 1, VALIDATION_WINDOWS).astype(int))
        device = next(objective.parameters()).device
        total = 0.0
        for chosen in np.array_split(starts, math.ceil(len(starts) / 16)):
            batch = _windows(ids, chosen, length)
            total += float(objective(**{name: value.to(device) for name, value in batch.tensors.items()}))
        return {"loss": total / (len(starts) * length)}

    def held_out(self, part: str) -> np.ndarray:
        return book_ids(self.tokenizer, self.parts[part])

    @torch.no_grad()
    def evaluate(self, model: Transformer) -> Mapping[str, Any]:
        """Return the loss (nats per piece), the perplexity and the bits per character over all test books.

        The windows overlap by half, so that all but the first pieces are predicted from at least half a context.
        """
        ids, length = self.held_out("test"), min(self.config.max_length, CONTEXT)
        characters = sum(len(line) + 1 for path in self.parts["test"] for line in book_lines(path))
        starts = np.arange(0, len(ids) - 1, length // 2)
        total, done = 0.0, 0
        for chosen in np.array_split(starts, math.ceil(len(starts) / 16)):
            rows = [(int(start), ids[start : start + length + 1]) for start in chosen]
            for start, row in rows:
                new = start + len(row) - 1 - done  # pieces not told yet
                if new > 0:
                    text = torch.from_numpy(row.astype(np.int64))[None]
                    logits = model(target=text[:, :-1])[0, -new:]
                    total += float(F.cross_entropy(logits, text[0, -new:], reduction="sum"))
                    done += new
        return {
            "loss": round(total / done, 4),
            "perplexity": round(math.exp(total / done), 2),
            "bits_per_char": round(total / math.log(2) / characters, 4),
        }

    def about(self) -> Mapping[str, Any]:
        held = [path.name.removesuffix(".txt.gz") for path in (*self.parts["validation"], *self.parts["test"])]
        return {
            "what": "a decoder that goes on with a story",
            "tokenizer": {"name": self.tokenizer_name},
            "data": (
                {
                    "text": f"{len(self.parts['train'])} children's books, most from Project Gutenberg",
                    "licence": "public domain in the USA",
                },
            ),
            "split": f"whole books kept out: {', '.join(held[:2])} for validation; {', '.join(held[2:])} for the score"
            f" (the tokenizer's own training sample was drawn from all books){self._said_twice}",
        }

    @property
    def _said_twice(self) -> str:
        if not self.echoes:
            return ""
        return f"; from step {self.echo_from:,} on, {self.echoes} of {self.rows} windows say a passage twice"

    def write(self, folder: Path) -> None:
        """Write nothing, because the tokenizer is one of the shipped ones."""


def book_ids(tokenizer: Tokenizer, paths: Iterable[Path]) -> np.ndarray:
    """Return books as ids: each begins with <s>, and each paragraph ends with the piece of a line end."""
    ids: list[int] = []
    for path in paths:
        ids.append(BOS)
        for line in book_lines(path):
            ids += [*tokenizer.ids(line), LINE_END]
    return np.array(ids, dtype=np.uint16)


def _windows(ids: np.ndarray, starts: np.ndarray, length: int) -> Batch:
    text = torch.from_numpy(ids[starts[:, None] + np.arange(length + 1)].astype(np.int64))
    return Batch({"given": text[:, :-1], "gold": text[:, 1:]}, len(starts) * length)


def _config(vocab_size: int, d_model: int, heads: int, layers: int, dropout: float, seed: int) -> TransformerConfig:
    return TransformerConfig(
        architecture="decoder",
        vocab_size=vocab_size,
        d_model=d_model,
        heads=heads,
        layers=layers,
        activation="gelu",
        norm_position="pre",
        positions="rotary",
        max_length=CONTEXT,
        dropout=dropout,
        seed=seed,
    )


def _large(data: Path, folder: Path, seed: int) -> StoryTask:
    return StoryTask(_config(8000, 320, 8, 6, 0.0, seed), "unigram-8000", data, folder, seed, echoes=2, echo_from=FIRST)


def _small(data: Path, folder: Path, seed: int) -> StoryTask:
    return StoryTask(_config(1000, 64, 4, 2, 0.0, seed), "unigram-1000", data, folder, seed)


GROWTH = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0)
STORYTELLERS = (
    TrainingRecipe(
        "storyteller",
        "Storyteller, with rotary positions",
        "A decoder of ten million parameters that goes on with a story.",
        "It writes like old children's books. It knows no facts, follows no instructions and soon loses the thread of "
        f"its story; it never sees more than {CONTEXT} pieces at once.",
        _large,
        TrainConfig(
            in_turn((cosine(2e-3, 200), FIRST), (cosine(1.5e-3, 200), SECOND)),
            steps=FIRST + SECOND,
            betas=(0.9, 0.95),
            weight_decay=0.1,
        ),
    ),
    TrainingRecipe(
        "storyteller-small",
        "Small storyteller, with the steps of its training",
        "A small storyteller whose steps on the way are kept, to watch its heads form.",
        "It is small, so that its training can be watched: its stories make no sense.",
        _small,
        TrainConfig(cosine(3e-3, 100), steps=4000, betas=(0.9, 0.95), weight_decay=0.1, checkpoints=GROWTH),
    ),
)
