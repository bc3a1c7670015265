"""Score attention heads on a task's probe: one number from 0 to 1 for each head and each name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.analysis.heads import head_table

SCORES: Mapping[str, str] = MappingProxyType(  # the name of each score, and what it is the mean weight on
    {
        "previous_token": "the token before",
        "duplicate_token": "earlier copies of the token itself",
        "first_token": "the first token",
        "induction": "the tokens after earlier copies of the token itself",
        "next_copy": "earlier copies of the token that is right to say next",
        "diagonal": "one fixed number of tokens back, while answering",
        "anti_diagonal": "positions mirrored at one point, while answering",
    }
)

Line = Callable[[np.ndarray, np.ndarray], np.ndarray]  # the number of the line that a row and a key lie on


@dataclass(frozen=True, eq=False)
class HeadScores:
    """The named scores of all heads on one text.

    scores: (layers, heads) for each name in `SCORES`; NaN where a text has no row for that score.
    back: (layers, heads) whole numbers, how many tokens back each head's diagonal lies.
    mirror: (layers, heads) whole numbers, the sum of the query's and the key's position on each head's anti-diagonal.
    """

    scores: Mapping[str, np.ndarray]
    back: np.ndarray
    mirror: np.ndarray


def head_scores(patterns: np.ndarray, ids: np.ndarray, answering: np.ndarray) -> HeadScores:
    """Return the scores of all heads: patterns (N, H, L, L) on a text with these ids (L,).

    answering (L,): whether the token after each position is part of the answer.
    """
    table = head_table(patterns, ids)
    scores = {name: np.ma.filled(table.column(name), np.nan) for name in list(SCORES)[:4]}
    scores["next_copy"] = _next_copy(patterns, ids, answering)
    scores["diagonal"], back = diagonal(patterns, answering)
    scores["anti_diagonal"], mirror = anti_diagonal(patterns, answering)
    return HeadScores(MappingProxyType(scores), back, mirror)


def highest_score(scores: np.ndarray) -> tuple[int, int, float]:
    """Return the layer and the head, counted from 1, with the highest score of all (layers, heads), and the score."""
    known = np.nan_to_num(scores)
    layer, head = np.unravel_index(known.argmax(), known.shape)
    return int(layer) + 1, int(head) + 1, float(known.max())


def cross_scores(patterns: np.ndarray) -> HeadScores:
    """Return the scores of cross-attention (N, H, T, S): only the diagonal ones, over all rows; NaN for the others.

    Row i of the decoder predicts token i of the answer, and key i is token i of the question.
    """
    rows = _crossing_rows(patterns.shape[-2])
    scores = {name: np.full(patterns.shape[:2], np.nan) for name in SCORES}
    scores["diagonal"], back = diagonal(patterns, rows)
    scores["anti_diagonal"], mirror = anti_diagonal(patterns, rows)
    return HeadScores(MappingProxyType(scores), back, mirror)


def diagonal(patterns: np.ndarray, answering: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean weight (N, H) of answering rows on their best diagonal, and how many tokens back it lies (N, H).

    Row i looks at key i − back; a row that has no such key counts as 0.
    """
    return _best_line(patterns, answering, lambda rows, keys: rows - keys)


def anti_diagonal(patterns: np.ndarray, answering: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean weight (N, H) of answering rows on their best anti-diagonal, and its sum of positions (N, H).

    Row i looks at key mirror − i, as when a text is written backwards; a row that has no such key counts as 0.
    """
    return _best_line(patterns, answering, lambda rows, keys: rows + keys)


def _best_line(patterns: np.ndarray, answering: np.ndarray, line: Line) -> tuple[np.ndarray, np.ndarray]:
    queries, keys = patterns.shape[-2:]
    rows = np.flatnonzero(answering)
    if not len(rows):
        nothing = np.full(patterns.shape[:2], np.nan)
        return nothing, np.zeros(patterns.shape[:2], dtype=int)
    lines = line(rows[:, None], np.arange(keys))  # (R, K), below 0 for keys after the query
    weights = np.zeros((*patterns.shape[:2], queries + keys))
    for number in range(int(lines.max()) + 1):
        weights[..., number] = np.where(lines == number, patterns[:, :, rows], 0.0).sum((-2, -1)) / len(rows)
    best = weights.argmax(-1)
    return np.take_along_axis(weights, best[..., None], -1)[..., 0], best


def _next_copy(patterns: np.ndarray, ids: np.ndarray, answering: np.ndarray) -> np.ndarray:
    rows = np.flatnonzero(answering[:-1])
    targets = ids[rows + 1][:, None] == ids  # (R, K)
    targets &= np.arange(len(ids)) <= rows[:, None]
    rows, targets = rows[targets.any(1)], targets[targets.any(1)]
    if not len(rows):
        return np.full(patterns.shape[:2], np.nan)
    return np.asarray((patterns[:, :, rows] * targets).sum(-1).mean(-1))


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """How one score of one head is computed.

    cells (L, L): the cells of the pattern whose weights count, row by row.
    rows: the rows over which the mean is taken.
    weights: the sum of the counted weights of each of these rows; the score is their mean.
    """

    cells: np.ndarray
    rows: np.ndarray
    weights: np.ndarray

    @property
    def score(self) -> float:
        return float(self.weights.mean()) if len(self.weights) else float("nan")


def score_cells(name: str, pattern: np.ndarray, ids: np.ndarray, answering: np.ndarray) -> ScoreCells:
    """Return the cells from which a score of one head is computed: pattern (L, L) on a text with these ids (L,).

    Raises ValueError if there is no such score.
    """
    if name not in SCORES:
        raise ValueError(f"{name!r} is no score of a head; there are {', '.join(SCORES)}.")
    length = len(ids)
    rows, keys = np.arange(length)[:, None], np.arange(length)
    earlier = np.tril(ids[:, None] == ids, k=-1)
    after = np.zeros_like(earlier)
    after[:, 1:] = earlier[:, :-1]
    np.fill_diagonal(after, False)
    following = np.append(ids[1:], -1)  # the last row has no next token
    cells = {
        "previous_token": rows - keys == 1,
        "duplicate_token": earlier,
        "first_token": np.broadcast_to(keys == 0, (length, length)),
        "induction": after,
        "next_copy": answering[:, None] & (following[:, None] == ids) & (keys <= rows),
    }
    if name in cells:
        counted = np.flatnonzero(cells[name].any(1))
        return ScoreCells(cells[name], counted, (pattern * cells[name]).sum(1)[counted])
    return _line_cells(name, pattern, answering)


def cross_score_cells(name: str, pattern: np.ndarray) -> ScoreCells:
    """Return the cells from which a score of one head of cross-attention is computed: pattern (T, S).

    Only the diagonal scores have any. Raises ValueError if there is no such score.
    """
    if name not in SCORES:
        raise ValueError(f"{name!r} is no score of a head; there are {', '.join(SCORES)}.")
    if name in ("diagonal", "anti_diagonal"):
        return _line_cells(name, pattern, _crossing_rows(len(pattern)))
    return ScoreCells(np.zeros(pattern.shape, dtype=bool), np.zeros(0, dtype=int), np.zeros(0))


def _line_cells(name: str, pattern: np.ndarray, answering: np.ndarray) -> ScoreCells:
    rows, keys = np.arange(pattern.shape[0])[:, None], np.arange(pattern.shape[1])
    find, line = (diagonal, rows - keys) if name == "diagonal" else (anti_diagonal, rows + keys)
    chosen = answering[:, None] & (line == int(find(pattern[None, None], answering)[1][0, 0]))
    counted = np.flatnonzero(answering)
    return ScoreCells(chosen, counted, (pattern * chosen).sum(1)[counted])


def _crossing_rows(count: int) -> np.ndarray:
    """Return which rows of cross-attention answer: all but the last, where nothing is left to be copied."""
    return np.arange(count) < count - 1
