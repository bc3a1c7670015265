"""One sentence about scores and their scaling, made from the numbers: plain text."""

from collections.abc import Mapping

from core.analysis.scaling import WIDTHS, Softmaxes, Spread, Variances
from core.readings.words import number, percent


def read_spreads(spreads: Mapping[str, float], keys: int) -> str:
    """How many keys a query looks at under each score function, by its name."""
    if not any(spreads.values()):
        return "No query may attend to any key, whatever the score."
    if keys == 1:
        return "There is one key, so its weight is 1 whatever the score."
    (first, most), *others = ((name, f"{spread:.1f}") for name, spread in spreads.items())
    rest = ", ".join(f"{name} {spread}" for name, spread in others)
    return f"On average a query spreads its attention over this many of {keys} keys: {first} {most}, {rest}."


def read_variances(found: Variances) -> str:
    """The variance of q·k at the largest width, before and after division by √d_k."""
    width = WIDTHS[-1]
    raw, scaled = (f"{number(each.mean[-1], 4)} ± {number(each.error[-1], 2)}" for each in (found.raw, found.scaled))
    return (
        f"At d_k = {width:,} the variance of q·k is {raw} (theory: {width:,}); after division by √d_k it is {scaled}."
    )


def read_weights(found: Softmaxes, place: int) -> str:
    """The largest weight at one of WIDTHS."""
    raw, scaled = (percent(float(each.weights.mean[place, 0])) for each in (found.raw, found.scaled))
    which = "the only weight is" if found.keys == 1 else f"the largest of {found.keys} weights is"
    return f"At d_k = {WIDTHS[place]:,} {which} {raw} on average without scaling, and {scaled} with it."


def read_entropies(found: Softmaxes) -> str:
    """How the entropy changes from the smallest to the largest width."""
    raw, scaled = (_from_to(each.entropy) for each in (found.raw, found.scaled))
    change = f"goes from {raw} bits without scaling, and from {scaled} with it"
    return f"From d_k = 1 to {WIDTHS[-1]:,} the mean entropy {change}."


def read_gradients(found: Softmaxes) -> str:
    """What is left of the gradient at the largest width: on average, and for half of the queries."""
    raw, scaled = found.raw.gradient, found.scaled.gradient
    means = [number(each.mean[-1], 2) for each in (raw, scaled)]
    return (
        f"At d_k = {WIDTHS[-1]:,} the norm is {means[0]} on average without scaling, and {means[1]} with it; "
        f"half of all queries are left with at most {number(raw.middle[-1], 2)} without it."
    )


def read_own_variance(width: int, pairs: int, variance: float, expected: float, sizes: tuple[float, float]) -> str:
    """A head's own dot products beside what theory makes of its numbers. sizes: variances of a number of q and k."""
    if pairs == 1:
        return "This head has one query and one key: a single dot product has no variance."
    q, k = (number(size, 2) for size in sizes)
    return (
        f"This head's {pairs:,} dot products (d_k = {width:,}) have a variance of {number(variance)}. The numbers "
        f"in its queries have variance {q}, those in its keys {k}. Were they independent, the dot products would have "
        f"{number(expected)}."
    )


def read_own_softmax(width: int, what: str, raw: str, scaled: str) -> str:
    """The mean of one number over a head's own queries, for q·k and q·k ÷ √d_k."""
    return f"In this head (d_k = {width:,}) the mean {what} is {raw} without scaling, and {scaled} with it."


def _from_to(spread: Spread) -> str:
    return f"{number(spread.mean[0], 2)} to {number(spread.mean[-1], 2)}"
