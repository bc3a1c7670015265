"""Cached results of the three translators, shared by all visitors and keyed by plain values."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from core.checkpoints import shipped
from core.checkpoints.card import read_card
from core.device import choose
from core.export import recurrent
from core.export.script_parts import ScriptParts
from core.topics.sequence_to_sequence import additive, changed_words, readings, timing, translations
from core.topics.sequence_to_sequence.records import (
    ADDITIVE,
    BOTTLENECK,
    TITLES,
    TRANSFORMER,
    Directions,
    Moved,
    Passage,
)
from core.topics.sequence_to_sequence.timing import PassTime
from core.tracing.run import Run, TokenRow
from pages.compute.cache import MODELS, compute, large_record, reader, small_record, trained
from pages.compute.calls import core_call, helper
from pages.compute.model_cache import models, reserve_memory, translate_machine_errors

Found = TypeVar("Found")
Forced = tuple[int, int] | None  # a token of the translation, and the one of the source that it has to look at


def _run_recurrent(function: Callable[..., Found], name: str, size: Callable[..., Any], *where: Any) -> Found:
    """Call a function with a recurrent translator, with memory reserved for its peak.

    size: returns the memory that the function takes at its peak, from the translator's config.
    """
    config = shipped.recurrent_config(name, MODELS)
    made = name, MODELS
    with translate_machine_errors(), reserve_memory(made, size(config)):
        model = models().get(made, partial(shipped.load_recurrent, name, MODELS))
        helper(model, shipped.load_recurrent, name, MODELS)
        return core_call(function, model, *where)


def translator_run(text: str) -> Run:
    """Return the sentence as a run of the transformer.

    A run has to name a text for the decoder, though here the decoder reads its own output.
    """
    translator = trained(TRANSFORMER)
    return Run(text, translator.config, text, placement=choose(), source=translator.source, format=translator.format)


@small_record
def source_tokens(text: str) -> TokenRow:
    return core_call(translations.source_row, text, reader(translator_run(text)))


@large_record
def passage(name: str, text: str, forced: Forced = None) -> Passage:
    """Return the translation by one of the three models.

    name: the model.
    Raises ValueError for a text without a word.
    """
    row, run = source_tokens(text), translator_run(text)
    if name == TRANSFORMER:
        return compute(translations.transformer_passage, run, row)
    weights = core_call(translations.looking_only_at, forced, len(row)) if forced else translations.NOTHING_FORCED
    size = translations.passage_size
    return _run_recurrent(translations.recurrent_passage, name, size, reader(run), row, weights)


@small_record
def moved(text: str, replacement: str) -> Moved:
    """Return how the bottleneck's vector changes if `replacement` takes the place of each word in turn."""
    written = passage(BOTTLENECK, text).ids
    where = source_tokens(text), _ids(text, replacement)
    size = partial(changed_words.changed_size, source=where[0], replacement=where[1], written=len(written))
    return _run_recurrent(changed_words.moved, BOTTLENECK, size, *where, written)


@small_record
def directions(text: str, replacement: str) -> Directions:
    where = source_tokens(text), _ids(text, replacement)
    size = partial(changed_words.changed_size, source=where[0], replacement=where[1])
    return _run_recurrent(changed_words.directions, ADDITIVE, size, *where)


def alignment_script(text: str) -> ScriptParts:
    """Return the script of the additive attention for a sentence."""
    where = read_card(MODELS / ADDITIVE), text, source_tokens(text), passage(ADDITIVE, text)
    return _run_recurrent(recurrent.alignment_script, ADDITIVE, translations.passage_size, *where)


def states_script(text: str) -> ScriptParts:
    """Return the script of what the bottleneck keeps of a sentence."""
    where = read_card(MODELS / BOTTLENECK), text, source_tokens(text)
    return _run_recurrent(recurrent.states_script, BOTTLENECK, translations.passage_size, *where)


def explain_cell(translation: Passage, row: int, column: int) -> str:
    """Return the arithmetic of one weight of the additive attention, as lines of text."""
    cell = _run_recurrent(additive.additive_cell, ADDITIVE, translations.passage_size, translation, row, column)
    return readings.explain_cell(*additive.cell_terms(cell, column), row, column)


def _ids(text: str, replacement: str) -> tuple[int, ...]:
    """Return the tokens of the few words that are put in place of one."""
    words = " ".join(replacement.split()[: changed_words.MOST_WORDS])
    return tuple(reader(translator_run(text)).encode(words).ids[: changed_words.MOST_TOKENS]) if words else ()


def _models() -> list[tuple[str, Any]]:
    transformer = compute(lambda model, tokenizer, run: model, translator_run("a"))
    size = translations.passage_size
    others = {name: _run_recurrent(lambda model: model, name, size) for name in TITLES if name != TRANSFORMER}
    return [(title, others.get(name, transformer)) for name, title in TITLES.items()]


def waiting() -> dict[str, list[int]]:
    """Return the number of sequential steps of each model, by its title, at each of the lengths."""
    return {
        title: [core_call(timing.steps_that_wait, model, length) for length in timing.LENGTHS]
        for title, model in _models()
    }


def measured_passes(seconds: float, before: tuple[PassTime, ...] | None) -> Iterator[tuple[PassTime, ...]]:
    """Measure the passes that fit in `seconds`, and yield all results so far after each.

    before: the passes that were measured before.
    """
    models, times = dict(_models()), list(before or ())
    for title, length, part in timing.passes_in_reach(tuple(models), seconds, times):
        times.append(timing.measure_pass(title, models[title], length, part))
        yield tuple(times)


def word_names(text: str) -> tuple[str, ...]:
    """Return labels for the words of the sentence."""
    return changed_words.word_names(source_tokens(text))
