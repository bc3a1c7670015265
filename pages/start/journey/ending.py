"""The end of the journey: a verdict, guesses at hidden words, the next words, or a translation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.charts.bars import bars_data, probability_bars_spec
from core.readings.words import percent
from core.topics.journey.guesses import Guesses
from core.topics.journey.records import Journey
from core.topics.journey.verdict import Verdict
from core.topics.journey.words import Use
from core.tracing.run import Run
from pages.compute.generation import own_translation
from pages.widgets import Chart, Link, Markdown, Part, plain, spec

FRESH_WORDS = 12  # random weights write meaningless text, which need not end


@dataclass(frozen=True)
class EndingResult:
    """The result that a model computes from an encoder's output: a verdict on the text, or guesses for hidden tokens.

    verdict: the verdict of a classifier.
    guesses: the guesses of a model trained to predict hidden tokens; None for any other model.
    """

    verdict: Verdict = ()
    guesses: tuple[Guesses, ...] | None = None

    @property
    def use(self) -> Use:
        """The kind of the result; None if the model has neither a verdict nor guesses."""
        if self.verdict:
            return "verdict"
        return None if self.guesses is None else "guesses" if self.guesses else "nothing hidden"


def ending(run: Run, journey: Journey, answer: EndingResult) -> list[Part]:
    """Return the results of the model for the whole text, if it has any."""
    parts: list[Part] = []
    if answer.verdict:
        (label, probability), *others = answer.verdict
        runners_up = ", ".join(f"{plain(other_label)} {percent(share)}" for other_label, share in others)
        parts.append(Markdown(f"**The verdict: {plain(label)}, {percent(probability)}** ({runners_up})"))
    if run.config.has_two_stacks:
        parts += _translation(run)
    for number, guess in enumerate(answer.guesses or ()):
        words = f"What is hidden at token {guess.label}?"
        parts.append(_likeliest(guess.pieces, words, f"journey-hidden-{number}", "likeliest hidden tokens"))
    if journey.next_pieces:
        parts.append(_likeliest(journey.next_pieces, "What comes next?", "journey-next", "likeliest next tokens"))
    if run.config.architecture == "decoder":
        parts.append(Link("Watch it write", "generate"))
    return parts


def _translation(run: Run) -> list[Part]:
    written = plain(own_translation(run, None if run.is_trained else FRESH_WORDS).strip() or "nothing")
    sentence = (
        f"**From your text the model writes:** {written}"
        if run.is_trained
        else f"Its weights are random, so what it writes from your text means nothing: {written}"
    )
    return [Markdown(sentence), Link("Watch it write, word by word", "translate")]


def _likeliest(likeliest: Sequence[tuple[str, float]], title: str, key: str, name: str) -> Part:
    pieces, probabilities = zip(*likeliest, strict=True)
    data = bars_data(np.array(probabilities), [f"{rank}: {piece}" for rank, piece in enumerate(pieces, 1)], decimals=4)
    return Chart(data, spec(probability_bars_spec, title), key=key, name=name)
