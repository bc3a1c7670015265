"""Define a task for a small transformer: a vocabulary of its own, and random rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.text.special import PAD, SPECIAL

FIRST_TOKEN_ID = len(SPECIAL)  # the id of a task's first own token
MARKS = ("→", "=")  # either ends the question of a row
UNPREDICTED_TOKENS = 4  # tokens at the start of a row of text that are not asked for
HELD_OUT_ROWS = 128
HELD_OUT_SEED = 1_000_003  # above the seeds of runs


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a task, as a decoder reads them.

    ids (B, L): the tokens; shorter rows are filled up with padding at the end.
    asked (B, L): whether the token is part of the answer, which the model learns to predict from the tokens before it.
    """

    ids: np.ndarray
    asked: np.ndarray

    @property
    def given(self) -> np.ndarray:
        """The tokens that the model reads: (B, L − 1)."""
        return self.ids[:, :-1]

    @property
    def gold(self) -> np.ndarray:
        """The token after each of `given` if it is part of the answer, else padding: (B, L − 1)."""
        return np.where(self.asked, self.ids, PAD)[:, 1:]

    def first(self, count: int) -> "Rows":
        """Return the first rows."""
        return Rows(self.ids[:count], self.asked[:count])

    def __len__(self) -> int:
        return len(self.ids)


Draw = Callable[[np.random.Generator, int], Rows]


@dataclass(frozen=True)
class Task:
    """A task that a model learns from random rows, new ones in each step.

    name: its name in URLs and recipes.
    title: what the model has to do, in words of a learner.
    about: one or two sentences on what a row is.
    tokens: the vocabulary, besides the special tokens.
    make: make(generator, number) returns that many rows; `draw` takes the rows of training from it.
    longer: draws rows of lengths that are not in training; None if there are none.
    held_out: draws rows of a kind that `make` never draws; None if there is no such kind.
    probe: a row to look at while the model learns, as words with spaces between them.
    expects: the expected course of learning, with steps, for the settings that the task starts with.
    start: the settings that differ from the defaults when the task is chosen, by the fields of `Recipe`.
    success: the key of a function in `core.lab.happened.SENTENCES`, which says whether a run has shown what is
        expected: that the task is learned or, for a task that cannot be learned, that it is not.
    window: for a task on a text, the number of tokens in a row, of which all but the first few are to be predicted;
        None for other tasks.
    made_of, licence: the origin of the rows and its licence, for cards.
    triggers: tokens after which the next one is found by looking back, in rows whose other tokens are drawn by chance.
    """

    name: str
    title: str
    about: str
    tokens: tuple[str, ...]
    make: Draw
    probe: str
    expects: str
    longer: Draw | None = None
    start: Mapping[str, object] = field(default_factory=dict)
    held_out: Draw | None = None
    success: str = "rows"
    window: int | None = None
    made_of: str = "rows made by the program"
    licence: str = "none needed"
    triggers: tuple[str, ...] = ()

    def draw(self, rng: np.random.Generator, rows: int) -> Rows:
        """Return `rows` rows of training. A row that is held out is drawn again, for every generator."""
        drawn = self.make(rng, rows)
        while self._apart and (again := [row for row, ids in enumerate(drawn.ids) if ids.tobytes() in self._apart]):
            other = self.make(rng, len(again))
            drawn.ids[again], drawn.asked[again] = other.ids, other.asked
        return drawn

    def held_out_rows(self) -> Rows:
        """Return the rows on which runs are measured, always the same ones; none of them is ever drawn for training.

        Those of a text that holds nothing out are rows of its training.
        """
        return (self.held_out or self.make)(np.random.default_rng(HELD_OUT_SEED), HELD_OUT_ROWS)

    @property
    def holds_out(self) -> bool:
        """Whether rows are kept out of training. A text that is too short to be split is measured on all of it."""
        return self.held_out is not None or self.window is None

    @property
    def counts_tokens(self) -> bool:
        """Whether single right tokens are counted and not rows, of which hardly any can be right as a whole."""
        return self.window is not None or bool(self.triggers)

    @property
    def split(self) -> str:
        """The description of the held-out rows in a card."""
        if not self.holds_out:
            return "Nothing is held out: the scores are of rows of its training."
        if self.held_out is not None:
            return "Held-out rows are drawn from a part that is never in training."
        return f"{HELD_OUT_ROWS} rows are held out: a row of training that is one of them is drawn again."

    @cached_property
    def _apart(self) -> frozenset[bytes]:
        """The rows that `make` may draw and that are held out."""
        if self.held_out is not None or not self.holds_out:
            return frozenset()
        return frozenset(ids.tobytes() for ids in self.held_out_rows().ids)

    @property
    def vocab_size(self) -> int:
        """The number of tokens, the special ones among them."""
        return FIRST_TOKEN_ID + len(self.tokens)

    @cached_property
    def length(self) -> int:
        """The number of tokens in a row of training."""
        return self.window or self.make(np.random.default_rng(0), 1).ids.shape[1]

    @cached_property
    def longest(self) -> int:
        """The number of tokens in one of the longer test rows, or in a training row if the task has no longer rows."""
        return self.length if self.longer is None else self.longer(np.random.default_rng(0), 1).ids.shape[1]

    @cached_property
    def has_question(self) -> bool:
        """Whether each row is a question, which ends with a mark, and an answer: an encoder can read the question.

        All questions have the same length, so that no row of a batch needs padding in the encoder. A text has none.
        """
        if self.window is not None or not any(mark in MARKS for mark in self.tokens):
            return False
        asked = self.make(np.random.default_rng(0), 64).asked
        return bool(asked[:, -1].all()) and len(set(asked.argmax(1))) == 1

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """The id of each token."""
        return {token: FIRST_TOKEN_ID + number for number, token in enumerate(self.tokens)}

    def encode(self, words: str) -> list[int]:
        """Return the ids of tokens with spaces between them.

        Raises ValueError if one of them is not in the vocabulary.
        """
        unknown = [word for word in words.split() if word not in self.ids]
        if unknown:
            raise ValueError(f"“{unknown[0]}” is no token of this task: it has {', '.join(self.tokens[:12])}…")
        return [self.ids[word] for word in words.split()]

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return the tokens of these ids."""
        names = (*SPECIAL, *self.tokens)
        return [names[number] for number in ids]

    def written(self, ids: Sequence[int]) -> str:
        """Return tokens as words with spaces between them, without padding."""
        return " ".join(self.decode([number for number in ids if number != PAD]))


def question_and_answer(questions: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> Rows:
    """Return a row for each question, followed by its answer; only the answers are to be predicted."""
    longest = max(len(question) + len(answer) for question, answer in zip(questions, answers, strict=True))
    ids = np.full((len(questions), longest), PAD, dtype=np.int64)
    asked = np.zeros((len(questions), longest), dtype=bool)
    for row, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        ids[row, : len(question)] = question
        ids[row, len(question) : len(question) + len(answer)] = answer
        asked[row, len(question) : len(question) + len(answer)] = True
    return Rows(ids, asked)
