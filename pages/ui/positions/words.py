"""What each encoding is, in plain words and as a formula with the numbers of one cell."""

from collections.abc import Callable

from core.analysis.positions import angle
from core.explorer.positions.encodings import Encoding
from core.model import positions
from core.model.transformer import build

KINDS = {
    "none": "**None.** Nothing is added: every position has the same vector, of zeros.",
    "binary": "**Binary.** The position is written in zeros and ones, lowest digit first, and **added** to the token.",
    "sinusoidal": "**Sinusoidal.** Each pair of numbers is the sine and the cosine of a wave; each pair's wave is "
    "slower than the one before. The vector is **added** to the token (Vaswani et al. 2017).",
    "learned": "**Learned.** A table that training changes like any other weight, **added** to the token. It ends at "
    "the last position it has a row for.",
    "rotary": "**Rotary.** Nothing is added: each pair of numbers of a query or key is **turned** by an angle that "
    "grows with the position (Su et al. 2021).",
    "alibi": "**ALiBi.** Nothing is added to tokens: each **score** loses a little for each step between query and "
    "key. Each head has its own slope (Press et al. 2022).",
}
SHOWN = {"rotary": " Shown is the pair (1, 0), turned.", "alibi": " Shown is what is added to one head's scores."}
SOURCES: dict[str, Callable[..., object]] = {
    "none": build,
    "binary": positions.binary,
    "sinusoidal": positions.sinusoidal,
    "learned": build,
    "rotary": positions.rotate,
    "alibi": positions.alibi_bias,
}


def axes(kind: str) -> tuple[str, str]:
    """What the rows and the columns of the heatmap are."""
    return ("queries", "keys") if kind == "alibi" else ("positions", "dimensions")


def cell_formula(encoding: Encoding, row: int, column: int, value: float) -> str:
    """LaTeX: how one number of the heatmap comes about."""
    turn = angle(row, column, encoding.width, encoding.base)
    pair = rf"{row} / {encoding.base:g}^{{{column // 2 * 2}/{encoding.width}}}"
    match encoding.kind:
        case "sinusoidal":
            wave = r"\cos" if column % 2 else r"\sin"
            return rf"PE({row}, {column}) = {wave}\left({pair}\right) \qquad = {wave}({turn:.5g}) = {value:.4f}"
        case "rotary":
            wave = r"\sin" if column % 2 else r"\cos"
            return rf"\theta = {pair} = {turn:.5g} \qquad {wave}(\theta) = {value:.4f}"
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
