"""Numbers from a table of word vectors: neighbours, analogies, the plane of an analogy, a direction.

Shapes: V words of D numbers. A table's rows have length 1, so that a dot product is a cosine.
"""

import numpy as np


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Every row divided by its length; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def closest_rows(
    table: np.ndarray, wanted: np.ndarray, count: int, without: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a table (V, D) whose cosine with `wanted` (D,) is largest, the largest first, and these cosines.

    without: rows that are left out. Fewer than `count` where the table has no more.
    """
    cosines = table @ unit_rows(wanted).astype(table.dtype)  # (V,)
    cosines[list(without)] = -np.inf
    count = min(count, len(table) - len(set(without)))
    found = np.argpartition(-cosines, count - 1)[:count] if count > 0 else np.empty(0, dtype=np.int64)
    found = found[np.argsort(-cosines[found], kind="stable")]
    return found, cosines[found]


def analogy_plane(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Two directions at right angles (2, D), of length 1, that span the plane of a, b and c: b − a, and what is left of
    c − a. In it a, b, b − a + c and c are the corners of a parallelogram. Zeros where there is no direction left."""
    first = unit_rows(b - a)
    second = c - a
    second = second - (second @ first) * first
    if np.linalg.norm(second) < 1e-6 * max(1.0, float(np.linalg.norm(c - a))):
        second = np.zeros_like(second)
    return np.stack([first, unit_rows(second)])


def shares_along(rows: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """ŵ · (end − start) / ‖end − start‖ for rows ŵ (N, D) of length 1: the cosine with that direction, in [−1, 1]."""
    return rows @ unit_rows(end - start)
