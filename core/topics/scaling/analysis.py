"""Why scores are divided by √d_k, shown by random queries and keys.

Measured are the spread of their dot products as vectors get wider, and its effect on the softmax (Vaswani et al. 2017,
section 3.2.1 and its footnote 4). Everything is drawn in 20 repetitions, each with its own queries and keys, so that
every mean has a standard error.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

WIDTHS = tuple(2**power for power in range(11))
REPETITIONS = 20
RANKS = 12
QUANTILES = (0.05, 0.5, 0.95)
CHUNK_BYTES = 16 * 2**20
LEAST_DRAWS, MOST_KEYS = 2, 4096
MOST_GRADIENT = 0.5  # of two equal weights
TIE_BITS = math.pi**2 / 6 / math.log(2)  # ∫₀^∞ of the entropy of (σ(g), 1 − σ(g)) over g, in bits

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


@dataclass(frozen=True)
class Distribution:
    """A distribution of numbers with mean 0 and variance 1; `fourth` is the mean of their fourth power."""

    draw: Draw
    fourth: float


SOURCES = {
    "normal": Distribution(lambda rng, shape: rng.standard_normal(shape, dtype=np.float32), 3.0),
    "uniform": Distribution(lambda rng, shape: (2 * rng.random(shape, dtype=np.float32) - 1) * np.float32(3**0.5), 1.8),
    "signs": Distribution(
        lambda rng, shape: np.copysign(np.float32(1), rng.random(shape, dtype=np.float32) - 0.5), 1.0
    ),
}


@dataclass(frozen=True, eq=False)
class Spread:
    """One measured number at each width, arrays (W,).

    mean: the mean.
    error: the standard error of that mean across repetitions.
    low, middle, high: the 5 %, 50 % and 95 % quantiles of the values that were averaged.
    """

    mean: np.ndarray
    error: np.ndarray
    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class Variances:
    """The variance of q·k and of q·k ÷ √d_k at each of WIDTHS; quantiles are across repetitions.

    expected_error (W,): the standard error that theory gives the mean of `raw`, whose own expectation is the width.
    """

    raw: Spread
    scaled: Spread
    expected_error: np.ndarray


@dataclass(frozen=True, eq=False)
class Softened:
    """The softmax of random scores, measured at each of WIDTHS; the quantiles of each `Spread` are across queries.

    weights: each query's weights from the largest to the smallest, at most RANKS of them: arrays (W, ranks).
    entropy: the entropy of each query's weights, in bits: arrays (W,).
    gradient: the Frobenius norm of the softmax's Jacobian diag(p) − p pᵀ: arrays (W,).
    """

    weights: Spread
    entropy: Spread
    gradient: Spread


@dataclass(frozen=True, eq=False)
class Softmaxes:
    """The softmax of q·k and of q·k ÷ √d_k, over `keys` keys."""

    keys: int
    raw: Softened
    scaled: Softened


def measure_variance(source: str, draws: int, seed: int) -> Variances:
    """Measure the sample variance of `draws` dot products q·k in every repetition.

    source: the distribution of the numbers in q and k, a key of SOURCES.

    Raises ValueError for an unknown source or a number out of range.
    """
    _check(source, draws, 1, seed)
    spreads: list[tuple[Spread, Spread]] = []
    for width in WIDTHS:
        blocks = _repetitions(source, 2 * draws, width, seed)
        products = np.concatenate([np.einsum("rne,rne->rn", x[:, :draws], x[:, draws:]) for x in blocks])  # (R, n)
        both = (products, products / math.sqrt(width))
        raw, scaled = (scores.var(-1, ddof=1, dtype=np.float64, keepdims=True) for scores in both)  # (R, 1)
        spreads.append((_spread(raw), _spread(scaled)))
    raws, scales = zip(*spreads, strict=True)
    expected = np.array([variance_error(source, width, draws) for width in WIDTHS])
    return Variances(_joined(raws), _joined(scales), expected)


def measure_softmax(source: str, draws: int, keys: int, seed: int) -> Softmaxes:
    """Measure the softmax of `draws` queries over the same `keys` keys, in every repetition.

    source: the distribution of the numbers in queries and keys, a key of SOURCES.

    Raises ValueError for an unknown source or a number out of range.
    """
    _check(source, draws, keys, seed)
    softened: list[tuple[Softened, Softened]] = []
    for width in WIDTHS:
        parts: list[tuple[SoftmaxRows, SoftmaxRows]] = []
        for x in _repetitions(source, draws + keys, width, seed, draws * keys):
            scores = x[:, :draws] @ x[:, draws:].swapaxes(-2, -1)  # (R, n, K)
            parts.append((softmax_rows(scores), softmax_rows(scores / np.float32(math.sqrt(width)))))
        raw, scaled = zip(*parts, strict=True)
        softened.append((_softened(raw), _softened(scaled)))
    raws, scales = zip(*softened, strict=True)
    return Softmaxes(keys, _over_widths(raws), _over_widths(scales))


@dataclass(frozen=True, eq=False)
class SoftmaxRows:
    """The softmax of rows of scores.

    weights (…, ranks): the weights from the largest down.
    entropy (…): the entropy in bits.
    gradient (…): the Frobenius norm of the Jacobian.
    """

    weights: np.ndarray
    entropy: np.ndarray
    gradient: np.ndarray


def softmax_rows(scores: np.ndarray) -> SoftmaxRows:
    """Return the softmax over the last axis of scores (…, K), −∞ if masked; no row may be masked throughout.

    The Jacobian of p = softmax(s) is ∂p_i/∂s_j = p_i (δ_ij − p_j), that is diag(p) − p pᵀ. The largest weight is kept
    apart, so that 1 − p loses no digits when it comes near 1.
    """
    lowered = np.sort(scores, axis=-1)[..., ::-1]
    lowered = lowered - lowered[..., :1]  # (…, K), the first is 0
    exps = np.exp(lowered)
    rest = exps[..., 1:].sum(-1)
    weights = exps / (1 + rest)[..., None]
    energy = (weights * np.where(exps > 0, lowered, 0)).sum(-1)
    top, others, left = weights[..., 0], weights[..., 1:], rest / (1 + rest)
    squares = others**2
    diagonal = (top * left) ** 2 + (squares * (1 - others) ** 2).sum(-1)
    total = squares.sum(-1)
    beside = 2 * top**2 * total + total**2 - (squares**2).sum(-1)  # Σ over i ≠ j of p_i² p_j²
    entropy = (np.log1p(rest) - energy) / math.log(2)
    return SoftmaxRows(weights[..., :RANKS], entropy, np.sqrt(np.maximum(diagonal + beside, 0)))


def variance_error(source: str, width: int, draws: int) -> float:
    """Return the standard error that theory gives the mean, over the repetitions, of the sample variance of q·k.

    source: the distribution of the numbers in q and k, a key of SOURCES.
    width: d_k, the number of numbers in q and in k.
    draws: the number of values of q·k in one repetition, n below.

    The sample variance s² of one repetition has the variance (μ₄ − σ⁴ (n − 3) ÷ (n − 1)) ÷ n, with σ² = d_k and
    μ₄ = d_k (m² − 3) + 3 d_k², m being the mean fourth power of one number.
    """
    fourth = width * (SOURCES[source].fourth ** 2 - 3) + 3 * width**2
    return math.sqrt((fourth - width**2 * (draws - 3) / (draws - 1)) / draws / REPETITIONS)


def tie_density(keys: int) -> float:
    """Return the density at 0 of the gap between the two largest of `keys` standard normal scores.

    K (K − 1) ∫ φ(x)² Φ(x)^(K−2) dx; 0 for fewer than two keys.
    """
    if keys < 2:
        return 0.0
    x = np.linspace(-9, 9, 3601)
    below = np.array([(1 + math.erf(point / math.sqrt(2))) / 2 for point in x])
    return float(keys * (keys - 1) * np.trapezoid(np.exp(-(x**2)) / (2 * math.pi) * below ** (keys - 2), x))


def theory_of_ties(keys: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the theoretical mean entropy and mean gradient of unscaled scores at large d_k: two arrays (W,).

    Scores of wide vectors are normal with deviation √d_k, so weights are near 0 or 1 unless the top two nearly
    tie, with a gap g of density `tie_density` ÷ √d_k; then the weights are σ(g) and 1 − σ(g). NaN if these limits
    are more than half of the possible maximum: there the approximation does not hold yet.
    """
    gaps = tie_density(keys) / np.sqrt(WIDTHS)
    entropy, gradient = TIE_BITS * gaps, gaps  # ∫₀^∞ of the norm 2 σ(g) (1 − σ(g)) over g is 1
    return (
        np.where(entropy <= math.log2(keys) / 2, entropy, np.nan),
        np.where(gradient <= MOST_GRADIENT / 2, gradient, np.nan),
    )


def _repetitions(source: str, rows: int, width: int, seed: int, scores: int = 0) -> Iterator[np.ndarray]:
    """Yield all repetitions as blocks (n, rows, width) of bounded size.

    scores: the number of scores computed from each repetition.
    The numbers follow from the seed and the width, however they are cut into blocks.
    """
    rng = np.random.default_rng([seed, width])
    some = max(1, CHUNK_BYTES // (4 * max(rows * width, scores)))
    for start in range(0, REPETITIONS, some):
        yield SOURCES[source].draw(rng, (min(some, REPETITIONS - start), rows, width))


def _check(source: str, draws: int, keys: int, seed: int) -> None:
    if source not in SOURCES:
        raise ValueError(f"numbers can be drawn from {', '.join(SOURCES)}, not from {source!r}")
    if draws < LEAST_DRAWS:
        raise ValueError(f"a repetition needs at least {LEAST_DRAWS} draws to have a spread, not {draws}")
    if not 1 <= keys <= MOST_KEYS:
        raise ValueError(f"a query needs 1 to {MOST_KEYS:,} keys, not {keys:,}")
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")


def _spread(values: np.ndarray) -> Spread:
    """Return the spread of values (R, n, …) over repetitions and the draws in each."""
    means = values.mean(1, dtype=np.float64)  # (R, …)
    low, middle, high = np.quantile(values, QUANTILES, axis=(0, 1))
    return Spread(means.mean(0), means.std(0, ddof=1) / math.sqrt(len(means)), low, middle, high)


def _softened(parts: tuple[SoftmaxRows, ...]) -> Softened:
    return Softened(
        *(
            _spread(np.concatenate([getattr(rows, name) for rows in parts]))
            for name in ("weights", "entropy", "gradient")
        )
    )


def _over_widths(parts: tuple[Softened, ...]) -> Softened:
    return Softened(
        *(_joined([getattr(softened, name) for softened in parts]) for name in ("weights", "entropy", "gradient"))
    )


def _joined(parts: "tuple[Spread, ...] | list[Spread]") -> Spread:
    return Spread(
        *(np.stack([getattr(spread, name) for spread in parts]) for name in ("mean", "error", "low", "middle", "high"))
    )
