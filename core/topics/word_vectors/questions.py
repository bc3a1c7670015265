"""The right answers to a lesson's questions about word vectors and their training; they do not depend on the run."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.truth import Truth
from core.topics.word_vectors.live import (
    Corpus,
    TrainingSettings,
    TrainingState,
    begin,
    grouped,
    next_step,
    read_corpus,
    trained_on,
)
from core.topics.word_vectors.relations import analogy, cosines
from core.topics.word_vectors.table import WordTable, read_table
from core.tracing.run import Run

table = lru_cache(maxsize=1)(read_table)
LISTED_WORDS = 10  # words among which the answers to an analogy are looked for


def nearest_word(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, word: str, words: Sequence[str], method: str = "skip-gram"
) -> Truth:
    """Return which of some words has the vector with the largest cosine with that of `word`.

    Raises ValueError if a word has no vector.
    """
    cosines = _cosines(table(), method, word, words)
    ranked = np.argsort(-cosines, kind="stable")
    facts = {
        "word": word,
        "best": words[ranked[0]],
        "cosine": float(cosines[ranked[0]]),
        "second": words[ranked[1]],
        "second_cosine": float(cosines[ranked[1]]),
        "least": words[ranked[-1]],
        "least_cosine": float(cosines[ranked[-1]]),
    }
    return Truth(int(ranked[0]), facts, tuple(words), sizes=tuple(map(float, cosines)))


def by_nearness(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, word: str, words: Sequence[str], method: str = "skip-gram"
) -> Truth:
    """Return the order of some words by the cosine of their vectors with that of `word`, the nearest first.

    The facts of the result hold the cosine of each word. Raises ValueError if a word has no vector.
    """
    cosines = _cosines(table(), method, word, words)
    order = tuple(int(index) for index in np.argsort(-cosines, kind="stable"))
    facts = {"word": word} | dict(zip(words, map(float, cosines), strict=True))
    return Truth(order, facts, tuple(words))


def end_of_analogy(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    analogy_of: Sequence[str],
    others: Sequence[str] = (),
    method: str = "skip-gram",
) -> Truth:
    """Return the word that is nearest to b − a + c if no word is left out.

    analogy_of: a, b and c.
    others: further words to choose from.
    Raises ValueError if a word has no vector, or if the answer cannot be chosen.
    """
    a, b, c = analogy_of
    labels = (b, c, *others)
    _known(table(), (a, *labels))
    result = analogy(table(), method, (a, b, c), LISTED_WORDS)
    reached = result.left_in.words[0]
    if reached not in labels:
        raise ValueError(f"This question needs “{reached}” among its words.")
    facts = {
        "reached": reached,
        "cosine": float(result.left_in.cosines[0]),
        "without": result.near.words[0],
        "without_cosine": float(result.near.cosines[0]),
    }
    return Truth(labels.index(reached), facts, labels)


def vectors_at_first(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how the word vectors are set before training: "zero", "random", or by "meaning".

    "random" if at most twice as many words as by chance have a nearest neighbour of their own group; otherwise
    "meaning".
    """
    corpus, state = _trained(0)
    right, words, chance = grouped(corpus, state)
    facts = {
        "words": len(corpus.words),
        "width": state.inputs.shape[1],
        "right": right,
        "compared": words,
        "chance": chance,
        "largest": float(np.abs(state.inputs).max()),
    }
    if not state.inputs.any():
        return Truth("zero", facts)
    return Truth("random" if right <= 2 * chance else "meaning", facts)


def effect_of_a_step(model: Transformer, tokenizer: AnyTokenizer, run: Run, steps: int) -> Truth:
    """Return which rows of both tables one more training step changes: "some" or "all"; "more" if it adds numbers.

    steps: those taken before.
    """
    corpus, before = _trained(steps)
    setup = TrainingSettings()
    after, coming = trained_on(setup, corpus, before, 1), next_step(setup, corpus, before)
    rows = [
        int((old != new).any(1).sum()) for old, new in ((before.inputs, after.inputs), (before.outputs, after.outputs))
    ]
    facts = {
        "sentence": " ".join(coming.sentence),
        "inputs": rows[0],
        "outputs": rows[1],
        "words": len(corpus.words),
        "numbers": after.inputs.size + after.outputs.size,
        "largest": float(np.abs(after.inputs - before.inputs).max()),
        "sentences": len(corpus.sentences),
    }
    if after.inputs.shape != before.inputs.shape or after.outputs.shape != before.outputs.shape:
        return Truth("more", facts)
    return Truth("all" if sum(rows) == 2 * len(corpus.words) else "some", facts)


def words_in_groups(model: Transformer, tokenizer: AnyTokenizer, run: Run, steps: int) -> Truth:
    """Return the share of words, in per cent, whose nearest neighbour is of their own group after some steps."""
    (corpus, first), (_, state) = _trained(0), _trained(steps)
    right, words, chance = grouped(corpus, state)
    facts = {
        "right": right,
        "words": words,
        "chance": chance,
        "first": grouped(corpus, first)[0],
        "steps": steps,
        "loss_first": float(state.losses[:20].mean()),
        "loss_last": float(state.losses[-20:].mean()),
    }
    return Truth(100 * right / words, facts)


@lru_cache(maxsize=3)
def _trained(steps: int) -> tuple[Corpus, TrainingState]:
    """Return the text and the tables after some steps of the training that the page opens with."""
    setup = TrainingSettings()
    corpus = read_corpus(setup)
    state = begin(setup, corpus)
    return corpus, trained_on(setup, corpus, state, steps) if steps else state


def _cosines(table: WordTable, method: str, word: str, words: Sequence[str]) -> np.ndarray:
    """Return the cosine of each of some words with `word`, (N,)."""
    _known(table, (word, *words))
    return cosines(table, method, (word, *words))[0, 1:]


def _known(table: WordTable, words: Sequence[str]) -> None:
    if missing := [word for word in words if word not in table.places]:
        raise ValueError(f"This question needs a vector for “{missing[0]}”, and there is none.")
