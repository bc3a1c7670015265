"""What the trained vectors say of words: neighbours, analogies, cosines, and a direction from one word to another."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.word_maps import alike
from core.analysis.word_vectors import analogy_plane, closest_rows, shares_along, unit_rows
from core.explorer.word_vectors.table import WordTable


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Words and their cosines (N,), the nearest first."""

    words: tuple[str, ...]
    cosines: np.ndarray


@dataclass(frozen=True, eq=False)
class Analogy:
    """a : b = c : ?, answered by what is nearest to t = b − a + c.

    near: without the three words; left_in: with them. terms: the three vectors and t (4, D); length: of t. places:
    of a, b, c and t on their plane (4, 2); of each answer, its shadow on it (N, 2); off: how far each answer is from
    the plane (N,).
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
    """How far each word leans to `end` and away from `start`: cosines with end − start (N,), from the smallest."""

    start: str
    end: str
    words: tuple[str, ...]
    cosines: np.ndarray


def neighbours(table: WordTable, method: str, word: str, count: int) -> Neighbours:
    """The words nearest to a known one, itself left out."""
    place = table.places[word]
    return _near(table, method, table.vectors[method][place], count, (place,))


def analogy(table: WordTable, method: str, words: tuple[str, str, str], count: int) -> Analogy:
    """The answers to an analogy of three known words."""
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
    """Of every pair of known words (N, N)."""
    return alike(table.rows(method, words))


def leaning(table: WordTable, method: str, ends: tuple[str, str], words: Sequence[str]) -> BiasProjection:
    """Known words along the direction between two others. ValueError where these are one word."""
    if ends[0] == ends[1]:
        raise ValueError(f"“{ends[0]}” and “{ends[1]}” are one word, and there is no direction between them.")
    start, end = table.rows(method, ends)
    found = shares_along(unit_rows(table.rows(method, words)), start, end)
    order = np.argsort(found, kind="stable")
    return BiasProjection(*ends, tuple(words[place] for place in order), found[order])


def _near(table: WordTable, method: str, wanted: np.ndarray, count: int, without: tuple[int, ...] = ()) -> Neighbours:
    ids, found = closest_rows(table.vectors[method], wanted, count, without)
    return Neighbours(tuple(table.words[place] for place in ids), found)
