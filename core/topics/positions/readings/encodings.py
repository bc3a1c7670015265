"""Each way to encode positions in plain words, and the formulas of one encoding with its sizes in them."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from core.readings.words import number

WAVED = ("sinusoidal", "rotary")
WORDS = {
    "none": "**No positions.** Nothing is added: every position has the same vector, of zeros.",
    "binary": "**Binary.** The position is written in zeros and ones, lowest digit first, and *added* to the token.",
    "sinusoidal": "**Sinusoidal.** Each row is one position. Its numbers come in pairs, the sine and the cosine of a "
    "wave; each pair's wave is slower than the one before. The row is *added* to the vector of the token that stands "
    "there (Vaswani et al. 2017).",
    "learned": "**Learned.** A table that training changes like any other weight, *added* to the token. It ends at "
    "the last position it has a row for.",
    "rotary": "**Rotary.** Nothing is added: each pair of numbers of a query or key is *turned* by an angle that "
    "grows with the position (Su et al. 2021).",
    "alibi": "**ALiBi.** Nothing is added to tokens: each **score** loses a little for each step between query and "
    "key. Each head has its own slope (Press et al. 2022).",
}
AS_TABLE = {"rotary": " Shown is the pair (1, 0), turned.", "alibi": " Shown is what is added to one head's scores."}
AT_DISTANCE = {
    "rotary": r"s(d) = (R_d\, q) \cdot k / \sqrt{d_k}",
    "alibi": r"s(d) = q \cdot k / \sqrt{d_k} - m\, d",
    "none": r"s(d) = q \cdot k / \sqrt{d_k}",
}


class SizedEncoding(Protocol):
    """An encoding of positions, with its sizes.

    length, width: number of positions, and of numbers in a vector.
    base: the base of its waves.
    head, heads, slope: the head with this ALiBi slope, and the number of heads.
    """

    @property
    def kind(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def base(self) -> float: ...
    @property
    def head(self) -> int: ...
    @property
    def heads(self) -> int: ...
    @property
    def slope(self) -> float: ...
    def angle(self, position: int, dimension: int) -> float: ...


def read_encoding(kind: str, as_table: bool = True) -> str:
    """Describe an encoding of positions in markdown.

    as_table: whether to add which part of the encoding a table of its numbers shows.
    """
    return WORDS[kind] + (AS_TABLE.get(kind, "") if as_table else "")


def read_penalty(penalty: np.ndarray, slope: float) -> tuple[str, str]:
    """Return sentences on how much ALiBi takes off a score of one head for each step, and at most.

    penalty (L, L): the numbers added to the scores, 0 or less.
    slope: the amount by which one step of distance lowers a score.
    """
    return (
        f"Each step between query and key takes {number(slope, 4)} off their score.",
        f"The farthest key loses {number(float(-penalty.min()), 4)}, the token itself nothing.",
    )


def read_untrained(trained: Sequence[str], beside: bool) -> str:
    """Say that a table of learned positions is untrained, and where a trained one is shown.

    trained: the titles of models with a trained table.
    beside: whether a trained table is shown beside the untrained one.
    """
    sentence = "This table is untrained: random numbers, as a model with this seed begins."
    if not trained:
        return (
            f"{sentence} No trained model here has learned positions, so there is no trained table to show beside it."
        )
    titles = " or ".join(f"“{title}”" for title in trained)
    return (
        sentence if beside else f"{sentence} A trained one is in the view “learned”, and here when you choose {titles}."
    )


def write_cell(encoding: SizedEncoding, row: int, column: int, value: float) -> str:
    """Write in LaTeX how one number of an encoding's table is computed.

    row: the position.
    column: the dimension; for ALiBi, the key's position.
    value: the number.
    """
    angle = encoding.angle(row, column)
    pair = rf"{row} / {encoding.base:g}^{{{column // 2 * 2}/{encoding.width}}}"
    match encoding.kind:
        case "sinusoidal":
            wave = r"\cos" if column % 2 else r"\sin"
            return rf"PE({row}, {column}) = {wave}\left({pair}\right) \qquad = {wave}({angle:.5g}) = {value:.4f}"
        case "rotary":
            wave = r"\sin" if column % 2 else r"\cos"
            return rf"\theta = {pair} = {angle:.5g} \qquad {wave}(\theta) = {value:.4f}"
        case "binary":
            digit = rf"\text{{digit }} {column} \text{{ of }} {row}"
            return rf"{digit} \qquad {row} = {row:b}_2 \qquad \text{{is }} {value:.0f}"
        case "alibi":
            return (
                rf"-m \cdot |i - j| = \qquad -{encoding.slope:.5g} \cdot |{row} - {column}| = {value:.4f} "
                rf"\qquad m = {encoding.slope:.5g} \text{{, head }} {encoding.head + 1} \text{{ of }} {encoding.heads}"
            )
        case "learned":
            size = rf"{encoding.length} \times {encoding.width}"
            return rf"P_{{{row},{column}}} = {value:.4f} \qquad P \in \mathbb{{R}}^{{{size}}}"
    return rf"P_{{{row},{column}}} = 0"


def write_wave_lengths(encoding: SizedEncoding) -> str:
    """Write in LaTeX how many positions a dimension's wave is long; "" if the encoding has no waves."""
    if encoding.kind in WAVED:
        return (
            rf"\lambda_i = 2\pi\,\alpha^{{2i/D}} \qquad \alpha = {encoding.base:g} \qquad D = {encoding.width} "
            r"\qquad i = \lfloor \text{dimension} / 2 \rfloor"
        )
    return r"\lambda_i = 2^{i+1}" if encoding.kind == "binary" else ""


def write_dot_products(encoding: SizedEncoding) -> str:
    """Write in LaTeX the dot product of two positions' vectors, or the number that ALiBi adds to a score."""
    if encoding.kind in WAVED and encoding.width % 2 == 0:
        return (
            r"PE(p) \cdot PE(q) = \sum_{i=0}^{D/2-1} \cos\left(\frac{p - q}{\alpha^{2i/D}}\right) "
            rf"\qquad D = {encoding.width} \qquad \alpha = {encoding.base:g}"
        )
    if encoding.kind == "alibi":
        return rf"-m\,|i - j| \qquad m = {encoding.slope:.5g}"
    if encoding.kind == "learned":
        return (
            r"\operatorname{E}[P_p \cdot P_q] = 0 \;(p \ne q) \qquad \operatorname{E}[P_p \cdot P_p] = 1 "
            rf"\qquad \text{{spread}} \approx 1/\sqrt{{D}} = 1/\sqrt{{{encoding.width}}}"
        )
    return rf"PE(p) \cdot PE(q) = \sum_{{i=0}}^{{{encoding.width - 1}}} PE(p, i)\, PE(q, i)"


def write_shift(k: int, width: int, fitted: bool) -> str:
    """Write in LaTeX the matrix that shifts positions by k.

    fitted: whether it is fitted, or else taken from the formula.
    """
    if fitted:
        return rf"\min_M \sum_p \lVert M \cdot PE(p) - PE(p + {k}) \rVert^2"
    return (
        r"M(k) = \begin{pmatrix} \cos k\omega_i & \sin k\omega_i \\ -\sin k\omega_i & \cos k\omega_i \end{pmatrix}"
        rf"\qquad \text{{for each pair}} \qquad \omega_i = \alpha^{{-2i/D}} \qquad k = {k} "
        rf"\qquad M \in \mathbb{{R}}^{{{width} \times {width}}}"
    )


def write_turned(key_width: int, base: float) -> str:
    """Write in LaTeX why a pair turned by rotary positions has the same score at every place."""
    return (
        r"(R_{p+k}\, \mathbf{q}) \cdot (R_p\, \mathbf{k}) = (R_k\, \mathbf{q}) \cdot \mathbf{k} "
        rf"\qquad \text{{for every }} p \qquad d_k = {key_width} \qquad \alpha = {base:g}"
    )


def write_moved(slope: float, k: int) -> str:
    """Write in LaTeX why ALiBi's penalty at distance k is the same wherever the pair is."""
    return rf"-m\,|(p + k) - p| = -m\,k = -{slope:.5g} \cdot {k}"


def write_score_at(kind: str, score: str, count: int, key_width: int) -> str:
    """Write in LaTeX the score of a pair at distances 0 … count − 1, under these positions and this score function."""
    plain_dot = score == "scaled_dot" and kind in AT_DISTANCE
    formula = AT_DISTANCE[kind] if plain_dot else r"s(d) = \operatorname{score}(q_d, k_0)"
    return rf"{formula}\qquad d = 0, \dots, {count - 1} \qquad d_k = {key_width}"
