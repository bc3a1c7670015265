"""The example texts that suit a model."""

from functools import lru_cache

from core.checkpoints.examples import Example, Named, examples_of, first_example, known_texts, targets_of
from core.lab import opened
from core.lab.opened import is_lab
from core.lab.tasks import TASKS, task_named
from core.registry import is_real
from pages.compute import cache


def examples_for(name: str) -> Named:
    """Return the examples that a model can read, by their names; for a step of the lab, rows of its task."""
    return _rows_of(name) if is_lab(name) else examples_of(_counterpart(name))


def first_for(name: str, continues: bool = False) -> Example:
    """Return the example that a visitor of a model sees first, always with a text for the decoder.

    continues: whether the model is to go on from the text; then it is a question, if the model answers questions.
    """
    if not is_lab(name):
        return first_example(_counterpart(name))
    rows = examples_for(name)
    return rows[opened.QUESTION if continues and opened.QUESTION in rows else opened.PROBE]


def targets_for(name: str) -> Named:
    """Return examples of the decoder's text alone, for a model that has no examples of its own."""
    return {} if is_lab(name) else targets_of(_counterpart(name))


def texts_of_others(name: str) -> frozenset[str]:
    """Return the texts of all examples of other models."""
    return all_texts() - {example.text for example in examples_for(name).values()}


def all_texts() -> frozenset[str]:
    """Return the texts of the examples of all models."""
    kinds = [(task.name, two_stacks) for task in TASKS.values() for two_stacks in {False, task.has_question}]
    return known_texts() | {example.text for kind in kinds for example in _rows(*kind).values()}


def _rows_of(name: str) -> Named:
    recipe, _ = opened.read_address(name)
    return _rows(recipe.task, recipe.config.has_two_stacks)


@lru_cache(maxsize=64)
def _rows(task: str, two_stacks: bool) -> Named:
    return {name: Example(text, "") for name, text in opened.examples(task_named(task), two_stacks).items()}


def _counterpart(name: str) -> str:
    """Return the model whose examples suit: itself, or one of ours that does the same as one made elsewhere."""
    card = cache.cards().get(name) if is_real(name) else None
    if card is None:
        return name
    if card.config["masked_head"]:
        return "reader"
    return "translator" if card.config["architecture"] == "encoder-decoder" else name
