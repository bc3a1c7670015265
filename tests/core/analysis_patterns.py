"""Attention patterns for tests: hand-made heads, and hypothesis strategies."""

import numpy as np
from hypothesis import strategies as st


def pattern_of(seed: int, shape: tuple[int, ...], sharpness: float = 1.0, zero_rows: bool = False) -> np.ndarray:
    """Random rows that sum to 1, float32; with `zero_rows`, some rows attend to nothing."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=shape) * sharpness
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    if zero_rows:
        weights *= rng.random((*shape[:-1], 1)) < 0.7
    return weights.astype(np.float32)


def looks_at(targets: list[int], keys: int | None = None) -> np.ndarray:
    """Row i puts all its weight on key targets[i]; −1 is a row of zeros."""
    pattern = np.zeros((len(targets), keys or len(targets)), dtype=np.float32)
    for row, target in enumerate(targets):
        if target >= 0:
            pattern[row, target] = 1
    return pattern


@st.composite
def stacks(draw: st.DrawFn, square: bool = False) -> np.ndarray:
    """(N, H, Q, K) with 1 to 3 layers and heads, 1 to 7 tokens, soft and nearly one-hot rows, rows of zeros."""
    layers, heads, queries = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 7))
    keys = queries if square else draw(st.integers(1, 7))
    sharpness = draw(st.sampled_from([0.0, 0.3, 2.0, 30.0]))
    return pattern_of(draw(st.integers(0, 2**16)), (layers, heads, queries, keys), sharpness, draw(st.booleans()))
