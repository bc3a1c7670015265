"""The example texts that suit a model."""

from core.checkpoints.examples import Example, Named, examples_of, first_example, known_texts, targets_of
from core.lab import opened
from core.lab.step_source import task_texts
from core.lab.tasks import TASKS
from pages.compute import cache


def examples_for(name: str) -> Named:
    """Return the examples that a model can read, by their names; for a step of the lab, rows of its task."""
    return _task_rows(name) or examples_of(_counterpart(name))


def first_for(name: str, continues: bool = False) -> Example:
    """Return the example that a visitor of a model sees first, always with a text for the decoder.

    continues: whether the model is to go on from the text; then it is a question, if the model answers questions.
    """
    rows = _task_rows(name)
    if not rows:
        return first_example(_counterpart(name))
    return rows[opened.QUESTION if continues and opened.QUESTION in rows else opened.PROBE]


def targets_for(name: str) -> Named:
    """Return examples of the decoder's text alone, for a model that has no examples of its own."""
    return {} if _task_rows(name) else targets_of(_counterpart(name))


def texts_of_others(name: str) -> frozenset[str]:
    """Return the texts of all examples of other models."""
    return all_texts() - {example.text for example in examples_for(name).values()}


def all_texts() -> frozenset[str]:
    """Return the texts of the examples of all models."""
    kinds = [(task.name, two_stacks) for task in TASKS.values() for two_stacks in {False, task.has_question}]
    return known_texts() | {text for kind in kinds for text in task_texts(*kind).values()}


def _task_rows(name: str) -> Named:
    return {title: Example(text, "") for title, text in cache.source(name).task_texts().items()}


def _counterpart(name: str) -> str:
    """Return the model whose examples suit: itself, or one of ours that does the same as one made elsewhere."""
    card = None if cache.source(name).trained_here else cache.cards().get(name)
    if card is None:
        return name
    if card.config["masked_head"]:
        return "reader"
    return "translator" if card.config["architecture"] == "encoder-decoder" else name
