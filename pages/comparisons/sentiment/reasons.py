"""The view of which words a verdict rests on: attention beside three methods that measure this."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.topics.sentiment import readings as say
from core.topics.sentiment.charts import reasons_data, reasons_spec
from core.topics.sentiment.reasons import METHODS, STEPS, Reasons, WordChange
from core.topics.shared.labels import numbered_pieces
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.comparisons.sentiment import queries
from pages.comparisons.sentiment.parts import of_classifier, where_judged
from pages.comparisons.sentiment.settings import (
    BASELINE,
    HEADS,
    LEFT_OUT,
    NO_WORD,
    ONE_HEAD,
    REMOVED,
    REPLACEMENT,
    WORD,
)
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Listing, Table, Values, control, place_controls, place_of, spec

LEAD = "Attention shows what is mixed, not what decides; three other methods measure what each word does."
ABOUT = (
    "*Attention*: the mean weight of a word's column. It has no sign, and it measures no effect. *Leaving out*, or "
    "**occlusion**: the logit with the word less that without it. **Gradient × input**: the slope of the logit times "
    "the word's vector; it sees only the closest surroundings, and after a norm, which takes the length out of each "
    "vector, it is small. **Integrated gradients**: the slopes summed along a way from a text that says nothing; they "
    "add up to the difference of the logits.",
    "Each row is drawn up to its own longest bar, which is outlined, for their units differ. The square holds "
    "Spearman's **rank correlation** of their sizes, without signs: 1 where two methods put the words in the same "
    "order, 0 where they have nothing in common. Were attention an explanation, its row would be near 1 for every "
    "sentence.",
)


@where_judged
def _controls(run: Run, values: Values) -> Iterator[Control]:
    words = queries.growing_verdict(run).words
    yield control(WORD, options=WORD.options[: len(words) + 1], width=150)
    if values[WORD] != NO_WORD:
        yield control(REPLACEMENT, width=190, placeholder="nothing: left out", max_chars=60)
    yield control(HEADS)
    if values[HEADS] == ONE_HEAD:
        yield from place_controls(run)
    yield control(LEFT_OUT, "more")
    yield control(BASELINE, "more")


@of_classifier
def _show(run: Run, values: Values) -> Shown:
    """Show the four methods over the words, and how well they agree."""
    chosen = values[WORD]
    change = WordChange() if chosen == NO_WORD else WordChange(int(chosen), _put(run, values))
    is_removed = values[LEFT_OUT] == REMOVED
    place = place_of(run, values) if values[HEADS] == ONE_HEAD else None
    reasons = queries.reasons(run, change, place, is_removed, values[BASELINE])
    words, changed_position = numbered_pieces(reasons.words), reasons.changed
    sentences = [*say.read_firsts(METHODS, words, reasons.scores), say.read_agreement(METHODS, reasons.rho)]
    if changed_position is not None:
        old_word = queries.growing_verdict(run).words[changed_position]
        sentences.insert(0, say.read_changed(reasons.labels, old_word, change.put, reasons.before, reasons.probability))
    data = reasons_data(
        words, say.name_methods(METHODS, reasons.scores), reasons.scores, reasons.labels, changed_position
    )
    return Shown(
        lead=LEAD,
        click="Click a word to leave it out.",
        pictures=[
            _line(reasons, change),
            Chart(
                data,
                spec(reasons_spec, *reasons.labels, len(METHODS)),
                "sentiment-reasons",
                "what the verdict rests on",
                lambda clicked: _toggled(clicked, changed_position),
            ),
            _squares(reasons, place is None),
        ],
        takeaway=sentences,
        notes=[
            say.note_complete(reasons.total, reasons.margin - reasons.baseline, reasons.off, STEPS),
            say.note_removed(is_removed, reasons.removed),
            reasons.note,
        ],
        formula=say.write_reasons(len(words)),
        about=ABOUT,
        table=[
            Listing(
                "reasons",
                {"word": list(words)}
                | {method: row.tolist() for method, row in zip(METHODS, reasons.scores, strict=True)},
            ),
            Table("rank correlations", reasons.rho, METHODS, METHODS, corner="method"),
        ],
        source=("core.topics.sentiment.reasons.reasons", "core.topics.shared.rank_correlation.spearman"),
    )


def _put(run: Run, values: Values) -> str:
    return run.format.in_case(values[REPLACEMENT].strip())


def _toggled(clicked: int, changed_position: int | None) -> dict[str, Any]:
    """Return the settings after a click on a word: it is changed or, if it is the changed one, restored."""
    return {WORD.key: NO_WORD if clicked == changed_position else str(clicked), REPLACEMENT.key: ""}


def _line(reasons: Reasons, change: WordChange) -> TokenButtons:
    """Return the words, shaded by the size of their integrated gradients."""
    sizes = np.abs(reasons.scores[3]) / (np.abs(reasons.scores[3]).max() or 1.0)
    tokens = [
        Token(
            word,
            f"integrated gradients {say.number(float(score))}",
            float(size),
            struck=position == reasons.changed and not change.put,
            new=position == reasons.changed and bool(change.put),
        )
        for position, (word, score, size) in enumerate(zip(reasons.words, reasons.scores[3], sizes, strict=True))
    ]
    return TokenButtons(
        tokens,
        key="sentiment-line",
        name="The words, shaded by integrated gradients",
        caption=f"{say.name_verdict(reasons.labels, reasons.probability)}. The stronger the colour, the more the word "
        "did, for or against, by integrated gradients, the last row below.",
        hue="chance",
        sets=lambda clicked: _toggled(clicked, reasons.changed),
    )


def _squares(reasons: Reasons, mean: bool) -> Matrices:
    """Return the rank correlations, and the attention itself."""
    rho = np.where(np.isnan(reasons.rho), -np.inf, reasons.rho)
    labels = numbered_pieces(reasons.pieces)
    title = "attention, mean of the last layer's heads" if mean else "attention of the head"
    return Matrices(
        [
            Panel(
                "rho",
                "rank correlation",
                rho,
                METHODS,
                METHODS,
                limit=1.0,
                absent="a row that is all alike",
                unit="Spearman's ρ",
            ),
            Panel("pattern", title, reasons.pattern, labels, labels, "queries", "keys", "weight"),
        ],
        key="sentiment-squares",
        name="Rank correlations and attention",
        height=420,
    )


VIEW = View("why", _show, _controls, seconds=lambda run, values: queries.seconds_of_reasons(run))
