"""Finding the most informative links of an attention pattern, above all those between two content words.

Patterns are (..., Q, K): rows are queries, columns are keys, and each row sums to 1 or is all zeros.
"""

import numpy as np

from core.text.content_words import content_words, whole_words
from core.text.words import JOIN
from core.tracing.run import TokenRow

WORD_LINK_WORTH = 2  # the least worth of a link between two whole words of letters
CLEAR_SHARE = 1 / 3  # of a query's attention, so that it can hardly look at another key as much
CLEAR_BONUS = 10.0  # added to the score of a clear link
MIN_CONTENT_SCORE = CLEAR_BONUS + 3  # the least score of a clear link between two content words


def worth(queries: TokenRow, keys: TokenRow, same_text: bool) -> np.ndarray:
    """Return how informative each link would be, (Q, K) whole numbers from 0 to 4.

    4: from one content word to another that is not its neighbour; 3: from one to its neighbour; 2: between two whole
    words of letters; 1: between two tokens of letters or digits; 0: all others, among them a link between equal tokens.
    same_text: whether queries and keys are one text, so that positions can be compared; if not, links between two
    content words are worth 4 and equal tokens are not set to 0.
    """
    scores = np.zeros((len(queries), len(keys)), int)
    for value, kind in ((1, _written), (WORD_LINK_WORTH, _whole), (3, _content)):
        scores[np.ix_(kind(queries), kind(keys))] = value
    if same_text:
        away = np.abs(np.arange(len(queries))[:, None] - np.arange(len(keys))) > 1
        scores[(scores == 3) & away] = 4
        alike = [[a.casefold() == b.casefold() for b in keys.pieces] for a in queries.pieces]
        scores[np.array(alike)] = 0
    return np.where(scores == 3, 3 if same_text else 4, scores)


def link_scores(pattern: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Score how informative each query's strongest link is, (..., Q, K); all other links get 0.

    Links of at least `CLEAR_SHARE` of a query's attention come first, then those of higher worth, then those of higher
    weight.
    worth (Q, K): how informative each pair of tokens would be, from `worth`; a link of worth 0 gets 0.
    """
    strongest = (pattern == pattern.max(-1, keepdims=True)) & (pattern > 0)
    scores = np.where(pattern >= CLEAR_SHARE, CLEAR_BONUS, 0.0) + worth + np.minimum(pattern, 1.0)
    return np.where(strongest & (worth > 0), scores, 0.0)


def last_told(scores: np.ndarray) -> np.ndarray:
    """Return the last query that is a content word and attends clearly to another, (...); −1 if there is none.

    scores: the result of `link_scores`, (..., Q, K).
    """
    clear = scores.max(-1) >= MIN_CONTENT_SCORE
    return np.where(clear, np.arange(clear.shape[-1]), -1).max(-1)


def last_telling_row(pattern: np.ndarray, queries: TokenRow, keys: TokenRow, same_text: bool) -> int:
    """Return the last query of one head, pattern (Q, K), that is a content word and attends clearly to another.

    If there is none, return the row of `telling_cell`.
    """
    last = int(last_told(link_scores(pattern, worth(queries, keys, same_text))))
    return telling_cell(pattern, queries, keys, same_text)[0] if last < 0 else last


def telling_cell(pattern: np.ndarray, queries: TokenRow, keys: TokenRow, same_text: bool) -> tuple[int, int]:
    """Return the row and column of the most informative link of one head, pattern (Q, K).

    If no link has a score, return the strongest key of the last query that may look at more than one.
    """
    scores = link_scores(pattern, worth(queries, keys, same_text))
    if scores.max() > 0:
        row, col = np.unravel_index(int(scores.argmax()), scores.shape)
        return int(row), int(col)
    (several,) = np.nonzero(np.count_nonzero(pattern, axis=-1) > 1)
    last = int(several[-1]) if len(several) else len(pattern) - 1
    return last, int(pattern[last].argmax())


def _written(row: TokenRow) -> np.ndarray:
    return np.array([piece.removeprefix(JOIN).isalnum() for piece in row.pieces])


def _whole(row: TokenRow) -> np.ndarray:
    return whole_words(row.words, row.word_labels)


def _content(row: TokenRow) -> np.ndarray:
    return content_words(row.words, row.word_labels)
