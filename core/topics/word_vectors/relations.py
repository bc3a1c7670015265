"""Relations between trained word vectors: neighbours, analogies, cosines, and a direction from one word to another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.word_maps import alike
from core.analysis.word_vectors import analogy_plane, closest_rows, shares_along, unit_rows
from core.topics.word_vectors.table import WordTable


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Words and their cosines (N,), the nearest first."""

    words: tuple[str, ...]
    cosines: np.ndarray


@dataclass(frozen=True, eq=False)
class Analogy:
    """The analogy a : b = c : ?, answered by the words nearest to t = b − a + c.

    words: a, b and c.
    near: the answers without the three words.
    left_in: the answers with them.
    terms (4, D): the three vectors and t.
    length: the length of t.
    places (4, 2): the positions of a, b, c and t on their plane.
    shadows (N, 2): the projection of each answer on that plane.
    off (N,): the distance of each answer from the plane.
    """

    words: tuple[str, str, str]
    near: Neighbours
    left_in: Neighbours
    terms: np.ndarray
    length: float
    places: np.ndarray
    shadows: np.ndarray
    off: np.ndarray


@dataclass(frozen=True, eq=False)
class BiasProjection:
    """How far each word leans to `end` and away from `start`: cosines with end − start (N,), in ascending order."""

    start: str
    end: str
    words: tuple[str, ...]
    cosines: np.ndarray


def neighbours(table: WordTable, method: str, word: str, count: int) -> Neighbours:
    """Return the words nearest to a known one, without itself."""
    index = table.places[word]
    return _near(table, method, table.vectors[method][index], count, (index,))


def analogy(table: WordTable, method: str, words: tuple[str, str, str], count: int) -> Analogy:
    """Answer the analogy a : b = c : ? by the words nearest to b − a + c, with and without a, b and c themselves.

    method: the table to use, as in `WordTable.rows`.
    words: a, b and c; all must be in the table.
    count: the number of answers.
    """
    a, b, c = table.rows(method, words)
    target = b - a + c
    near = _near(table, method, target, count, tuple(table.places[word] for word in words))
    plane = analogy_plane(a, b, c)
    corners, answers = np.stack([a, b, c, target]), table.rows(method, near.words)
    shadows = (answers - a) @ plane.T
    off = np.linalg.norm(answers - a - shadows @ plane, axis=1)
    return Analogy(
        words,
        near,
        _near(table, method, target, count),
        corners,
        float(np.linalg.norm(target)),
        (corners - a) @ plane.T,
        shadows,
        off,
    )


def cosines(table: WordTable, method: str, words: Sequence[str]) -> np.ndarray:
    """Return the cosine of every pair of known words, (N, N)."""
    return alike(table.rows(method, words))


def leaning(table: WordTable, method: str, ends: tuple[str, str], words: Sequence[str]) -> BiasProjection:
    """Return the cosines of known words with the direction between two others.

    Raises ValueError if these two are one word.
    """
    if ends[0] == ends[1]:
        raise ValueError(f"“{ends[0]}” and “{ends[1]}” are one word, and there is no direction between them.")
    start, end = table.rows(method, ends)
    similarities = shares_along(unit_rows(table.rows(method, words)), start, end)
    order = np.argsort(similarities, kind="stable")
    return BiasProjection(*ends, tuple(words[index] for index in order), similarities[order])


def _near(table: WordTable, method: str, wanted: np.ndarray, count: int, without: tuple[int, ...] = ()) -> Neighbours:
    ids, similarities = closest_rows(table.vectors[method], wanted, count, without)
    return Neighbours(tuple(table.words[index] for index in ids), similarities)


def ranked_pairs(matrix: np.ndarray) -> list[tuple[int, int, float]]:
    """Return (first, second, cosine) of all pairs of N different words, the most alike first.

    matrix (N, N): the cosine of every word with every other.
    """
    rows, columns = np.triu_indices(len(matrix), 1)
    order = np.argsort(-matrix[rows, columns], kind="stable")
    return [(int(rows[k]), int(columns[k]), float(matrix[rows[k], columns[k]])) for k in order]
