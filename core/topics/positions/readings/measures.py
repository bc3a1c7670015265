"""Sentences about pictures of positions: plain text, true of the numbers given."""

from collections.abc import Sequence

import numpy as np

from core.readings.words import SHARE_TOLERANCE, capital, listed, number, plural, quoted
from core.text.labels import bare
from core.topics.positions.analysis.encodings import ByDistance, Shift
from core.topics.positions.analysis.orthogonality import Cosines
from core.topics.positions.readings.encodings import WAVED

EXACT_ERROR = 1e-4


def read_closest(kind: str, nearest: tuple[int, int, float] | None) -> list[str]:
    """Return sentences on whether a table of position vectors tells positions apart.

    nearest: the two most alike positions, and the distance of their vectors; None if there is only one position.
    """
    if nearest is None:
        return ["There is only one position."]
    first, second, apart = nearest
    if apart < 1e-9:
        return [f"Positions {first} and {second} have the same vector: nothing here tells them apart."]
    return [
        "No two positions have the same pattern, so the model can tell them apart.",
        f"The most alike are {first} and {second}: their vectors are {number(apart)} apart.",
    ]


def read_waves(
    measured: Sequence[float | None], expected: Sequence[float | None], dimensions: Sequence[int]
) -> list[str]:
    """Return sentences on which dimensions of an encoding are slower waves, and on when they repeat, beside theory.

    measured, expected: that number for each dimension, as measured and in theory; None if the dimension has not
        repeated, or follows no wave.
    dimensions: their numbers, in ascending order.
    """
    parts, waves = [], []
    for dimension, period, period_expected in zip(dimensions, measured, expected, strict=True):
        if period_expected is not None:
            waves.append((dimension, period, period_expected))
        if period is not None and period_expected is not None:
            parts.append(
                f"dimension {dimension} repeats every {number(period, 3)} positions "
                f"(theory {number(period_expected, 3)})"
            )
        elif period_expected is not None:
            parts.append(
                f"dimension {dimension} has not repeated yet (theory: every {number(period_expected)} positions)"
            )
    if not parts:
        return ["These numbers follow no wave."]
    (low, period, quick), (high, _, slow) = waves[0], waves[-1]
    if low == high:
        when = "has not repeated yet" if period is None else f"repeats every {number(period)} positions"
        headline = f"Dimension {low} {when}."
    elif quick < slow:
        headline = f"Higher dimensions are slower waves: dimension {high} takes longer to repeat than dimension {low}."
    else:
        headline = f"Dimensions {low} and {high} are waves of the same length."
    return [headline, capital(f"{'; '.join(parts[:4])}.")]


def read_distances(kind: str, measured: ByDistance, theory: np.ndarray | None) -> list[str]:
    """Say which distance makes two positions most alike; then whether it alone decides, the means and the spread.

    kind: the encoding; for "alibi" the numbers are penalties, not dot products.
    measured: the measured numbers by distance.
    theory: their mean in theory, by distance; None if there is none.
    """
    if len(measured.mean) < 2:
        return ["There is only one position, so only the distance 0."]
    spread = float(measured.spread.max())
    alike = "the same for every pair" if spread < EXACT_ERROR else f"spread by up to {number(spread)} around their mean"
    what = "penalty" if kind == "alibi" else "dot product"
    place = "on the distance alone" if spread < EXACT_ERROR else "on where the two stand, not on their distance alone"
    text = (
        f"The {what} depends {place}: at distance 0 the mean {what} is {number(measured.mean[0])}, at distance 1 "
        f"{number(measured.mean[1])}; "
    )
    text += f"at one distance the numbers are {alike}"
    exact = spread < EXACT_ERROR
    if exact and np.ptp(measured.mean) < EXACT_ERROR:
        headline = f"The {what} of two positions is the same at every distance."
    elif kind == "alibi":
        headline = "The farther apart two tokens stand, the more ALiBi lowers their score."
    elif measured.mean[1:].argmax() == 0:
        headline = f"{'Every' if exact else 'On average a'} position is most like its neighbours."
    else:
        headline = "On average a position is not most like its neighbours."
    if theory is None:
        return [headline, f"{text}."]
    gap = float(np.abs(measured.mean - theory).max())
    return [headline, f"{text}, and their mean is never more than {number(gap, 2)} from theory."]


def read_band(kind: str, measured: ByDistance) -> str:
    """Say how many pairs of positions were measured, and what the band around their mean is or why there is no band.

    kind: the encoding.
    measured: the measured numbers by distance.
    """
    over = f"Measured over all {int(measured.pairs.sum()):,} pairs, each position with itself included; "
    if float(measured.spread.max()) >= EXACT_ERROR:
        return f"{over}the band is one standard deviation to each side."
    why = " For waves, sin a · sin b + cos a · cos b = cos(a − b): only the distance is left." if kind in WAVED else ""
    return f"{over}all pairs at one distance have the same number, so there is no spread to draw as a band.{why}"


def read_shift(kind: str, shift: Shift, k: int, width: int) -> list[str]:
    """Return sentences on whether one matrix turns every position's vector into the vector k positions further on.

    kind: the encoding.
    shift: the matrices and their errors.
    width: the width of the vectors.
    """
    if kind == "none":
        return ["All vectors are zero, so any matrix does it, and it says nothing."]
    worst = float(shift.errors_fitted.max())
    if shift.errors_constructed is not None:
        built = float(shift.errors_constructed.max())
        return [
            f"One matrix turns every position into the one {k} further on: the two pictures agree.",
            f"Written down from the formula it errs by at most {number(built, 2)}, fitted by {number(worst, 2)}.",
        ]
    unseen = shift.unseen
    if worst < EXACT_ERROR and unseen is not None and unseen >= EXACT_ERROR:
        return [
            "One matrix fits all these positions, but only by heart: fitted on every second one, it misses the others.",
            f"The fit is perfect on its own {shift.rows} rows (error {number(worst, 2)}), but only because {width} "
            f"columns leave it free to be. Fitted on every second row, it errs by up to {number(unseen)} on others.",
        ]
    if worst < EXACT_ERROR:
        return [
            f"One matrix turns each of these {plural(shift.rows, 'position')} into the one {k} further on.",
            f"The best matrix errs by at most {number(worst, 2)}.",
        ]
    return [
        f"No matrix turns every position into the one {k} further on.",
        f"The best one still errs by up to {number(worst)}.",
    ]


def read_unseen(kind: str, shift: Shift) -> str:
    """Say how large the error is at positions to which no matrix was fitted; "" if this was not measured.

    It also returns "" for the kind "none", because the error of vectors of zeros is meaningless.

    shift: the matrices and their errors.
    """
    if shift.unseen is None or kind == "none":
        return ""
    return (
        "A fit can be perfect only because it is free to be, so another was made on every second position and tried "
        f"on the unseen ones between: the largest error there is {number(shift.unseen, 2)}."
    )


def name_shift(shift: Shift, k: int, max_side: int) -> str:
    """Return the title of a picture of M(k), the matrix that shifts positions by k.

    shift: the matrix.
    max_side: the largest number of rows and columns that is shown.
    """
    cut = "" if len(shift.matrix) <= max_side else f", its first {max_side} rows and columns"
    return f"M({k}), {'fitted' if shift.constructed is None else 'from the formula'}{cut}"


def name_pair(query: str, key: str) -> str:
    """Name a query and a key in a sentence, by their labels."""
    return f"the query of {quoted(bare(query))} and the key of {quoted(bare(key))}"


def read_turned(query: str, key: str, scores: np.ndarray, k: int, theory: float, unturned: float) -> list[str]:
    """Return sentences on whether, with rotary positions, a query's score for a key depends on their distance alone.

    query, key: their labels.
    scores (n,): the scores at n places of the pair.
    k: the distance.
    theory: the score in theory.
    unturned: the score without rotary positions.
    """
    apart, pair = float(np.ptp(scores)), name_pair(query, key)
    same = apart <= EXACT_ERROR * max(float(np.abs(scores).max()), abs(unturned))
    beginning = f"Wherever the two words stand, {k} apart" if same else "The place changes the score"
    return [
        f"{beginning}, {pair} give the same score." if same else f"{beginning} of {pair}.",
        f"At distance {k} it is {number(scores[0], 4)} (theory {number(theory, 4)}): over "
        f"{plural(len(scores), 'placing')} it varies by {number(apart, 2)}. Without turning it would be "
        f"{number(unturned, 4)}.",
    ]


def read_moved(changes: np.ndarray, slope: float, k: int) -> list[str]:
    """Say whether ALiBi's penalty for two words depends only on their distance.

    changes (n,): how far the penalty at each of n places of the pair is from that at the first place.
    slope: the amount by which one step of distance lowers a score.
    k: the distance.
    """
    same = float(np.abs(changes).max()) <= EXACT_ERROR * slope * k
    return [
        f"Wherever two words stand, {k} apart, the penalty is the same." if same else "The place changes the penalty.",
        f"At distance {k} it is {number(-slope * k, 4)}: over {plural(len(changes), 'placing')} it changes by at most "
        f"{number(changes.max(), 2)}.",
    ]


def read_angles(
    mean: float, variance: float, largest: float, pieces: int, positions: int, width: int
) -> tuple[str, str]:
    """Return sentences on the cosines between a model's vectors of tokens and positions, beside random directions.

    The first compares the mean squared cosines: that of random directions is 1 / width.

    mean, variance, largest: the statistics of these cosines; the largest in absolute value.
    pieces, positions: number of vectors of each kind.
    width: the width of the vectors.
    """
    size, of_random = variance + mean**2, number(1 / width)
    near = "nearer to a right angle than" if size < 1 / width else "farther from a right angle than"
    near = "about as near to a right angle as" if number(size) == of_random else near
    return (
        f"Vectors of tokens and of positions are, on average, {near} random ones.",
        f"Over {plural(pieces, 'token')} and {plural(positions, 'position')} the mean cosine is {number(mean, 2)} and "
        f"the variance {number(variance)}, where random directions in {width} dimensions have 0 and "
        f"{of_random}; the largest in size is {number(largest)}.",
    )


def read_random(cosines: Cosines, size: int) -> list[str]:
    """Return sentences on how near to a right angle random directions of one vector size are.

    cosines: the cosines at all sizes.
    size: that size.
    """
    index = int(np.flatnonzero(cosines.sizes == size)[0])
    mean, variance = cosines.mean[index], cosines.variance[index]
    middle = max(abs(float(cosines.low[index])), abs(float(cosines.high[index])))
    near = "nearly at right angles" if middle < 0.25 else "at any angle"
    return [
        f"Random vectors of {plural(size, 'number')} stand {near} to each other.",
        f"With n = {size}: mean {number(mean, 2)} ± {number(cosines.mean_error[index], 2)}, variance "
        f"{number(variance)} ± {number(cosines.variance_error[index], 2)} (theory {number(1 / size)}); nine cosines "
        f"of ten lie between {number(cosines.low[index])} and {number(cosines.high[index])}.",
    ]


def read_pair(query: str, key: str, scores: np.ndarray, limit: int, theory: np.ndarray | None) -> tuple[str, str]:
    """Return sentences on whether a score leaves its range beyond the model's length, and on both ranges.

    query, key: their labels.
    scores: the score at each distance from 0 on.
    limit: the model's length.
    theory: the scores in theory; None if there is no theory.
    """
    inside, beyond, pair = scores[:limit], scores[limit:], name_pair(query, key)
    if len(beyond) and np.allclose(scores, scores[0]):
        headline = f"Wherever they stand, {pair} give the same score."
        return headline, f"At every distance the score is {number(scores[0])}."
    text = f"Up to distance {len(inside) - 1} the score runs from {number(inside.min())} to {number(inside.max())}"
    if not len(beyond):
        headline = f"Here {pair} are at most {plural(len(inside) - 1, 'position')} apart: then the vectors end."
        return headline, f"{text}; beyond that the model has no position vectors at all."
    low, high, slack = inside.min(), inside.max(), SHARE_TOLERANCE * float(np.abs(scores).max())
    stays = low - slack <= beyond.min() and beyond.max() <= high + slack
    score = f"the score of {quoted(bare(query))} for {quoted(bare(key))}"
    headline = f"Beyond the model's length, {score} {'stays within' if stays else 'leaves'} its earlier range."
    text += f", beyond it from {number(beyond.min())} to {number(beyond.max())}"
    if theory is None:
        return headline, f"{text}."
    return headline, f"{text}; nowhere more than {number(np.abs(scores - theory).max(), 2)} from theory."


def read_measured(kind: str, added: bool, limit: int, layer: int) -> str:
    """Say how the scores of one query and key at growing distances were measured.

    kind: the encoding.
    added: whether positions are added to tokens.
    limit: the model's length.
    layer: the layer of the query and the key, from 0.
    """
    if not added:
        return (
            f"The query and the key are the ones that layer {layer + 1} computed from your text; only their distance "
            f"is changed. The model is made for texts of up to {plural(limit, 'token')}."
        )
    ends = f" Learned positions end at {limit}: the model has no vector for the next one."
    return (
        "Measured in layer 1: there a query and a key follow from their token and position alone, so they are computed "
        "again for each distance, with the key at position 0. The model is made for texts of up to "
        f"{plural(limit, 'token')}.{ends if kind == 'learned' else ''}"
    )


def read_repeated(period: int, limit: int) -> str:
    """Say that a text of `period` tokens was repeated until it is twice as long as the model's length `limit`."""
    return (
        f"Your text of {plural(period, 'token')}, repeated to {2 * limit} in one forward pass, twice the model's "
        "length. A repeated text is easy to go on with: compare before and after the line, not with other texts."
    )


def read_long(surprise: bool, values: np.ndarray, limit: int) -> tuple[str, str]:
    """Return sentences that compare a number before the model's length and far beyond it.

    The first is the mean over the last quarter of the model's length, the second that over as many tokens at the end.
    Means that are no more than two standard errors apart are called alike.

    surprise: whether the number is the surprise in bits, not the number of keys that the head spreads over.
    values: the number for each token; NaN is left out.
    limit: the model's length.
    """
    some = max(1, limit // 4)
    parts = values[limit - some : limit], values[-some:]
    near, far = (float(np.nanmean(part)) for part in parts)
    inside, beyond = (f"{number(np.nanmean(part))} ± {number(np.nanstd(part), 2)}" for part in parts)
    error = float(np.sqrt(sum(np.nanvar(part) / np.isfinite(part).sum() for part in parts)))
    alike = abs(far - near) <= max(2 * error, SHARE_TOLERANCE * abs(near))
    begin = "Nothing breaks here: far" if alike else "Far"
    if surprise:
        what, whose = "Surprise in bits", "it"
        change = "about as surprised as" if alike else f"{'more' if far > near else 'less'} surprised than"
        change = f"the model is {change}"
    else:
        what, whose = "Keys that the head spreads over", "the model"
        change = "about as many keys as" if alike else f"{'more' if far > near else 'fewer'} keys than"
        change = f"the head spreads over {change}"
    return (
        f"{begin} beyond the length that {whose} was made for, {change} just before it.",
        f"{what}: {inside} over the last {plural(some, 'token')} before the limit, {beyond} over the last {some} of "
        "all (mean ± standard deviation).",
    )


def read_beginning(words: Sequence[str]) -> str:
    """Return a text of these words, or its first 40."""
    return " ".join(words[:40]) + (" …" if len(words) > 40 else "")


def read_shuffle(kind: str, largest: float, size: float, moves_along: bool, masked: bool) -> tuple[str, str]:
    """Say whether shuffling the words changed the model's outputs, and, in a second sentence, by how much.

    kind: the model's encoding of positions.
    largest: the largest change of an output that was put back in order.
    size: the largest output.
    moves_along: whether the outputs just moved with their words.
    masked: whether the model has a mask.
    """
    apart = f"Put back in order, its outputs differ by up to {number(largest, 2)}; the largest output is {number(size)}"
    if moves_along:
        headline = "Shuffle the words, and your model's outputs just move with them: it cannot know the order."
        return headline, f"{apart}: that is rounding."
    tellers = [f"its {kind} positions"] * (kind != "none") + ["its mask"] * masked
    by = listed(tellers) or "rounding alone"
    return f"Shuffle the words, and your model's outputs change: it knows the order by {by}.", f"{apart}."
