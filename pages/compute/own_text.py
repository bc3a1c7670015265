"""Facts about a visitor's own sentence: the model's training texts, its pieces, its answer, and similar sentences."""

from contextlib import suppress
from statistics import fmean

from core.checkpoints.confidence import confidence
from core.checkpoints.sentences import beginnings, known_sentences
from core.checkpoints.source import Shipped
from core.readings.own_text import read_broken_words, read_ending, read_training_texts, read_unsure
from core.sources.texts import source_named
from core.text.own_text import broken_words, nearest_sentences, repeated_words
from core.tracing.run import Run
from pages.compute.cache import check
from pages.compute.generation import greedy_translation, own_translation

CHILDRENS = "children's books"
STORYTELLERS = ("storyteller", "storyteller-small")


def translates(shipped_model: Shipped | None) -> bool:
    """Return whether there are sentences that this model is known to translate well; False without a model."""
    return shipped_model is not None and bool(known_sentences(shipped_model.name))


def suitable_texts(shipped_model: Shipped) -> tuple[str, ...]:
    """Return texts of the kind that a model has read: sentences that it translates well, or beginnings of stories."""
    if sentences := known_sentences(shipped_model.name):
        return sentences
    return beginnings() if shipped_model.name in STORYTELLERS else ()


def training_texts(shipped_model: Shipped) -> str:
    """Return a sentence about a model's training texts; "" if it was trained elsewhere.

    The texts are those that its card names as sources.
    """
    kinds: dict[str, None] = {}
    for source in shipped_model.card.data:
        with suppress(ValueError):  # raised for a model that was not trained here
            found = source_named(source["text"]).texts
            kinds[f"old {CHILDRENS}" if CHILDRENS in source["text"] else found] = None
    return read_training_texts(tuple(kinds)) if kinds else ""


def alike(shipped_model: Shipped, text: str) -> tuple[str, ...]:
    """Return ten of the model's suitable texts, those most similar to `text` first."""
    return nearest_sentences(text, suitable_texts(shipped_model))


def about_pieces(run: Run) -> str | None:
    """Return a sentence about the words of the text that fall into many pieces; None if there are no such words."""
    row = check(run)["encoder"]
    return read_broken_words(broken_words(row.word_labels, row.words))


def about_answer(run: Run) -> str | None:
    """Return a sentence if the model's own translation was cut off, repeats itself, or is unsure; None otherwise."""
    tokens = greedy_translation(run)
    ending = read_ending(not tokens or tokens[-1].ended, len(tokens), repeated_words(own_translation(run)))
    held_out = confidence(run.model_name)
    if ending or not held_out or not tokens:
        return ending
    unsure = fmean(token.surprisal for token in tokens) >= held_out.threshold
    return read_unsure(held_out.poor, held_out.elsewhere) if unsure else None
