"""Words as points on a plane, and how much of the truth the plane shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.word_maps import kept_neighbours, neighbour_map, principal_components
from core.explorer.word_vectors.table import WordTable

MAPS = ("PCA", "t-SNE")
FEWEST = 3
NEIGHBOURS = 5
SETS: Mapping[str, str] = {
    "people, numbers, colours, animals": "king queen prince princess duke duchess father mother son daughter brother "
    "sister uncle aunt husband wife man woman boy girl one two three four five six seven eight nine ten red blue "
    "green yellow white black purple scarlet horse dog cat cow sheep wolf bear lion bread meat wine milk cheese fruit "
    "butter cake",
    "men and women": "man woman boy girl king queen prince princess father mother son daughter brother sister uncle "
    "aunt husband wife gentleman lady lord duke duchess nephew niece he she his her himself herself",
    "verbs and their past": "go went come came see saw take took give gave know knew run ran sing sang say said tell "
    "told make made find found eat ate fall fell begin began",
    "time": "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december spring summer autumn winter morning noon afternoon evening night day "
    "week month year hour minute",
}


@dataclass(frozen=True, eq=False)
class WordMap:
    """words and their places (N, 2). shares (2,): of the variance, for PCA. kept: the mean share of the nearest
    `neighbours` of a word that are its nearest on the map too."""

    words: tuple[str, ...]
    places: np.ndarray
    shares: np.ndarray | None
    kept: float
    neighbours: int


def word_map(table: WordTable, method: str, words: Sequence[str], kind: str) -> WordMap:
    """Known words on a map of a kind of `MAPS`. ValueError for fewer words than `FEWEST`."""
    if len(words) < FEWEST:
        raise ValueError(f"A map needs {FEWEST} words or more that are known.")
    points = table.rows(method, words)
    shares: np.ndarray | None = None
    if kind == "PCA":
        places, shares = principal_components(points)
    else:
        places = neighbour_map(points)
    count = min(NEIGHBOURS, len(words) - 1)
    return WordMap(tuple(words), places, shares, kept_neighbours(points, places, count), count)
