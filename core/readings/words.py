"""How a number, a share, a token and a head are written in every sentence."""

import math
import re

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NUMBERED = re.compile(r"^\d+:(?=.)")
SAME = 1e-6  # shares and weights that differ by less are the same in float32


def number(x: float, digits: int = 3) -> str:
    """x to so many significant digits, with a real minus sign: "−0.0523", "1,204", "3.10·10⁻⁶", "−∞"."""
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


def head_label(layer: int, head: int) -> str:
    """The name of a head on screen, counted from 1: "layer 1 · head 1" for layer 0, head 0."""
    return f"layer {layer + 1} · head {head + 1}"


def quoted(label: str) -> str:
    """A token in curly quotes, without the number that pictures give it: "3:sat" is “sat”."""
    return f"“{NUMBERED.sub('', label)}”"


def percent(share: float) -> str:
    """A share in [0, 1] as a rounded percentage: "0%" only of 0, and "100%" only of what float32 may round from 1.

    That is from 1 − 10⁻⁶ on; between there and 99% it is "more than 99%", and below 0.1% "less than 0.1%".
    """
    if share <= 0 or share >= 1 - SAME:
        return "0%" if share <= 0 else "100%"
    if share < 0.001:
        return "less than 0.1%"
    if share > 0.99:
        return "more than 99%"
    return f"{100 * share:.2g}%" if share < 0.1 else f"{100 * share:.0f}%"
