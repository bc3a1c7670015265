"""The wording of numbers, shares and counts in every sentence."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from core.text.labels import are_words

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SHARE_TOLERANCE = 1e-6  # shares and weights that differ by less are the same in float32
MIN_SHARE = 1e-30  # a share this small is a rounded 0


def number(x: float, digits: int = 3) -> str:
    """Write x to `digits` significant digits, with a real minus sign: "−0.0523", "1,204", "3.10·10⁻⁶", "−∞"."""
    x = float(x)
    if not math.isfinite(x):
        return "undefined" if math.isnan(x) else "∞" if x > 0 else "−∞"
    mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
    power = int(exponent)
    if x == 0:
        text = "0"
    elif -4 <= power < 6:
        text = f"{x:,.{max(0, digits - 1 - power)}f}"
    else:
        text = f"{mantissa}·10{str(power).translate(SUPERSCRIPTS)}"
    return text.replace("-", "−")


def latex_softmax(sink: bool) -> str:
    """Write the softmax of attention in LaTeX. sink: whether it has a sink logit beside the keys."""
    return r"\mathrm{softmax}" + (r"_{\text{keys and sink logit}}" if sink else "")


def latex_number(x: float, digits: int = 3) -> str:
    """Write x to `digits` significant digits, in LaTeX: "3.10 \\cdot 10^{-6}"."""
    written = number(x, digits).replace("−", "-").replace(",", "{,}").replace("∞", r"\infty")
    mantissa, times_ten, power = written.partition("·10")
    if not times_ten:
        return written if written != "undefined" else r"\text{undefined}"
    return rf"{mantissa} \cdot 10^{{{power.translate(PLAIN_DIGITS)}}}"


def quoted(text: str) -> str:
    """Put a text or a name in curly quotes."""
    return f"“{text}”"


def read_mark(piece: str) -> str:
    """Explain the mark of a piece that continues a word, with such a piece as the example."""
    return f"{quoted(piece)} continues the word before it."


def only_words(values: np.ndarray, *labels: Sequence[str]) -> np.ndarray:
    """Set the values of all labels but whole words to −∞, so that the largest value left makes a sentence about words.

    values: any shape.
    labels: the labels of each of its axes.

    If no finite value is left, the values are returned as they are.
    """
    left = np.array(values, dtype=np.float64)
    for axis, names in enumerate(labels):
        left[(slice(None),) * axis + (~are_words(names),)] = -np.inf
    return left if np.isfinite(left).any() else np.asarray(values, dtype=np.float64)


def largest_of_words(values: np.ndarray, *labels: Sequence[str]) -> tuple[tuple[int, ...], bool]:
    """Return the place of the largest value of whole words, and whether a larger one of another token was passed over.

    The arguments are those of `only_words`; NaN counts as −∞.
    """
    known = np.where(np.isnan(values), -np.inf, np.asarray(values, dtype=np.float64))
    worded = only_words(known, *labels)
    cell = np.unravel_index(int(worded.argmax()), worded.shape)
    top = float(worded[cell])
    passed = bool(np.isfinite(top)) and bool(known.max() > top + SHARE_TOLERANCE * max(1.0, abs(top)))
    return tuple(int(index) for index in cell), passed


def stands_out(values: Sequence[float] | np.ndarray) -> bool:
    """Return whether the largest of some numbers exceeds the smallest by more than rounding.

    If not, all are alike, and a sentence must not call one of them the largest. False for no numbers.
    """
    return len(values) > 0 and float(np.max(values)) - float(np.min(values)) > SHARE_TOLERANCE * max(
        1.0, float(np.max(values))
    )


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Return the text with a small first letter."""
    return text[:1].lower() + text[1:]


def plural(count: int, noun: str) -> str:
    """Write a counted noun whose plural ends in s: "1 token", "1,204 tokens"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def in_words(count: int) -> str:
    """Write a count as sentences do: "two", "ten", "11"."""
    return COUNTS[count] if 0 <= count < len(COUNTS) else f"{count:,}"


def listed(names: Iterable[str], max_names: int | None = None) -> str:
    """Join names in a row: "a", "a and b", "a, b and c".

    max_names: number of names after which only the number of the others is given, "a, b and 3 more".
    """
    named = list(names)
    if max_names is not None and len(named) > max_names:
        named = [*named[:max_names], f"{len(named) - max_names:,} more"]
    return " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))


def percent(share: float) -> str:
    """Write a share of a whole as a rounded percentage, with "0%" and "100%" only for none and all.

    "100%" begins at 1 − 10⁻⁶, which float32 may round from 1; from 99% up to there it is "more than 99%". Between 0 and
    0.1% it is "less than 0.1%". Numbers that may be negative or above 1 are not shares: use `part_of` for them.
    """
    if abs(share) <= MIN_SHARE or share >= 1 - SHARE_TOLERANCE:
        return "0%" if share < SHARE_TOLERANCE else f"{max(100, round(100 * share)):,}%"
    if share < 0:
        return f"−{number(-100 * share, 2)}%"
    if share < 0.001:
        return "less than 0.1%"
    if share > 0.99:
        return "more than 99%"
    return f"{100 * share:.2g}%" if share < 0.1 else f"{100 * share:.0f}%"


def times(ratio: float) -> str:
    """Write a ratio as a number of times, without trailing zeros: "4 times", "0.25 times"."""
    text = number(ratio)
    return f"{text.rstrip('0').rstrip('.') if '.' in text and '·' not in text else text} times"


def part_of(ratio: float) -> str:
    """Write a ratio for a following noun: "81% of" its length.

    Above 1 or below 0 a percentage would mislead, so it is "1.3 times" and "−0.2 times".
    """
    return f"{percent(ratio)} of" if 0 <= ratio <= 1 else f"{number(ratio, 2)} times"
