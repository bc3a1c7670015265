"""The reader: a masked language model, an encoder that predicts hidden pieces from both sides (Devlin et al. 2019)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from core.model.config import TransformerConfig
from core.model.transformer import Transformer, build
from core.text.special import MASK, PAD
from core.text.tokenizer import Tokenizer
from core.training import translation
from core.training.baselines import baseline_scores, count_pieces
from core.training.batches import Batch, Epochs
from core.training.corpus import MULTI30K, TATOEBA, book_lines, books, split_stories
from core.training.loop import TrainConfig
from core.training.masking import mask_pieces
from core.training.objectives import MaskedLanguageLoss
from core.training.packing import PackedRows, pack_documents
from core.training.recipe import TrainingRecipe
from core.training.recipes.storytellers import LINE_END
from core.training.schedules import cosine, in_turn, trapezoid

CONTEXT = 128
SPLIT_SEED = 0  # that of the shipped storytellers and translators, so that their held-out texts are held out here too
SCORED = 0  # the seed that chooses the pieces hidden in scoring
VALIDATION_ROWS, TOGETHER = 400, 64
FIRST, SECOND = 8_000, 12_000  # steps of the two falls of the learning rate


@dataclass(frozen=True)
class ReaderTask:
    """The training of the reader, on packed rows of books and single sentences with other pieces hidden at every step.

    In scoring, every piece to predict is replaced by the mask piece, so that none of them can be read.
    """

    config: TransformerConfig
    tokenizer_name: str
    data: Path
    seed: int
    batch_tokens: int = 4096

    def objective(self) -> MaskedLanguageLoss:
        return MaskedLanguageLoss(build(self.config))

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return Tokenizer.load(self.tokenizer_name)

    @cached_property
    def parts(self) -> dict[str, list[Path]]:
        """The stories of each part, split as for the storytellers, and all general books in "train"."""
        parts = split_stories(self.data, SPLIT_SEED)
        return {**parts, "train": parts["train"] + books(self.data / "general")}

    @cached_property
    def sentences(self) -> list[str]:
        """The English sentences that the translators were trained on, each once."""
        return list(dict.fromkeys(english for english, _ in translation.split_pairs(self.data, SPLIT_SEED).train))

    @cached_property
    def train_rows(self) -> PackedRows:
        alone = ([self.tokenizer.ids(sentence)] for sentence in self.sentences)
        return pack_documents(chain(self._documents(self.parts["train"]), alone), self.config.max_length)

    def _documents(self, paths: Iterable[Path]) -> Iterator[Iterator[Sequence[int]]]:
        for path in paths:
            yield ([*self.tokenizer.ids(line), LINE_END] for line in book_lines(path))

    @cached_property
    def epochs(self) -> Epochs:
        return Epochs(self.train_rows.lengths, self.batch_tokens, self.seed)

    def batch(self, step: int) -> Batch:
        rng = np.random.default_rng((self.seed, step, 2))
        given, gold = mask_pieces(self.train_rows.table(self.epochs.rows(step)), self.config.vocab_size, rng)
        return Batch({"given": torch.from_numpy(given), "gold": torch.from_numpy(gold)}, int((gold != PAD).sum()))

    def held_out(self, part: str, most: int | None = None) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return rows of a part's books with the same pieces hidden each time: pieces read, and pieces to predict.

        most: the most rows, spread over the books; None for all.
        """
        rows = pack_documents(self._documents(self.parts[part]), self.config.max_length)
        count = len(rows.lengths)
        spread = np.unique(np.linspace(0, count - 1, min(count, most or count)).astype(int))
        chosen = spread[np.argsort(rows.lengths[spread], kind="stable")]
        rng = np.random.default_rng(SCORED)
        tables = (rows.table(chosen[start : start + TOGETHER]) for start in range(0, len(chosen), TOGETHER))
        return [mask_pieces(table, self.config.vocab_size, rng, masked=1.0, swapped=0.0) for table in tables]

    @cached_property
    def _validation(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return self.held_out("validation", VALIDATION_ROWS)

    def validate(self, objective: MaskedLanguageLoss) -> Mapping[str, float]:
        """Return the loss (nats per hidden piece) and the accuracy (percent of hidden pieces predicted correctly)."""
        return _measured(objective, self._validation)

    def evaluate(self, model: Transformer) -> Mapping[str, Any]:
        """Return masked_accuracy (percent) and loss (nats) on all test books, and the scores of counting on them."""
        tables = self.held_out("test")
        measured = _measured(MaskedLanguageLoss(model), tables)
        counted = baseline_scores(count_pieces(self.train_rows, self.config.vocab_size), tables)
        return {"masked_accuracy": round(measured["accuracy"], 2), "loss": round(measured["loss"], 4), **counted}

    def about(self) -> Mapping[str, Any]:
        names = {part: ", ".join(path.name.removesuffix(".txt.gz") for path in self.parts[part]) for part in self.parts}
        stories = sum(path.parent.name == "stories" for path in self.parts["train"])
        return {
            "what": "an encoder that tells hidden pieces of a text from both sides",
            "tokenizer": {"name": self.tokenizer_name, "mask": MASK},
            "data": (
                {
                    "text": f"{stories} children's books and {len(self.parts['train']) - stories} novels, histories,"
                    " plays and speeches, most from Project Gutenberg",
                    "licence": "public domain in the USA",
                },
                TATOEBA | {"text": f"English sentences of {TATOEBA['text']}"},
                MULTI30K | {"text": f"English side of {MULTI30K['text']}"},
            ),
            "split": f"whole books kept out: {names['validation']} for validation; {names['test']} for the score; and"
            " of the sentences all that the translator is validated or tested on, compared without case and punctuation"
            " (the tokenizer's own training sample was drawn from all books); scored with 15 % of each row hidden,"
            " every hidden piece by the mask piece, beside what counts of the training rows tell of the same pieces:"
            " unigram by no neighbour, bigram by the piece before (Witten-Bell), both_sides by the piece after too",
        }

    def write(self, folder: Path) -> None:
        """Write nothing, because the tokenizer is one of the shipped ones."""


@torch.no_grad()
def _measured(objective: MaskedLanguageLoss, tables: Iterable[tuple[np.ndarray, np.ndarray]]) -> dict[str, float]:
    """Return the loss of one piece to predict, in nats, and the share predicted correctly, in percent."""
    device = next(objective.parameters()).device
    total, right, predicted = 0.0, 0, 0
    for table in tables:
        given, gold = (torch.from_numpy(array).to(device) for array in table)
        asks = gold != PAD
        targets = gold[asks]
        logits = objective.model.logits(objective.read(given)[asks]).float()  # (T, V)
        total += float(F.cross_entropy(logits, targets, reduction="sum"))
        right += int((logits.argmax(-1) == targets).sum())
        predicted += len(targets)
    return {"loss": total / predicted, "accuracy": 100 * right / predicted}


def reader_config(seed: int) -> TransformerConfig:
    """Return the config of the reader.

    Embeddings are not multiplied by √d_model, because the learned positions, which begin as large as the embeddings,
    would be lost.
    """
    return TransformerConfig(
        architecture="encoder",
        vocab_size=8000,
        d_model=256,
        heads=8,
        layers=7,
        activation="gelu",
        norm_position="pre",
        positions="learned",
        max_length=CONTEXT,
        scale_embeddings=False,
        seed=seed,
    )


def _task(data: Path, folder: Path, seed: int) -> ReaderTask:
    return ReaderTask(reader_config(seed), "unigram-8000", data, seed)


READER = TrainingRecipe(
    "reader",
    "Reader, fills in hidden words",
    "An encoder of nearly eight million parameters that tells hidden pieces of a text (masked language model).",
    "It fills in what is hidden. It cannot go on with a text.",
    _task,
    TrainConfig(
        in_turn((trapezoid(1e-3, 1000), FIRST), (cosine(1e-3, 200), SECOND)),
        steps=FIRST + SECOND,
        betas=(0.9, 0.98),
        weight_decay=0.1,
        average=0,
    ),
)
