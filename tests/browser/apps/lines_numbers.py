"""What lines_demo.py draws, so that a test can compute the same numbers."""

import numpy as np

WORDS = ["the", "cat", "sat", "on", "a", "mat", "because", "it", "was", "tired"]
HOSTILE = [
    '<img src=x onerror="window.hacked=1">',
    "שלום עולם",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "**bold** $x$ [l](http://example.org)",
    "w" * 300,
    "\u202eevil",
]


def labels(count: int, hostile: bool = False) -> list[str]:
    words = HOSTILE if hostile else WORDS
    return [f"{i}:{words[i % len(words)]}" for i in range(count)]


def weights(heads: int, count: int) -> np.ndarray:
    """(H, Q, K): causal, each row with sum 1."""
    scores = np.random.default_rng(0).normal(scale=2, size=(heads, count, count))
    scores = np.where(np.tri(count, dtype=bool), scores, -np.inf)
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return (exps / exps.sum(-1, keepdims=True)).astype(np.float32)


def look_up(count: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores (K,) and values (K, E)."""
    rng = np.random.default_rng(1)
    scores = rng.normal(scale=2, size=count).astype(np.float32)
    return scores, rng.normal(size=(count, width)).astype(np.float32)
