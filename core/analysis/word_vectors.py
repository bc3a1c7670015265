"""Computations on a table of word vectors: neighbours, analogies, the plane of an analogy, and a direction.

Shapes: V words of D numbers. A table's rows have length 1, so that a dot product is a cosine.
"""

import numpy as np


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Divide every row by its length; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def closest_rows(
    table: np.ndarray, wanted: np.ndarray, count: int, without: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of a table (V, D) with the largest cosines with `wanted` (D,), and these cosines, largest first.

    count: how many rows; fewer if the table has no more.
    without: rows that are left out.
    """
    cosines = table @ unit_rows(wanted).astype(table.dtype)  # (V,)
    cosines[list(without)] = -np.inf
    count = min(count, len(table) - len(set(without)))
    closest = np.argpartition(-cosines, count - 1)[:count] if count > 0 else np.empty(0, dtype=np.int64)
    closest = closest[np.argsort(-cosines[closest], kind="stable")]
    return closest, cosines[closest]


def analogy_plane(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return two orthogonal unit vectors (2, D) that span the plane of a, b and c.

    They are the directions of b − a, and of the component of c − a at right angles to it. In this plane a, b, b − a + c
    and c are the corners of a parallelogram. A vector is zeros if there is no direction left.
    """
    first = unit_rows(b - a)
    second = c - a
    second = second - (second @ first) * first
    if np.linalg.norm(second) < 1e-6 * max(1.0, float(np.linalg.norm(c - a))):
        second = np.zeros_like(second)
    return np.stack([first, unit_rows(second)])


def shares_along(rows: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the cosines of rows ŵ (N, D) of length 1 with the direction from start to end, in [−1, 1].

    They are ŵ · (end − start) / ‖end − start‖.
    """
    return rows @ unit_rows(end - start)
