"""The encodings of positions as plain tables, and the table of a model's own positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from core.checkpoints import shipped
from core.model import positions
from core.model.config import ADDED_POSITIONS, POSITIONS, TransformerConfig
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.topics.positions.analysis.encodings import (
    ByDistance,
    Shift,
    angle,
    by_distance,
    closest,
    shift,
    theory_by_distance,
    wavelength,
    wavelength_in_theory,
)
from core.topics.shared.labels import Labelled, with_labels
from core.topics.shared.places import HeadAddress, to_numpy
from core.tracing.run import Run

KINDS = tuple(kind for kind in POSITIONS if kind != "relative")  # whose numbers are learned for each head, in no table
ADDED = ADDED_POSITIONS
SOURCES = {
    "none": "core.model.transformer.build",
    "binary": "core.model.positions.binary",
    "sinusoidal": "core.model.positions.sinusoidal",
    "learned": "core.model.transformer.build",
    "rotary": "core.model.positions.rotate",
    "alibi": "core.model.positions.alibi_bias",
}
NO_CROSS = "Cross-attention compares two texts, which share no positions: choose encoder or decoder."


@dataclass(frozen=True)
class Encoding:
    """One way to encode a token's position, and its sizes.

    base: the base of sinusoidal and rotary waves.
    seed: the seed of an untrained learned table.
    head, heads: the head whose ALiBi slope is used, and the number of heads.
    Raises ValueError if the kind is unknown or the sizes do not fit it.
    """

    kind: str
    length: int = 64
    width: int = 64
    base: float = 10000.0
    seed: int = 0
    head: int = 0
    heads: int = 4

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"positions {self.kind!r} are not one of {', '.join(KINDS)}")
        if self.kind == "rotary" and self.width % 2:
            raise ValueError(f"rotary positions turn pairs of numbers, so the width must be even, not {self.width}")
        bits = (self.length - 1).bit_length()
        if self.kind == "binary" and self.width < bits:
            raise ValueError(f"{self.length} positions need {bits} bits, but the width is only {self.width}")

    @property
    def axes(self) -> tuple[str, str]:
        """The names of the rows and the columns of its table."""
        return ("queries", "keys") if self.kind == "alibi" else ("positions", "dimensions")

    @property
    def source(self) -> str:
        """The dotted path of the function that makes its table."""
        return SOURCES[self.kind]

    @property
    def slope(self) -> float:
        """The ALiBi slope of the head."""
        return float(positions.alibi_slopes(self.heads)[self.head])

    def angle(self, position: int, dimension: int) -> float:
        """Return the angle p / base^(2i/D), in radians, of the pair that a dimension belongs to."""
        return angle(position, dimension, self.width, self.base)


def encode(encoding: Encoding) -> np.ndarray:
    """Return the vector of each position, (L, D), or ALiBi's penalty of one head, (L, L).

    Rotary has no vector of its own: the result is (1, 0, 1, 0, …) turned by it, so that each pair holds the cosine and
    the sine of its angle. Learned: untrained, as a model of this seed starts. The kind "none": zeros.
    """
    length, width = encoding.length, encoding.width
    match encoding.kind:
        case "binary":
            return to_numpy(positions.binary(length, width))
        case "sinusoidal":
            return to_numpy(positions.sinusoidal(length, width, encoding.base))
        case "learned":
            return untrained_table(length, width, encoding.seed)
        case "rotary":
            east = torch.tensor([1.0, 0.0]).repeat(width // 2).expand(length, width)
            return to_numpy(positions.rotate(east, encoding.base))
        case "alibi":
            return to_numpy(positions.alibi_bias(encoding.heads, length, length)[encoding.head])
    return np.zeros((length, width), np.float32)


def untrained_table(length: int, width: int, seed: int) -> np.ndarray:
    """Return the learned table (L, D) with which a model of this seed starts: normal numbers of variance 1/D."""
    config = TransformerConfig(
        vocab_size=1, d_model=width, heads=1, layers=1, d_k=1, d_v=1, d_ff=1, positions="learned", seed=seed
    )
    table = build(config).position_table(length)
    assert table is not None
    return to_numpy(table)


def own_table(model: Transformer, length: int) -> np.ndarray | None:
    """Return the position vectors (L, D) that the model adds to its token embeddings, or None if it adds none."""
    table = model.position_table(min(length, model.config.max_length))
    return None if table is None else to_numpy(table)


def run_table(model: Transformer, tokenizer: AnyTokenizer, run: Run, length: int) -> np.ndarray | None:
    """Return `own_table` of a run's model; the tokenizer and the run are not used."""
    return own_table(model, length)


def trained_kinds(folder: Path = shipped.MODELS_FOLDER) -> dict[str, tuple[str, ...]]:
    """Return the titles of the trained models by the kind of their positions, without those that cannot be read."""
    titles: dict[str, tuple[str, ...]] = dict.fromkeys(KINDS, ())
    for name in shipped.names(folder):
        try:
            known = shipped.read(name, folder)
        except ValueError:
            continue
        if (kind := known.config.positions) in titles:
            titles[kind] += (known.card.title,)
    return titles


def self_attention(place: HeadAddress) -> HeadAddress:
    """Check that a place is in self-attention, and return it.

    Raises ValueError if it is cross-attention.
    """
    if place.cross:
        raise ValueError(NO_CROSS)
    return place


def nearest(encoding: Encoding) -> tuple[int, int, float] | None:
    """Return the two positions with the nearest vectors, and their distance; None for a single position."""
    return closest(encode(encoding))


def nearest_table(pair: tuple[int, int, float]) -> Labelled:
    """Return the distance that `nearest` found in a table of one number."""
    first, second, apart = pair
    return with_labels(np.array([apart]), f"{first} and {second}")


Lengths = list[float | None]


def wavelengths(encoding: Encoding, dimensions: Sequence[int]) -> tuple[Lengths, Lengths]:
    """Return the period of each dimension in positions, measured and in theory.

    None in theory: the dimension has no period, and none is measured. None measured: the wave has not repeated yet.
    """
    table = encode(encoding)
    expected = [
        wavelength_in_theory(encoding.kind, dimension, encoding.width, encoding.base) for dimension in dimensions
    ]
    pairs = zip(dimensions, expected, strict=True)
    return [wavelength(table[:, dimension]) if period is not None else None for dimension, period in pairs], expected


@dataclass(frozen=True)
class Waves:
    """Some columns of an encoding's table as rows (n, L), with their wavelengths.

    They are dimensions along the positions, or with ALiBi keys along the queries.
    word: "dimension" or "key".
    numbers: the numbers of the columns.
    measured, expected: as `wavelengths` returns them.
    """

    word: str
    numbers: Sequence[int]
    values: np.ndarray
    measured: Lengths
    expected: Lengths

    @property
    def table(self) -> Labelled:
        """The values with labels, one row for each column."""
        return with_labels(self.values, *(f"{self.word} {number}" for number in self.numbers))

    @property
    def length_table(self) -> Labelled:
        """The wavelengths with labels, one row for each column that follows a wave; NaN if it has not repeated yet."""
        pairs = zip(self.numbers, self.measured, self.expected, strict=True)
        rows = {
            f"{self.word} {number}": (np.nan if measured is None else measured, expected)
            for number, measured, expected in pairs
            if expected is not None
        }
        return Labelled(np.array(list(rows.values())).reshape(-1, 2), list(rows), ["measured", "in theory"])


def waves(encoding: Encoding, numbers: Sequence[int]) -> Waves:
    """Return the columns with these numbers, and their wavelengths."""
    word = "key" if encoding.kind == "alibi" else "dimension"
    return Waves(word, numbers, encode(encoding)[:, list(numbers)].T, *wavelengths(encoding, numbers))


@dataclass(frozen=True)
class DotProducts:
    """The dot products of all pairs of positions, (L, L), and their means by distance.

    theory (L,): the values that theory gives for each distance; None if there is no theory.
    """

    square: np.ndarray
    measured: ByDistance
    theory: np.ndarray | None

    def shades(self, row: int) -> np.ndarray:
        """Return one position's numbers with all, (L,), as shares of the way from the smallest of all to the largest.

        All are 0 if no two numbers differ.
        """
        low, high = float(self.square.min()), float(self.square.max())
        return (self.square[row] - low) / ((high - low) or 1)

    @property
    def table(self) -> Labelled:
        """The measured and expected values against distance; theory is NaN if there is none."""
        measured = self.measured
        theory = np.full(len(self.square), np.nan) if self.theory is None else self.theory
        rows = np.stack([measured.pairs, measured.mean, measured.spread, theory, np.abs(measured.mean - theory)])
        return with_labels(rows, "pairs", "mean", "spread", "theory", "mean from theory")


def dot_products(encoding: Encoding) -> DotProducts:
    """Return the dot product of every position with every other.

    ALiBi has no vectors, so its penalties themselves are returned.
    """
    table = encode(encoding)
    square = table if encoding.kind == "alibi" else table @ table.T
    theory = theory_by_distance(encoding.kind, encoding.length, encoding.width, encoding.base, encoding.slope)
    return DotProducts(square, by_distance(square), theory)


def shifted(encoding: Encoding, k: int) -> Shift:
    """Test whether one matrix turns each position's vector into the vector k positions further on."""
    waves = encoding.kind == "sinusoidal"
    return shift(encode(encoding), k, encoding.base if waves else None)


def shifted_rows(encoding: Encoding, k: int, count: int) -> tuple[Labelled, Labelled]:
    """Return the first rows as M(k) turns them, and the rows k further on, which they should equal, (count, D) each.

    Fewer rows if the table ends before; M(k) is `Shift.matrix`.
    """
    rows = encode(encoding).astype(np.float64)
    last = min(count, len(rows) - k)
    turned = rows[:last] @ shifted(encoding, k).matrix.T
    positions = [f"{number} → {number + k}" for number in range(last)], [str(number + k) for number in range(last)]
    columns = [str(number) for number in range(rows.shape[1])]
    return Labelled(turned, positions[0], columns), Labelled(rows[k : k + last], positions[1], columns)


def moved_penalties(encoding: Encoding, k: int) -> np.ndarray:
    """Return how far ALiBi's penalty of each pair at distance k is from that of the first pair, (L − k,)."""
    penalties = np.diagonal(encode(encoding), -k)
    return np.abs(penalties - penalties[0]) if len(penalties) else penalties
