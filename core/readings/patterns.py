"""Sentences about the data on screen: plain text, printed as text because token labels come from visitors' texts.

Every sentence is made from the numbers given and is true of them, ties, rows of zeros and single tokens included.
"""

from collections.abc import Sequence

import numpy as np

from core.analysis.corpus_scores import MIN_KEYS
from core.analysis.heads import HeadTable, effective_keys, row_mean
from core.analysis.symmetry import split
from core.readings.words import (
    SHARE_TOLERANCE,
    capital,
    in_words,
    largest_of_words,
    listed,
    number,
    percent,
    plural,
    quoted,
)
from core.text.labels import head_label, token_name, written_token

ROWS_NAMED = 4


def read_pattern(pattern: np.ndarray, query_labels: Sequence[str], key_labels: Sequence[str] | None = None) -> str:
    """Say in one text which link is the strongest, and how spread out attention is: the sentences of `read_link`."""
    return " ".join(read_link(pattern, query_labels, key_labels))


def read_link(
    pattern: np.ndarray, query_labels: Sequence[str], key_labels: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Return sentences on the strongest link, on what ties with it or does not count, and on how spread out it all is.

    pattern (Q, K): its rows sum to 1 or are zeros. Without `key_labels` the text attends to itself.

    If only the first queries see fewer than MIN_KEYS keys, as under a causal mask, they do not count; in a shorter text
    only a token that can attend to nothing but itself does not, because its 100% says nothing about the others.
    """
    keys = row_mean(pattern, effective_keys(pattern))
    if keys is np.ma.masked or np.ma.getmaskarray(keys).all():
        return ("No query may attend to any key, so every mix of values is all zeros.",)
    links, alone, early = _counted_links(pattern, key_labels is None)
    if links.max() <= 0:
        return (_looks_at_itself(query_labels),)
    keys_of = key_labels or query_labels
    (query, key), passed = largest_of_words(np.where(links > 0, links, -np.inf), query_labels, keys_of)
    ties = 0 if passed else _largest(links)[-1]
    to = "itself" if key_labels is None and query == key else token_name(keys_of, key)
    apart = _apart_from([token_name(query_labels, int(token)) for token in alone])
    which = " between two tokens" if len(alone) and to != "itself" and not ties else apart
    if passed:
        which = f" of a word{apart}" if to == "itself" else " between two words"
    share = f"{percent(links[query, key])} of its attention to {to}"
    strongest = f"no link is stronger{which}" if ties else f"the strongest link{which}"
    written = written_token(query_labels[query])
    who = f"To write {quoted(written)}, the model" if written else capital(token_name(query_labels, query))
    gives = f"{who} gives {share}"
    others = f"No {'' if ties else 'other '}link{which} is stronger, not counting {_first_tokens(early)}."
    return (
        *([f"{gives}.", others] if early else [f"{gives}{':' if ties else ','} {strongest}."]),
        *([f"{plural(ties, 'other link')} {'is' if ties == 1 else 'are'} as strong."] if ties else []),
        *([f"{len(alone)} tokens look only at themselves."] if len(alone) > 1 and which.endswith(apart) else []),
        f"On average each word looks at {about_words(float(keys))}.",
    )


def _first_tokens(count: int) -> str:
    """Name the first tokens, which do not count, and say why."""
    return (
        "the first token, which sees few others"
        if count == 1
        else (f"the first {in_words(count)} tokens, which see few others")
    )


def find_link(
    pattern: np.ndarray, query_labels: Sequence[str], key_labels: Sequence[str] | None = None
) -> tuple[int, int] | None:
    """Return the query and the key of the link that `read_link` names; None if it names none."""
    links, *_ = _counted_links(pattern, key_labels is None)
    if not links.max() > 0:
        return None
    (query, key), _ = largest_of_words(np.where(links > 0, links, -np.inf), query_labels, key_labels or query_labels)
    return int(query), int(key)


def _counted_links(pattern: np.ndarray, to_itself: bool) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the weights of a pattern (Q, K), with −1 in the rows that do not count.

    Also return the tokens that do not count because they look only at themselves, and the number of first tokens that
    do not count because they see few keys; one of these two is empty.

    to_itself: whether a text attends to itself; otherwise no row is left out.
    """
    links, alone = np.array(pattern, dtype=np.float64), np.zeros(0, dtype=int)
    if to_itself:
        (few,) = np.nonzero(np.count_nonzero(links, axis=1) < MIN_KEYS)
        if 0 < len(few) < MIN_KEYS and len(few) < len(links) and few[-1] == len(few) - 1:
            links[few] = -1
            return links, alone, len(few)
        (alone,) = np.nonzero((np.diagonal(links) > 0) & (np.count_nonzero(links, axis=1) == 1))
        links[alone] = -1
    return links, alone, 0


def about_words(count: float) -> str:
    """Write the mean number of words that a query looks at: "little more than one word", "about two words"."""
    if count < 1.25:
        return "little more than one word" if count > 1.02 else "one word"
    return "one or two words" if count < 1.75 else f"about {in_words(round(count))} words"


def read_heads(table: HeadTable) -> tuple[str, ...]:
    """Return sentences on which head is the sharpest, and which looks furthest."""
    if table.effective_keys.count() == 0:
        return ("No head attends to anything.",)
    layer, head, ties = _largest(-table.effective_keys.filled(np.inf))
    spread = f"each word looks at {about_words(float(table.effective_keys[layer, head]))} on average"
    sharpest = f"{head_label(layer, head).capitalize()} is the sharpest{_tied(ties)}: {spread}"
    if table.effective_keys.size == 1:
        sharpest = f"There is one head: {spread}"
    if table.distance.count() == 0:
        return (f"{sharpest}.",)
    layer, head, ties = _largest(table.distance.filled(-np.inf))
    distance = float(table.distance[layer, head])
    if distance < SHARE_TOLERANCE:
        return f"{sharpest}.", "No head looks away from the token itself."
    away = f"{number(distance, 2)} tokens away on average"
    if table.distance.size == 1:
        return f"{sharpest}.", f"It looks {away}."
    return f"{sharpest}.", f"{head_label(layer, head).capitalize()} looks furthest{_tied(ties)}: {away}."


def read_mutual(scores: np.ndarray, labels: Sequence[str]) -> str:
    """Say of which two tokens the scores differ most when query and key swap places.

    scores (L, L): the scores of a text with itself, all finite.
    """
    if len(scores) == 1:
        return "One token alone has no other to swap places with."
    change = scores.astype(np.float64) - scores.T
    if not change.any():
        return "The scores are symmetric: swapping query and key changes none of them."
    query, key = find_mutual(scores, labels)
    one, other = number(scores[query, key]), number(scores[key, query])
    if one == other:
        return "Swapping query and key hardly changes a score here."
    pair = f"the query of {token_name(labels, query)} with the key of {token_name(labels, key)}"
    return f"{capital(pair)} scores {one}; the other way round it is {other}."


def find_mutual(scores: np.ndarray, labels: Sequence[str]) -> tuple[int, int]:
    """Return the query and the key that `read_mutual` names: of words if any, those whose score falls most if swapped.

    scores (L, L): the scores of a text with itself, all finite, and not symmetric.
    """
    change = scores.astype(np.float64) - scores.T
    (query, key), _ = largest_of_words(np.where(change > 0, change, -np.inf), labels, labels)
    return int(query), int(key)


def read_scores(scores: np.ndarray, query_labels: Sequence[str], key_labels: Sequence[str] | None = None) -> str:
    """Say which score is the largest, and how much of the matrix is antisymmetric.

    The second is said only of a text that scores itself without a mask. Without `key_labels` the queries and the keys
    are the same text.
    scores (Q, K): −∞ if masked.
    """
    allowed = np.isfinite(scores)
    if not allowed.any():
        return "Every score is masked."
    (query, key), passed = largest_of_words(
        np.where(allowed, scores, -np.inf), query_labels, key_labels or query_labels
    )
    ties = 0 if passed else _largest(np.where(allowed, scores, -np.inf))[-1]
    pair = (
        f"the query of {token_name(query_labels, query)} with the key of {token_name(key_labels or query_labels, key)}"
    )
    largest = f"The largest score{' of words' if passed else ''} is {number(scores[query, key])}, {pair}{_tied(ties)}"
    if key_labels is not None or not allowed.all() or len(scores) == 1:
        return f"{largest}."
    share = split(scores).antisymmetric_share
    if share == 0:
        return f"{largest}; the scores are symmetric: swapping query and key changes none of them."
    return f"{largest}; {percent(share)} of the scores' squared size changes sign when query and key swap places."


def read_ablation(changes: np.ndarray, labels: Sequence[str], what: str = "token") -> tuple[str, ...]:
    """Return sentences on whose output an edit changed most, and by how much.

    changes (n,): sizes of change, 0 or more.
    what: "token" or "layer". Token labels are quoted; layer labels ("layer 2") are used as they are.
    """
    if len(changes) == 0 or not np.any(changes):
        return (f"No {what}'s output moved.",)
    index, ties = _largest(np.asarray(changes, dtype=np.float64))
    label = labels[index]
    if what == "token":
        pieces = [token_label.rpartition(" ")[2] for token_label in labels]
        (index,), passed = largest_of_words(np.where(changes > 0, changes, -np.inf), pieces)
        ties = 0 if passed else ties
        label = f"{'of all words, ' if passed else ''}{_in_stack(labels, index)}"
    moved = f"Its output changed by {number(changes[index])}."
    return f"{capital(label)} moved{f' most{_tied(ties)}' if len(changes) > 1 else ''}.", moved


def _in_stack(labels: Sequence[str], index: int) -> str:
    """Name a token by its label, together with its stack if the label begins with one: "encoder 0:the"."""
    stack, _, _ = labels[index].rpartition(" ")
    same = [n for n, label in enumerate(labels) if label.rpartition(" ")[0] == stack]
    name = token_name([labels[n].rpartition(" ")[2] for n in same], same.index(index))
    return f"{name} in the {stack}" if stack else name


def read_next(after: str, pieces: Sequence[tuple[str, float, float]]) -> tuple[str, ...]:
    """Say how the guess of what comes after a token changed, and the chances of the two likeliest pieces.

    after: the token, in quotes: the one after which the guess changed most.
    pieces: the likeliest pieces, each with its probability before the change and after it.
    """
    if all(before == now for _, before, now in pieces):
        return ("No guess of the next token moved.",)
    old, new = (max(pieces, key=lambda piece: piece[run]) for run in (1, 2))
    where = f"After {after} the model"
    if old[0] == new[0]:
        chances = f"now with {percent(old[2])} instead of {percent(old[1])}"
        return (f"{where} still goes on with {quoted(old[0])}, {chances}.",)
    return (
        f"{where} goes on with {quoted(new[0])} instead of {quoted(old[0])}.",
        f"{quoted(old[0])} had {percent(old[1])} before, {quoted(new[0])} has {percent(new[2])} now.",
    )


def read_cause(antisymmetric: float) -> str:
    """Say in markdown why scores are not mutual.

    antisymmetric: the antisymmetric share of W_Q W_Kᵀ.
    """
    return (
        "The cause is in the weights. Without the biases, S_raw = X (W_Q W_Kᵀ) Xᵀ, and W_Q W_Kᵀ is not symmetric: "
        f"**{percent(antisymmetric)}** of its squared size is antisymmetric. Were it symmetric (as with W_K = W_Q), "
        "the scores would be mutual; the weights still would not, since each row has its own softmax."
    )


def name_product(width: int, max_side: int) -> str:
    """Return the title of W_Q W_Kᵀ.

    max_side: the largest number of rows and columns that is shown.
    """
    return "W_Q W_Kᵀ" + ("" if width <= max_side else f", the first {max_side} of {width:,} rows and columns")


def write_look_up(keys: int, width: int) -> str:
    """Write in LaTeX one query's softmax at temperature T over `keys` keys, and the mix of their values.

    width: number of numbers in a value.
    """
    return (
        r"w_j = \frac{e^{S_{ij}/T}}{\sum_{k\ \text{allowed}} e^{S_{ik}/T}} \qquad z_i = \sum_j w_j\, v_j "
        rf"\qquad (1\times{keys})\cdot({keys}\times{width})"
    )


def read_masked_rows(pattern: np.ndarray, query_labels: Sequence[str]) -> str | None:
    """Say which queries of a pattern (Q, K) may attend to nothing; None if there are none."""
    empty = [token_name(query_labels, row) for row, weights in enumerate(pattern) if not weights.any()]
    if not empty:
        return None
    if len(empty) == 1:
        return f"{capital(empty[0])} may attend to nothing, so its mix of values is all zeros."
    return f"{capital(listed(empty, ROWS_NAMED))} may attend to nothing, so their mixes of values are all zeros."


def _largest(values: np.ndarray) -> tuple[int, ...]:
    """Return the index of the first largest value, and the number of others that tie with it."""
    index = np.unravel_index(int(np.argmax(values)), values.shape)
    top = values[index]
    ties = int((values >= top - SHARE_TOLERANCE * max(1.0, abs(top))).sum()) - 1
    return (*(int(i) for i in index), ties)


def _tied(ties: int) -> str:
    return f" (tied with {ties} other{'s' if ties > 1 else ''})" if ties else ""


def _apart_from(alone: Sequence[str]) -> str:
    """Say which tokens do not count for the strongest link because they look only at themselves."""
    if len(alone) > 1:
        return ", not counting tokens that look only at themselves"
    return f", not counting {alone[0]}, which looks only at itself" if alone else ""


def _looks_at_itself(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return f"{token_name(labels, 0)} is the only token, so all its attention goes to itself."
    return "Every query that may attend to anything gives all its attention to itself."
