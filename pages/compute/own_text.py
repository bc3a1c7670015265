"""Facts about a visitor's own sentence: the model's training texts, its pieces, its answer, and similar sentences."""

from contextlib import suppress
from statistics import fmean

from core.checkpoints.confidence import confidence
from core.checkpoints.sentences import known_sentences
from core.checkpoints.shipped import Shipped
from core.readings.own_text import read_broken_words, read_ending, read_training_texts, read_unsure
from core.sources.texts import source_named
from core.text.own_text import broken_words, nearest_sentences, repeated_words
from core.tracing.run import Run
from pages.compute.cache import check
from pages.compute.generation import greedy_translation, own_translation


def is_read(shipped_model: Shipped | None) -> bool:
    """Return whether there are sentences that this model is known to translate well.

    shipped_model: the model; None if there is none, and then the answer is False.
    """
    return shipped_model is not None and bool(known_sentences(shipped_model.name))


def training_texts(shipped_model: Shipped) -> str:
    """Return a sentence about the model's training texts, by the sources on its card; "" if none of them is ours."""
    kinds: dict[str, None] = {}
    for source in shipped_model.card.data:
        with suppress(ValueError):  # raised for a model that was not trained here
            kinds[source_named(source["text"]).texts] = None
    return read_training_texts(tuple(kinds)) if kinds else ""


def alike(shipped_model: Shipped, text: str) -> tuple[str, ...]:
    """Return the sentences that the model translates well, those most similar to `text` first."""
    return nearest_sentences(text, known_sentences(shipped_model.name))


def about_pieces(run: Run) -> str | None:
    """Return a sentence about the words of the text that fall into many pieces; None if there are no such words."""
    row = check(run)["encoder"]
    return read_broken_words(broken_words(row.word_labels, row.words))


def about_answer(run: Run) -> str | None:
    """Return a sentence if the model's own translation was cut off, repeats itself, or is unsure; None otherwise."""
    tokens = greedy_translation(run)
    ending = read_ending(not tokens or tokens[-1].ended, len(tokens), repeated_words(own_translation(run)))
    held_out = confidence(run.checkpoint)
    if ending or not held_out or not tokens:
        return ending
    unsure = fmean(token.surprisal for token in tokens) >= held_out.threshold
    return read_unsure(held_out.poor, held_out.elsewhere) if unsure else None
