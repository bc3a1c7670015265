"""Sentences about the changes made to a pattern so that it is easier to read."""

from collections.abc import Sequence

import numpy as np

from core.analysis.treatments import Treated
from core.readings.heads import read_look, read_row
from core.readings.patterns import read_link, read_masked_rows
from core.readings.words import capital, listed, percent, plural
from core.text.labels import token_name


def read_treated(treated: Treated, pattern: np.ndarray, row: int | None, two_texts: bool = False) -> list[str]:
    """Describe the pattern; if a row of it is pinned, say first where that row looks.

    pattern (Q, K): the pattern without any treatment.
    two_texts: whether the queries and the keys are different texts.
    """
    if pattern.any() and not treated.pattern.any():
        sentences = ["Nothing is left to see: every weight is hidden."]
    else:
        sentences = [*read_link(treated.whole, treated.queries, treated.keys if two_texts else None)]
    if row is None:
        return sentences
    weights, labels = treated.pattern[row], (treated.queries, row, treated.keys)
    look = [read_look(weights, *labels)] if weights.any() else []
    return [*look, *sentences, capital(read_row(weights, *labels))]


def read_done(treated: Treated, pattern: np.ndarray, queries: Sequence[str]) -> list[str | None]:
    """Say how the visitor's treatment changed the pattern (Q, K), and which queries attend to nothing."""
    return [*read_treatment(treated), read_masked_rows(pattern, queries)]


def read_treatment(treated: Treated) -> tuple[str, ...]:
    """Return one sentence for each treatment, in order."""
    done, chosen = [], treated.treatment
    if chosen.hide:
        done.append(_hidden(chosen.hide, treated.pieces))
    if chosen.merge:
        done.append("Pieces are merged into words: summed over a key's pieces, averaged over a query's.")
    if chosen.min_weight > 0:
        least, share = f"{100 * chosen.min_weight:g}%", percent(treated.below)
        done.append(f"Weights below {least} are hidden: {share} of all weight. Rows sum to less.")
    return tuple(done)


def name_treatment(treated: Treated, sink: bool = False) -> str:
    """Name the treatments in a few words for the title of a picture; without any, say what the rows sum to.

    sink: whether a part of each row's weight goes to no token.
    """
    state, chosen = [], treated.treatment
    if chosen.hide:
        state.append(f"{len(chosen.hide)} of {plural(len(treated.pieces), 'key')} hidden")
    if chosen.merge:
        state.append("words")
    if chosen.min_weight > 0:
        state.append(f"weights below {100 * chosen.min_weight:g}% hidden")
    every = treated.whole.any(-1).all()
    total = "rows sum to less than 1" if sink else "rows sum to 1"
    sums = total if every else f"{total}; those that may attend to nothing are zeros"
    return ", ".join(state) or sums


def _hidden(keys: Sequence[int], labels: Sequence[str], max_names: int = 6) -> str:
    named = listed((token_name(labels, key) for key in keys), max_names)
    left = "Each row is divided by what is left, so that it sums to 1; a row with nothing left is all zeros."
    return f"Hidden as keys: {named}. {left}"
