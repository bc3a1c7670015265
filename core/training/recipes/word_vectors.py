"""Word vectors by CBOW and skip-gram, on stories and general books (Mikolov et al. 2013)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.model.word2vec import KINDS, WordVectors, WordVectorsConfig, build
from core.text.word_forms import read_words, text_words
from core.training.batches import Batch
from core.training.corpus import paragraphs
from core.training.loop import TrainConfig
from core.training.objectives import WordVectorLoss
from core.training.recipe import TrainingRecipe
from core.training.recipes.analogies import questions
from core.training.schedules import cosine

WORDS = "words.txt"
REACH, NEGATIVES = 5, 5
SUBSAMPLE = 1e-4  # t of Mikolov et al. 2013b, equation 5
NOISE_POWER = 0.75
EVERY = 50  # the last of so many equal parts of the text is kept out for validation


@dataclass(frozen=True)
class WordVectorsTask:
    config: WordVectorsConfig
    data: Path
    folder: Path
    seed: int
    rows: int = 128
    length: int = 64
    noise: int = 2

    def objective(self) -> WordVectorLoss:
        return WordVectorLoss(build(self.config), NEGATIVES)

    @cached_property
    def counts(self) -> tuple[list[str], np.ndarray]:
        """The commonest words, commonest first, and the number of times each occurs.

        The list of words in `folder` is used if it exists; otherwise it is written there. Raises ValueError if the text
        has too few different words.
        """
        counted = Counter(word for text in paragraphs(self.data) for word in text_words(text))
        path = self.folder / WORDS
        if not path.exists():
            common = sorted(counted, key=lambda word: (-counted[word], word))[: self.config.vocab_size]
            if len(common) < self.config.vocab_size:
                raise ValueError(f"The text has {len(common):,} different words, not {self.config.vocab_size:,}.")
            path.write_text("\n".join(common) + "\n", encoding="utf-8")
        words = read_words(path)
        return words, np.array([counted[word] for word in words], dtype=np.float64)

    @cached_property
    def text(self) -> np.ndarray:
        """All known words of the books, in order, as ids."""
        number = {word: i for i, word in enumerate(self.counts[0])}
        ids = (number[word] for text in paragraphs(self.data) for word in text_words(text) if word in number)
        return np.fromiter(ids, dtype=np.int64)

    @cached_property
    def kept(self) -> np.ndarray:
        """The probability that an occurrence of each word is kept: √(t / f), at most 1 (equation 5)."""
        frequency = self.counts[1] / max(1.0, self.counts[1].sum())
        return np.minimum(1.0, np.sqrt(SUBSAMPLE / np.maximum(frequency, 1e-12)))

    @cached_property
    def noise_edges(self) -> np.ndarray:
        """The cumulative probabilities of the noise words: counts to the power 3/4 (section 2.2)."""
        powers = self.counts[1] ** NOISE_POWER
        return np.cumsum(powers) / powers.sum()

    def batch(self, step: int) -> Batch:
        """Return stretches of the text from random positions, and noise words for all of them.

        Frequent words are thinned out.
        """
        return self._draw(np.random.default_rng((self.seed, step)), held_out=False)

    def _draw(self, rng: np.random.Generator, held_out: bool) -> Batch:
        edge = len(self.text) - len(self.text) // EVERY
        low, high = (edge, len(self.text)) if held_out else (0, edge)
        texts = []
        for _ in range(self.rows):
            start, ids = int(rng.integers(low, high)), np.empty(0, dtype=np.int64)
            while len(ids) < self.length:
                part = self.text[start : min(start + 4 * self.length, high)]
                ids = np.concatenate([ids, part[rng.random(len(part)) < self.kept[part]]])
                start = start + len(part) if start + len(part) < high else low
            texts.append(ids[: self.length])
        noise = np.searchsorted(self.noise_edges, rng.random((self.rows, self.noise)), side="right")
        window = rng.integers(1, REACH + 1, (self.rows, self.length))
        drawn = {"ids": np.stack(texts), "window": window, "noise": noise.clip(max=len(self.kept) - 1)}
        return Batch({name: torch.from_numpy(value) for name, value in drawn.items()}, self.rows * self.length)

    def validate(self, objective: WordVectorLoss) -> Mapping[str, float]:
        batch = self._draw(np.random.default_rng(self.seed), held_out=True)
        device = next(objective.parameters()).device
        loss = float(objective(**{name: value.to(device) for name, value in batch.tensors.items()}))
        return {"loss": loss / batch.predictions, **_accuracies(objective.model, self.counts[0])}

    def evaluate(self, model: WordVectors) -> Mapping[str, Any]:
        """Return the percentage of analogy questions answered right (analogies_*), and their number.

        Only the questions whose four words are all known are asked.
        """
        words = read_words(self.folder / WORDS)
        known = set(words)
        known_questions = [question for question in questions() if known.issuperset(question.words)]
        return {**_accuracies(model, words), "analogy_questions": len(known_questions)}

    def about(self) -> Mapping[str, Any]:
        return {
            "what": "vectors of the commonest words by CBOW and skip-gram",
            "tokenizer": {"words": WORDS},
            "data": (
                {
                    "text": "English books, plays and speeches, most from Project Gutenberg",
                    "licence": "public domain in the USA",
                },
            ),
            "split": f"the last of {EVERY} parts of the text is kept out to watch the loss; analogies are our own",
        }

    def write(self, folder: Path) -> None:
        if folder.resolve() != self.folder.resolve():
            (folder / WORDS).write_bytes((self.folder / WORDS).read_bytes())


def _accuracies(model: WordVectors, words: Sequence[str]) -> dict[str, float]:
    ids = torch.arange(len(words), device=next(model.parameters()).device)
    return {f"analogies_{kind}": accuracy(model(ids, kind).detach(), words) for kind in KINDS}


def accuracy(vectors: Tensor, words: Sequence[str]) -> float:
    """Return the percentage of analogy questions a : b = c : ? for which d is nearest to b − a + c.

    The three given words are left out. Nearness is the cosine, as in Mikolov et al. 2013a. A question with an unknown
    word is not asked.

    vectors: (V, D).
    words: the word of each vector.
    """
    indices = {word: i for i, word in enumerate(words)}
    quadruples = [[indices[w] for w in q.words] for q in questions() if all(w in indices for w in q.words)]
    if not quadruples:
        return 0.0
    unit = torch.nn.functional.normalize(vectors.float(), dim=1)
    a, b, c, d = torch.tensor(quadruples, device=unit.device).T
    near = (unit[b] - unit[a] + unit[c]) @ unit.T  # (questions, V)
    for given in (a, b, c):
        near[torch.arange(len(quadruples)), given] = -torch.inf
    return round(100 * float((near.argmax(1) == d).float().mean()), 2)


def _task(data: Path, folder: Path, seed: int) -> WordVectorsTask:
    return WordVectorsTask(WordVectorsConfig(seed=seed), data, folder, seed)


WORD_VECTORS = TrainingRecipe(
    "word-vectors",
    "Word vectors, CBOW and skip-gram",
    "Vectors of the 20,000 commonest words by CBOW and skip-gram with negative sampling.",
    "A word has one vector, whatever is meant: the bank of a river is the bank with the money.",
    _task,
    TrainConfig(cosine(3e-2, 100), steps=6000, betas=(0.9, 0.98), bf16=False, average=0, clip=1e9),
)
