"""Words as points on a plane, and how well the plane preserves their neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.word_maps import kept_neighbours, neighbour_map, principal_components, squared_distances
from core.topics.shared.labels import NamedColumns
from core.topics.word_vectors.table import WordTable

MAPS = ("PCA", "t-SNE")
MIN_WORDS = 3
NEIGHBOURS = 5
# Default words, in groups that took no part in the training of the vectors.
GROUPED_WORDS: Mapping[str, Mapping[str, str]] = {
    "people, numbers, colours, animals": {
        "court": "king queen prince princess duke duchess",
        "family": "father mother son daughter brother sister uncle aunt husband wife man woman boy girl",
        "numbers": "one two three four five six seven eight nine ten",
        "colours": "red blue green yellow white black purple scarlet",
        "animals": "horse dog cat cow sheep wolf bear lion",
        "food": "bread meat wine milk cheese fruit butter cake",
    },
    "men and women": {
        "men": "man boy king prince father son brother uncle husband gentleman lord duke nephew he his himself",
        "women": "woman girl queen princess mother daughter sister aunt wife lady duchess niece she her herself",
    },
    "verbs and their past": {
        "now": "go come see take give know run sing say tell make find eat fall begin",
        "past": "went came saw took gave knew ran sang said told made found ate fell began",
    },
    "time": {
        "days": "monday tuesday wednesday thursday friday saturday sunday",
        "months": "january february march april may june july august september october november december",
        "seasons": "spring summer autumn winter",
        "parts of a day": "morning noon afternoon evening night",
        "lengths": "day week month year hour minute",
    },
}
SETS: Mapping[str, str] = {name: " ".join(groups.values()) for name, groups in GROUPED_WORDS.items()}


def groups_of(name: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the group of each of these words in a set of `GROUPED_WORDS`; () for a set without groups."""
    group_of = {word: group for group, held in GROUPED_WORDS.get(name, {}).items() for word in held.split()}
    return tuple(group_of[word] for word in words) if group_of else ()


def nearest_on(places: np.ndarray) -> np.ndarray:
    """Return for each of N points (N, 2) the number of the point that is nearest to it, (N,)."""
    squares = squared_distances(places)
    np.fill_diagonal(squares, np.inf)
    return squares.argmin(1)


def of_own_group(places: np.ndarray, groups: Sequence[str]) -> int:
    """Return how many points (N, 2) of N groups are nearest to a point of their own group."""
    return sum(groups[near] == group for near, group in zip(nearest_on(places), groups, strict=True))


def nearest_points(places: np.ndarray) -> tuple[int, int]:
    """Return the numbers of the two points of (N, 2) that are nearest to each other."""
    nearest = nearest_on(places)
    first = int(((places - places[nearest]) ** 2).sum(1).argmin())
    return first, int(nearest[first])


@dataclass(frozen=True, eq=False)
class WordMap:
    """Words as points on a plane.

    words: the N words.
    places (N, 2): their positions.
    shares (2,): the axes' shares of the variance, for PCA; None for t-SNE.
    kept: the mean share of a word's nearest `neighbours` that are also its nearest on the map.
    neighbours: the number of neighbours compared.
    """

    words: tuple[str, ...]
    places: np.ndarray
    shares: np.ndarray | None
    kept: float
    neighbours: int

    @property
    def table(self) -> NamedColumns:
        """The shares of the variance on the two axes, if there are any, and the share of neighbours that are kept."""
        axes = [] if self.shares is None else [(f"variance, axis {n}", share) for n, share in enumerate(self.shares, 1)]
        rows = [*axes, ("nearest neighbours kept", self.kept)]
        return {"of the map": [name for name, _ in rows], "share": [float(share) for _, share in rows]}


def word_map(table: WordTable, method: str, words: Sequence[str], kind: str) -> WordMap:
    """Place words that the table has on a map of one of the kinds `MAPS`.

    method: the method that trained the vectors, such as "skip-gram".

    Raises ValueError for fewer words than `MIN_WORDS`.
    """
    if len(words) < MIN_WORDS:
        raise ValueError(f"A map needs {MIN_WORDS} words or more that are known.")
    points = table.rows(method, words)
    shares: np.ndarray | None = None
    if kind == "PCA":
        places, shares = principal_components(points)
    else:
        places = neighbour_map(points)
    count = min(NEIGHBOURS, len(words) - 1)
    return WordMap(tuple(words), places, shares, kept_neighbours(points, places, count), count)
