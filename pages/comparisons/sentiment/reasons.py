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
from pages.comparisons.sentiment.settings import HEADS, LEFT_OUT, NONE, ONE, PUT, REMOVED, START, WORD
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Listing, Table, Values, control, place_controls, place_of, spec

LEAD = (
    "Attention shows what is mixed, not what decides; three other methods measure what each word does. Click a word to "
    "leave it out."
)
ABOUT = (
    "*Attention*: the mean weight of a word's column. It has no sign, and it measures no effect. *Leaving out*, or "
    "**occlusion**: the logit with the word less that without it. **Gradient × input**: the slope of the logit times "
    "the word's vector; it sees only the closest surroundings, and after a norm, which takes the length out of each "
    "vector, it is small. **Integrated gradients**: the slopes summed along a way from a text that says nothing; they "
    "add up to the difference of the logits.",
    "Each row is drawn up to its own longest bar, for their units differ. The square holds Spearman's **rank "
    "correlation** of their sizes, without signs: 1 where two methods put the words in the same order, 0 where they "
    "have nothing in common. Were attention an explanation, its row would be near 1 for every sentence.",
)


@where_judged
def _controls(run: Run, values: Values) -> Iterator[Control]:
    words = queries.growing_verdict(run).words
    yield control(WORD, options=WORD.options[: len(words) + 1], width=150)
    if values[WORD] != NONE:
        yield control(PUT, width=190, placeholder="nothing: left out", max_chars=60)
    yield control(HEADS)
    if values[HEADS] == ONE:
        yield from place_controls(run)
    yield control(LEFT_OUT, "more")
    yield control(START, "more")


@of_classifier
def _show(run: Run, values: Values) -> Shown:
    """Show the four methods over the words, and how well they agree."""
    chosen = values[WORD]
    change = WordChange() if chosen == NONE else WordChange(int(chosen), _put(run, values))
    wanted = values[LEFT_OUT] == REMOVED
    place = place_of(run, values) if values[HEADS] == ONE else None
    found = queries.reasons(run, change, place, wanted, values[START])
    words, here = numbered_pieces(found.words), found.changed
    said = [say.read_firsts(METHODS, words, found.scores), say.read_agreement(METHODS, found.rho)]
    if here is not None:
        old = queries.growing_verdict(run).words[here]
        said.insert(0, say.read_changed(found.labels, old, change.put, found.before, found.probability))
    data = reasons_data(words, say.name_methods(METHODS, found.scores), found.scores, found.labels, here)
    return Shown(
        lead=LEAD,
        pictures=[
            _line(found, change),
            Chart(
                data,
                spec(reasons_spec, *found.labels, len(METHODS)),
                "sentiment-reasons",
                "what the verdict rests on",
                lambda at: _toggled(at, here),
            ),
            _squares(found, place is None),
        ],
        takeaway=said,
        notes=[
            say.note_complete(found.total, found.margin - found.baseline, found.off, STEPS),
            say.note_removed(wanted, found.removed),
            found.note,
        ],
        formula=say.write_reasons(len(words)),
        about=ABOUT,
        table=[
            Listing(
                "reasons", {"word": list(words)} | {n: r.tolist() for n, r in zip(METHODS, found.scores, strict=True)}
            ),
            Table("rank correlations", found.rho, METHODS, METHODS, corner="method"),
        ],
        source=("core.topics.sentiment.reasons.reasons", "core.topics.sentiment.analysis.spearman"),
    )


def _put(run: Run, values: Values) -> str:
    put = values[PUT].strip()
    return put.lower() if queries.about_classifier(run).lower else put


def _toggled(at: int, here: int | None) -> dict[str, Any]:
    """Return the settings after a click on a word: it is changed or, if it is the changed one, restored."""
    return {WORD.key: NONE if at == here else str(at), PUT.key: ""}


def _line(found: Reasons, change: WordChange) -> TokenButtons:
    """Return the words, shaded by the size of their integrated gradients."""
    sizes = np.abs(found.scores[3]) / (np.abs(found.scores[3]).max() or 1.0)
    tokens = [
        Token(
            word,
            f"integrated gradients {say.number(float(score))}",
            float(size),
            struck=place == found.changed and not change.put,
            new=place == found.changed and bool(change.put),
        )
        for place, (word, score, size) in enumerate(zip(found.words, found.scores[3], sizes, strict=True))
    ]
    return TokenButtons(
        tokens,
        key="sentiment-line",
        name="The words, shaded by integrated gradients",
        caption=say.name_verdict(found.labels, found.probability),
        hue="chance",
        sets=lambda at: _toggled(at, found.changed),
    )


def _squares(found: Reasons, mean: bool) -> Matrices:
    """Return the rank correlations, and the attention itself."""
    rho = np.where(np.isnan(found.rho), -np.inf, found.rho)
    labels = numbered_pieces(found.pieces)
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
            Panel("pattern", title, found.pattern, labels, labels, "queries", "keys", "weight"),
        ],
        key="sentiment-squares",
        name="Rank correlations and attention",
        height=420,
    )


VIEW = View("why", _show, _controls, seconds=lambda run, values: queries.seconds_of_reasons(run))
