"""The encodings of positions as plain tables, and what a model's own table says."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from core.analysis.positions import (
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
from core.checkpoints import shipped
from core.explorer.positions.tables import Labelled, with_labels
from core.explorer.shared.places import Place, to_numpy
from core.model import positions
from core.model.config import POSITIONS, TransformerConfig
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run

KINDS = tuple(kind for kind in POSITIONS if kind != "relative")  # whose numbers are learned for each head, in no table
ADDED = ("binary", "sinusoidal", "learned")
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
    """One way to say where a token stands, and its sizes.

    base: of sinusoidal and rotary waves; seed: of an untrained learned table; head of heads: whose ALiBi slope.
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
        """What the rows and the columns of its table are."""
        return ("queries", "keys") if self.kind == "alibi" else ("positions", "dimensions")

    @property
    def source(self) -> str:
        """The function that makes its table, by its dotted path."""
        return SOURCES[self.kind]

    @property
    def slope(self) -> float:
        """ALiBi's slope of the head."""
        return float(positions.alibi_slopes(self.heads)[self.head])

    def angle(self, position: int, dimension: int) -> float:
        """The angle p / base^(2i/D), in radians, of the pair that a dimension belongs to."""
        return angle(position, dimension, self.width, self.base)


def encode(encoding: Encoding) -> np.ndarray:
    """(L, D) the vector of each position, or (L, L) ALiBi's penalty of one head.

    Rotary has no vector of its own: what is handed out is (1, 0, 1, 0, …) turned by it, so that each pair holds the
    cosine and the sine of its angle. Learned: untrained, as a model of this seed starts. None: zeros.
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
    """(L, D) the learned table with which a model of this width and seed starts: normal numbers of variance 1/D."""
    config = TransformerConfig(
        vocab_size=1, d_model=width, heads=1, layers=1, d_k=1, d_v=1, d_ff=1, positions="learned", seed=seed
    )
    table = build(config).position_table(length)
    assert table is not None
    return to_numpy(table)


def own_table(model: Transformer, length: int) -> np.ndarray | None:
    """(L, D) what this model adds to its tokens, or None where it adds nothing."""
    table = model.position_table(min(length, model.config.max_length))
    return None if table is None else to_numpy(table)


def run_table(model: Transformer, tokenizer: AnyTokenizer, run: Run, length: int) -> np.ndarray | None:
    """The same of the model of a run."""
    return own_table(model, length)


def trained_kinds(folder: Path = shipped.MODELS_FOLDER) -> dict[str, tuple[str, ...]]:
    """The titles of the trained models by the kind of their positions; those that cannot be read are left out."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(KINDS, ())
    for name in shipped.names(folder):
        try:
            known = shipped.read(name, folder)
        except ValueError:
            continue
        found[known.config.positions] += (known.card.title,)
    return found


def trained_with(kind: str, folder: Path = shipped.MODELS_FOLDER) -> tuple[str, ...]:
    """The trained models whose positions are of this kind."""
    return trained_kinds(folder)[kind]


def self_attention(place: Place) -> Place:
    """The place itself; ValueError where it is cross-attention."""
    if place.cross:
        raise ValueError(NO_CROSS)
    return place


def nearest(encoding: Encoding) -> tuple[int, int, float] | None:
    """The two positions whose vectors are nearest to each other, and their distance; None for a single position."""
    return closest(encode(encoding))


Lengths = list[float | None]


def wavelengths(encoding: Encoding, dimensions: Sequence[int]) -> tuple[Lengths, Lengths]:
    """The period of each dimension in positions, measured and in theory.

    None in theory: it has none, and none is measured; None measured: it has not repeated yet.
    """
    table = encode(encoding)
    expected = [wavelength_in_theory(encoding.kind, each, encoding.width, encoding.base) for each in dimensions]
    pairs = zip(dimensions, expected, strict=True)
    return [wavelength(table[:, each]) if said is not None else None for each, said in pairs], expected


@dataclass(frozen=True)
class Waves:
    """Some columns (n, L) of an encoding's table: dimensions along the positions, or ALiBi's keys along the queries.

    word: what a column is; numbers: which ones; measured, expected: as `wavelengths` gives them.
    """

    word: str
    numbers: Sequence[int]
    values: np.ndarray
    measured: Lengths
    expected: Lengths

    @property
    def table(self) -> Labelled:
        """A row for each column, with its name."""
        return with_labels(self.values, *(f"{self.word} {number}" for number in self.numbers))


def waves(encoding: Encoding, numbers: Sequence[int]) -> Waves:
    """The columns of these numbers, with the waves that they are."""
    word = "key" if encoding.kind == "alibi" else "dimension"
    return Waves(word, numbers, encode(encoding)[:, list(numbers)].T, *wavelengths(encoding, numbers))


@dataclass(frozen=True)
class DotProducts:
    """The dot products of all pairs of positions, (L, L), and by distance, with theory (L,) where there is one."""

    square: np.ndarray
    measured: ByDistance
    theory: np.ndarray | None

    @property
    def table(self) -> Labelled:
        """Against distance; theory is NaN where there is none."""
        found, nothing = self.measured, np.full(len(self.square), np.nan)
        rows = np.stack([found.pairs, found.mean, found.spread, nothing if self.theory is None else self.theory])
        return with_labels(rows, "pairs", "mean", "spread", "theory")


def dot_products(encoding: Encoding) -> DotProducts:
    """Every position against every other; with ALiBi, which has no vectors, the penalties themselves."""
    table = encode(encoding)
    square = table if encoding.kind == "alibi" else table @ table.T
    theory = theory_by_distance(encoding.kind, encoding.length, encoding.width, encoding.base, encoding.slope)
    return DotProducts(square, by_distance(square), theory)


def shifted(encoding: Encoding, k: int) -> Shift:
    """The test of the shift by k: is there one matrix that turns each position's vector into that k further on?"""
    waves = encoding.kind == "sinusoidal"
    return shift(encode(encoding), k, encoding.base if waves else None)


def moved_penalties(encoding: Encoding, k: int) -> np.ndarray:
    """(L − k,) ALiBi's part of the test: how far the penalty of each pair at distance k is from that of the first."""
    penalties = np.diagonal(encode(encoding), -k)
    return np.abs(penalties - penalties[0]) if len(penalties) else penalties
