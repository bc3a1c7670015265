"""Cached results of a classifier: its verdicts, the words they rest on, and curves that were measured once."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.measured import load_measured
from core.checkpoints.source import Shipped
from core.limits import JUDGED_TOKENS
from core.readings.words import listed as listed_words
from core.readings.words import quoted
from core.topics.sentiment import growing, negated, permuted
from core.topics.sentiment import reasons as core_reasons
from core.topics.sentiment.judging import follow_likeliest
from core.topics.sentiment.labels import LabelCurve
from core.topics.sentiment.labels import label_curve as core_label_curve
from core.topics.sentiment.readings import write_verdict
from core.topics.shared.loading import estimate_seconds
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.cache import cards, check, class_layer, compute, large_record, listed, opened, small_record, trained
from pages.compute.calls import core_call

CLASSIFIER = "classifier"
SINGLE_NEGATIONS = ("not good", "not bad")


def why_no_verdict(run: Run) -> str:
    """Return why a run has no verdict to show, and how to get one; "" if it has one."""
    if class_layer(run) is not None:
        return ""
    titles = [f"“{card.title}”" for card in listed().values() if card.family == CLASSIFIER]
    choose = f" Choose {' or '.join(titles)} as the model in the sidebar." if titles else ""
    return f"This encoder has no layer that chooses a class, so it gives no verdict.{choose}"


def why_no_negations(run: Run) -> str:
    """Return why our sentences have no right answer for a run's classifier; "" if they have one."""
    layer = class_layer(run)
    if layer is None or layer.praise is not None:
        return why_no_verdict(run)
    classes = listed_words([quoted(label) for label in layer.labels[:5]] + ["others"] * (len(layer.labels) > 5))
    return f"This classifier's classes are {classes}, so these sentences have no right answer for it."


def verdict_formula(run: Run) -> str:
    """Return the formula that leads from the encoder's output to the classes of a run's classifier."""
    layer = class_layer(run)
    assert layer is not None
    activation = layer.activation.__name__ if layer.dense is not None else ""
    return write_verdict(run.config.d_model, layer.first, activation)


def about_classifier(run: Run) -> Shipped:
    """Return the trained classifier of a run, with its card."""
    assert run.source is not None
    return opened(run.source)


def _layer(run: Run) -> ClassLayer:
    layer = class_layer(run)
    assert layer is not None
    return layer if len(layer.labels) == 2 else compute(partial(follow_likeliest, layer), run)


def _length(run: Run) -> int:
    """Return the number of tokens in a run's text."""
    return len(check(run)["encoder"])


@small_record
def growing_verdict(run: Run) -> growing.GrowingVerdict:
    return compute(partial(growing.growing_verdict, _layer(run)), run, holds=growing.growing_holds(_length(run)))


def other_runs(run: Run) -> Mapping[str, Run]:
    """Return a run of every other classifier on the same text, by name, if its files can be read."""
    runs = {}
    for name in (
        other_name
        for other_name, card in listed().items()
        if card.family == CLASSIFIER and other_name != run.model_name
    ):
        with suppress(ValueError):
            shipped = trained(name)
            other_run = replace(run, config=shipped.config, source=shipped.source, format=shipped.format)
            if not why_no_verdict(other_run):
                runs[name] = other_run
    return runs


def other_verdicts(run: Run) -> Mapping[str, growing.GrowingVerdict]:
    """Return the verdict of every other classifier on the same text, by name."""
    return {name: growing_verdict(other_run) for name, other_run in other_runs(run).items()}


def single_negations(run: Run) -> Mapping[str, float]:
    """Return the probability of praise for each text of a negation and one word, by text."""
    return {text: float(growing_verdict(replace(run, text=text)).probabilities[-1]) for text in SINGLE_NEGATIONS}


def classifier_scores() -> Mapping[str, Mapping[str, Any]]:
    """Return the scores in the cards of all classifiers, by their titles."""
    return {card.title: card.scores for card in cards().values() if card.family == CLASSIFIER}


def negations_right() -> Mapping[str, tuple[int, int]]:
    """Return how many sentences with a negation each classifier judges right, and of how many, by its title."""
    written = {title: scores["negations"] for title, scores in classifier_scores().items() if "negations" in scores}
    counts = {title: [int(part) for part in text.split(" of ")] for title, text in written.items()}
    return {title: (right, count) for title, (right, count) in counts.items()}


@large_record
def reasons(
    run: Run, change: core_reasons.WordChange, place: HeadAddress | None, remove: bool, start: str
) -> core_reasons.Reasons:
    length = _length(run) if change.place < 0 else JUDGED_TOKENS
    function = partial(core_reasons.reasons, _layer(run))
    return compute(function, run, change, place, remove, start, holds=core_reasons.reasons_holds(length))


@small_record
def permuted_verdict(run: Run, seed: int) -> permuted.PermutedVerdict:
    function = partial(permuted.permuted_verdict, _layer(run))
    return compute(function, run, seed, holds=permuted.permuted_holds(_length(run), run.config.heads))


def judged_negations(run: Run) -> negated.JudgedNegations:
    """Return the verdicts on the sentences with negations.

    They are cached for a model and a mask, because the run's own text has no part in them.
    """
    return _judged_negations(replace(run, text=SINGLE_NEGATIONS[0]))


@small_record
def _judged_negations(run: Run) -> negated.JudgedNegations:
    return compute(partial(negated.judged_negations, _layer(run)), run)


def label_curve() -> LabelCurve:
    """Return the measured curve; BrokenFile if its file is missing or damaged."""
    return core_call(core_label_curve, core_call(load_measured, "labels"))


def seconds_of_reasons(run: Run) -> float:
    """Estimate how many seconds the four methods take.

    They take a pass for each token, and three for each step of the gradients.
    """
    return _seconds(run, lambda length: length + 3 * core_reasons.STEPS)


def seconds_of_permuting(run: Run) -> float:
    """Estimate how many seconds the permutations take.

    For a head of the first layer, one takes a whole pass; for a head of the last layer, only one layer.
    """
    heads = run.config.heads * (run.config.layers + 1) // 2
    return _seconds(run, lambda length: permuted.TIMES + permuted.HEAD_TIMES * heads)


def _seconds(run: Run, passes: Callable[[int], int]) -> float:
    if why_no_verdict(run):
        return 0.0
    length = min(JUDGED_TOKENS, _length(run))
    return estimate_seconds(run.config, length, passes(length))
