"""The right answers to a lesson's questions about one word in several sentences."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.truth import Truth
from core.topics.words_in_context.occurrences import Alikeness, alikeness, occurrences, shared_word
from core.topics.words_in_context.sentences import read_sentence
from core.tracing.run import Run

SAME_COSINE = 1 - 1e-3  # the least cosine of two vectors that are called the same


def same_vector(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, sentences: Sequence[str], word: str = ""
) -> Truth:
    """Return when a word has the same vector in all sentences: "always", at "first" only, or "never".

    word: the word; "" for the first one that all sentences share.
    Raises ValueError if there is no such word.
    """
    chosen, alikeness = _alikeness(model, tokenizer, run, sentences, word)
    first, last = (np.array([pair.cosines[stage] for pair in alikeness.pairs]) for stage in (0, -1))
    when = "never" if first.min() < SAME_COSINE else "always" if last.min() >= SAME_COSINE else "first"
    return Truth(when, {"first": float(first.min()), **_facts(chosen, alikeness)})


def most_alike(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, sentences: Sequence[str], word: str = ""
) -> Truth:
    """Return the two sentences in which a word's vectors are most alike after the last layer.

    Raises ValueError if no word is shared, or if there are only two sentences to choose from.
    """
    chosen, alikeness = _alikeness(model, tokenizer, run, sentences, word)
    if len(alikeness.pairs) < 2:
        raise ValueError("This question needs three sentences.")
    labels = tuple(f"sentences {pair.name}" for pair in alikeness.pairs)
    sizes = tuple(float(pair.cosines[-1]) for pair in alikeness.pairs)
    return Truth(alikeness.pairs.index(alikeness.most_alike), _facts(chosen, alikeness), labels, sizes=sizes)


def _alikeness(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, sentences: Sequence[str], word: str
) -> tuple[str, Alikeness]:
    """Return the word that is compared, and how alike its vectors are."""
    stacks = run.config.has_two_stacks
    runs = [replace(run, text=text, target=text if stacks else "", pads=0, edits=()) for text in sentences]
    read = [read_sentence(model, tokenizer, sentence_run) for sentence_run in runs]
    chosen = shared_word(read, word)
    return chosen, alikeness(read, occurrences(read, chosen))


def _facts(word: str, alikeness: Alikeness) -> dict[str, str | float]:
    return {
        "word": word,
        "layers": sum(stage.startswith("layer") for stage in alikeness.stages),
        "most_pair": alikeness.most_alike.name,
        "most": float(alikeness.most_alike.cosines[-1]),
        "least_pair": alikeness.least_alike.name,
        "least": float(alikeness.least_alike.cosines[-1]),
    }
