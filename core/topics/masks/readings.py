"""Sentences about masks, made from the numbers; plain text, because labels come from visitors' texts."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.readings.words import capital, largest_of_words, number, only_words, percent, plural, quoted
from core.text.labels import token_name
from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE

MAX_TERMS = 5
MIN_SCORE = -700.0  # e^s of smaller scores is no longer a number above 0
ROUNDING = 1e-3
SHOWN_WEIGHTS = 3


def read_mask(mask: np.ndarray, base: np.ndarray) -> str:
    """Say how many pairs a mask (L, L) hides, and how many of its cells were painted.

    base (L, L): the mask before it was painted on; a cell that differs from it counts as painted.
    """
    pairs, hidden, painted = mask.size, int((~mask).sum()), int((mask != base).sum())
    sentence = f"{hidden:,} of {plural(pairs, 'pair')} of query and key are hidden" if hidden else "Nothing is hidden"
    return f"{sentence}{f', {painted:,} of the cells painted by hand' if painted else ''}."


def read_windows(windows: Sequence[int]) -> list[str]:
    """Say in which layers the model itself, without a chosen mask, lets a query attend to the last few tokens only.

    windows: for each layer, the number of last tokens that a query may attend to; 0 if it may attend to all.
    """
    widths = sorted({width for width in windows if width})
    if not widths:
        return []
    where = "every layer" if all(windows) else f"{sum(map(bool, windows))} of {plural(len(windows), 'layer')}"
    most = " or ".join(map(str, widths))
    return [
        f"Under any mask, this model lets a query see at most the last {most} tokens, its own among them, in {where}."
    ]


def read_effect(before: np.ndarray, after: np.ndarray, mask: np.ndarray, labels: Sequence[str]) -> tuple[str, ...]:
    """Return sentences on how much attention the pairs that a mask hides held before, and on what changed in one row.

    before, after (L, L): the weights without the mask and with it.
    mask (L, L): True = may attend.
    labels: the labels of the tokens.
    """
    if mask.all():
        return ("This mask hides nothing, so both patterns are the same.",)
    lost = weight_on_hidden(before, mask)
    (row,), passed = largest_of_words(np.where(lost > 0, lost, -np.inf), labels)
    mean = percent(float(lost.mean()))
    if not lost.any():
        return ("The pairs that this mask hides held none of the attention.",)
    if not mask[row].any():
        gone = f"{token_name(labels, row)} may attend to nothing now, so its row is all zeros"
    else:
        key = int(only_words(np.where(after[row] > 0, after[row], -np.inf), labels).argmax())
        gone = (
            f"{'of all words ' if passed else ''}{token_name(labels, row)} loses most, {percent(float(lost[row]))}, "
            f"and now gives {percent(float(after[row, key]))} to {'itself' if key == row else token_name(labels, key)}"
        )
    return f"On average {mean} of a word's attention went to words that this mask hides from it.", f"{capital(gone)}."


def weight_on_hidden(before: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the weight (L,) that each query gave to the keys that a mask hides from it."""
    return np.where(mask, 0, before).sum(1)


def write_masked_softmax(length: int) -> str:
    """Write in LaTeX the softmax over `length` tokens, with the mask as a term M that is added to the scores."""
    square = rf"{length} \times {length}"
    return (
        rf"\underset{{{square}}}{{A}} = \mathrm{{softmax}}_{{\text{{keys}}}}"
        rf"\Big(\underset{{{square}}}{{S}} + \underset{{{square}}}{{M}}\Big)"
        r"\qquad M_{ij} = \begin{cases} 0 & i \text{ may attend to } j \\ -\infty & \text{otherwise} \end{cases}"
    )


def read_ways(weights: Mapping[str, np.ndarray], mask: np.ndarray, labels: Sequence[str], row: int) -> tuple[str, ...]:
    """Return sentences on what one query's weights add up to with each of three ways to apply a mask.

    weights: for each way, the row (L,) of weights.
    mask (L,): the row of the mask.
    labels: the labels of the tokens.
    row: the number of the query.
    """
    name = token_name(labels, row)
    if mask.all():
        more = " Pick another row." if mask.size > 1 else ""
        return (f"Nothing is hidden from {name}, so all three ways agree.{more}",)
    left, rest = float(weights[ZEROS_AFTER].sum()), float(weights[ZEROS_BEFORE][~mask].sum())
    headline = f"If weights are set to 0 afterwards, {percent(1 - left)} of the attention of {name} is lost."
    if not mask.any():
        headline = f"If weights are set to 0 afterwards, all of the attention of {name} is lost: every key is hidden."
    elif percent(left) == "100%":
        headline = f"If weights are set to 0 afterwards, nothing of {name} is lost: hidden keys had no attention."
    return (
        headline,
        f"The row of {name} sums to {number(float(weights[RIGHT_WAY].sum()))} with −∞ before the softmax, "
        f"to {number(left)} with weights set to 0 afterwards; "
        f"with 0 for −∞ it sums to {number(float(weights[ZEROS_BEFORE].sum()))}, "
        f"but hidden keys still hold {percent(rest)}.",
    )


def row_arithmetic(scores: np.ndarray, mask: np.ndarray, row: int) -> str:
    """Write how each of the three ways to apply a mask computes one row of weights, in several lines.

    scores, mask (L,): that row.
    row: its number.
    """
    if not mask.any():
        return f"row {row}: every key is hidden, so there is no sum to divide by; here its weights are 0"
    if mask.all():
        return f"row {row}: no key is hidden, so all three ways divide e^s by the same sum"
    values = scores.astype(np.float64)
    top = float(values.max())
    vanish = top < MIN_SCORE  # beside e^0
    highest = top if vanish else max(top, 0.0)
    exps = np.exp(values - highest)
    seen, hidden, count = float(exps[mask].sum()), float(exps[~mask].sum()), int((~mask).sum())
    zeros = 0.0 if vanish else float(count * np.exp(-highest))
    named = [f"e^({number(values[j])})" for j in np.flatnonzero(mask)[:MAX_TERMS]]
    more = " + …" if mask.sum() > MAX_TERMS else ""
    lines = [
        f"Every e^s below is divided by e^{number(highest)}, which cancels: it keeps the numbers small."
        if highest
        else "Scores s of this row, one for each key.",
        f"keys it may see  Σ e^s = {' + '.join(named)}{more} → {number(seen)}",
        f"hidden keys      Σ e^s → {number(hidden)}",
        "",
        "−∞ before    hidden keys give e^(−∞) = 0: "
        + (f"weight = e^s / {number(seen)}" if seen else "only seen ones count"),
        "             the row sums to 1",
        f"zeros after  hidden keys stay in the sum: weight = e^s / ({number(seen)} + {number(hidden)}), theirs then 0",
        f"             the row sums to {number(seen)} / {number(seen + hidden)} = {number(seen / (seen + hidden))}",
        *_zero_for_minus_infinity(count, zeros, seen, vanish),
    ]
    return "\n".join(lines)


def _zero_for_minus_infinity(count: int, zeros: float, seen: float, vanish: bool) -> list[str]:
    beginning = f"0 for −∞     each of {count} hidden keys gives e^0, "
    if vanish:
        return [beginning + "beside which all others vanish", "             they keep all of it"]
    share = number(zeros / (seen + zeros))
    return [
        beginning + f"together {number(zeros)}",
        f"             they keep {number(zeros)} / {number(seen + zeros)} = {share} of it",
    ]


def read_leak(final: np.ndarray, position: int, labels: Sequence[str], name: str) -> list[str]:
    """Return sentences on which outputs before and after token `position` changed when that token was replaced.

    final (L,): the change of each output.
    labels: the labels of the tokens.
    name: the name of the mask.
    """
    earlier, later = int((final[:position] > 0).sum()), int((final[position + 1 :] > 0).sum())
    behind, counted = len(labels) - position - 1, []
    if position == 0:
        first = "there is no earlier word"
    elif earlier == 0:
        first = "no earlier word's output moves"
    else:
        first = "every earlier word's output moves" if earlier == position else "the outputs of some earlier words move"
        largest = number(float(final[:position].max()))
        counted = [f"{earlier} of {plural(position, 'earlier output')} {_move(earlier)}, by up to {largest}."]
    if behind:
        counted.append(f"{later} of {plural(behind, 'later output')} {_move(later)}.")
    return [f"Change {token_name(labels, position)}: under {quoted(name)} {first}.", *counted]


def _move(count: int) -> str:
    return "moves" if count == 1 else "move"


def read_batch_masks(other: str, taken: np.ndarray) -> list[str]:
    """Return notes on the mask that applies in a batch together with the padding mask.

    other: the name of that mask; "none" if there is none.
    taken (S,): the weight that each query of the shorter text gives to padding if padding is not hidden.
    """
    acts = [] if other == "none" else [f"The other mask, {other}, acts in all three."]
    unseen = "Choose “none” as the other mask to let tokens see what comes after them."
    return acts if taken.any() else [*acts, unseen]


def read_leak_tests(masks: int, name: str, wrong: Sequence[str], padded: bool) -> list[str]:
    """Return notes on a leak test of several masks.

    masks: number of masks; with one there are no notes.
    name: the chosen mask.
    wrong: the names of the wrong ways to apply it.
    padded: whether the text has padding.
    """
    ways = f"“{'” and “'.join(wrong)}” are wrong ways to apply the mask {name}."
    none = "There is no padding in this text, so the padding mask hides nothing."
    return [] if masks == 1 else [ways] if padded else [ways, none]


def read_reach(layers: np.ndarray, reached: np.ndarray, position: int) -> str:
    """Say how far a change of token `position` spreads through the layers, and how far the mask would let it spread.

    layers (N + 1, L): the largest change at each position, before the first layer and after each layer.
    reached (N + 1, L): the positions that the mask lets the change reach.
    """
    measured, allowed = (_spans(moved, position) for moved in (layers > 0, reached))
    if not any(measured):
        sentence = "In every layer the change stays in its own token."
    elif len(set(measured)) == 1:
        sentence = f"From the first layer on, the change reaches {_whom(layers[-1] > 0, position, measured[-1])}."
    else:
        near, far = plural(measured[0], "token"), measured[-1]
        sentence = f"The change spreads: {near} away after the first layer, {far} after the last."
    if measured == allowed:
        return sentence
    return f"{sentence} The mask would let it come {plural(max(allowed), 'token')} far."


def _whom(moved: np.ndarray, position: int, span: int) -> str:
    """Name the tokens that a change of token `position` has changed.

    moved (L,): whether each token has changed.
    span: the distance of the farthest changed token from `position`.
    """
    earlier, later = moved[:position], moved[position + 1 :]
    if earlier.all() and later.all():
        return "every other token" if len(moved) > 2 else "the other token"
    if later.all() and not earlier.any():
        return f"all {len(later)} later tokens" if len(later) > 1 else "the one later token"
    return f"tokens up to {span} away" if span > 1 else "the tokens next to it"


def _spans(moved: np.ndarray, position: int) -> list[int]:
    """Return for each layer the distance from `position` to the farthest True.

    moved (N + 1, L): booleans; the first row, before the first layer, is left out.
    """
    return [int(np.abs(np.flatnonzero(layer) - position).max(initial=0)) for layer in moved[1:]]


def read_broken(broken: np.ndarray, rows: Sequence[int], labels: Sequence[str], trial: bool) -> tuple[str, str]:
    """Return sentences on how NaN spreads from queries that may attend to nothing, with a plain softmax.

    broken (N + 1, L): whether each vector contains NaN.
    rows: these queries.
    labels: the labels of the tokens.
    trial: whether the mask on screen lets them attend to something.
    """
    count, tokens = [int(layer.sum()) for layer in broken[1:]], len(labels)
    who = token_name(labels, rows[0]) + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
    whose = "its row" if len(rows) == 1 else "their rows"
    is_nan = "would be" if trial else "is" if count[0] == 1 else "are"
    spread = f"{count[0]} of {plural(tokens, 'token')} {is_nan} NaN after layer 1"
    if count[-1] > count[0]:
        reached = next(layer for layer in range(1, len(count) + 1) if min(count[layer - 1 :]) == count[-1])
        how_many = f"all {tokens}" if count[-1] == tokens else f"{count[-1]} of them"
        spread += f", and {how_many} {'from' if reached < len(count) else 'after'} layer {reached}"
        spread += " on" if reached < len(count) else ""
    spoilt = f"{count[-1]} of {plural(tokens, 'token')}" if count[-1] < tokens else f"all {plural(tokens, 'token')}"
    spoilt = "the only token" if tokens == 1 else spoilt
    if trial:
        return (
            f"If {token_name(labels, rows[0])} had nothing to look at, a plain softmax would divide zero by zero and "
            f"spoil {spoilt}.",
            f"In this model {whose} would be zeros; with a plain softmax {spread}.",
        )
    zeros = "is zeros" if len(rows) == 1 else "are zeros"
    empty = f"{capital(who)} may" if len(rows) == 1 else "Some tokens may"
    why = "a plain softmax divides zero by zero, which is not a number, and spoils"
    which = "" if len(rows) == 1 else f"{capital(who)} may attend to nothing. "
    return (
        f"{empty} look at nothing: {why} {spoilt}.",
        f"{which}In this model {whose} {zeros}; with a plain softmax {spread}.",
    )


def empty_row_arithmetic(row: int, naive: np.ndarray, weights: np.ndarray, largest: float) -> str:
    """Write in lines what a plain softmax and this model compute for a query that may attend to nothing.

    row: the number of the query.
    naive, weights (L,): its weights by the plain softmax and by the model.
    largest: the largest number of the model's output.
    """
    more = ", …" if len(weights) > SHOWN_WEIGHTS else ""
    shown, zeros = (
        ", ".join(f"{value:g}".replace("nan", "NaN") for value in row_weights[:SHOWN_WEIGHTS]) + more
        for row_weights in (naive, weights)
    )
    return (
        f"{f'row {row}':<15}every score is −∞, so the largest is too\n"
        f"plain softmax  the sum of all e^s is 0, and 0 ÷ 0 is NaN: [{shown}]\n"
        f"this model     weights [{zeros}], so z = 0\n"
        f"{'':<15}largest number of the output: {largest:.4g}"
    )


def read_batch(hidden: np.ndarray, seen: np.ndarray, taken: np.ndarray, labels: Sequence[str]) -> list[str]:
    """Return two sentences on what padding does to the shorter text of a batch if it is not masked.

    hidden, seen (S,): the largest change of each output, against the text alone, with the padding mask and without it.
    taken (S,): the weight that each query gives to padding if padding is not hidden.
    labels: the labels of the tokens.
    """
    row = int(taken.argmax())
    grabbed = f"{token_name(labels, row)} gives {percent(float(taken[row]))} of its attention to padding"
    if not taken.any():
        grabbed = "no real token sees the padding, which comes after it"
    largest = float(hidden.max())
    kept = f"with it by up to {number(largest)}: so coarse is this number format"
    if largest < ROUNDING:
        kept = f"with it by at most {number(largest)}, which is rounding" if largest else "with it nothing moves"
    return [
        f"Without the padding mask {grabbed}." if taken.any() else capital(f"{grabbed}."),
        f"Without the padding mask outputs move by up to {number(float(seen.max()))}, {kept}.",
    ]
