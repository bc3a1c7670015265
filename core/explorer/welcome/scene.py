"""A sentence and its translation: where each written word looked, and what one changed word turns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.aggregate import merge_words
from core.analysis.alignment import changed
from core.explorer.generation.records import Attentions
from core.readings.words import are_words


@dataclass(frozen=True, eq=False)
class Scene:
    """weights (W, R): where each written word looked among the words read, the mean over the heads of `layer`, from 0.

    head: of that layer, the one that looks most like this at the written word `opened`, from 0.
    opened: the written word that is worth a look first. told: the written words that the other translation lacks.
    """

    read: tuple[str, ...]
    written: tuple[str, ...]
    weights: np.ndarray
    layer: int
    head: int
    opened: int
    told: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Turn:
    """One token of two sentences that differ elsewhere: where it looks in either, in one head of the encoder's last
    layer. rows: (S,) each, over the pieces (S,) of either sentence; layer, head and place from 0. changed: the place of
    the first token in which the sentences differ."""

    layer: int
    head: int
    place: int
    changed: int
    pieces: tuple[tuple[str, ...], tuple[str, ...]]
    rows: tuple[np.ndarray, np.ndarray]

    @property
    def words(self) -> tuple[str, str]:
        """The tokens in which the sentences differ first."""
        return self.pieces[0][self.changed], self.pieces[1][self.changed]


def scene(seen: Attentions, first: int, other: tuple[str, ...] = ()) -> Scene:
    """The layer of cross-attention that is surest on average, word by word. first: the place of the first written token
    among those that the decoder read. other: the words of another translation to set this one off from."""
    if seen.cross is None:
        raise ValueError("This model has no cross-attention.")
    words = [word - seen.words[first] for word in seen.words[first:]]
    read, written = seen.source_word_labels, seen.word_labels[seen.words[first] :]
    patterns = seen.cross[:, :, first - 1 : -1].mean(1)  # (N, W', S): a token is written by the row before it
    layer = int(patterns.max(-1).mean(-1).argmax())
    weights = np.minimum(merge_words(patterns[layer], words, list(seen.source_words)), 1)
    ids = {word: number for number, word in enumerate(sorted({*written, *other}))}
    told = sorted(changed([ids[word] for word in written], [ids[word] for word in other])[0]) if other else []
    clear = _clear(weights, written, read)
    opened = next((word for word in told if clear[word]), _farthest(weights, clear))
    heads = [merge_words(each, words, list(seen.source_words)) for each in seen.cross[layer, :, first - 1 : -1]]
    head = int(np.argmin([np.abs(each[opened] - weights[opened]).sum() for each in heads]))
    return Scene(read, written, weights, layer, head, opened, tuple(told))


def turn(one: Attentions, two: Attentions, word: int | None = None) -> Turn | None:
    """Of the tokens that two sentences share place by place, the one whose attention goes elsewhere most in the last
    layer of the encoder; None where the sentences are not equally long, or alike.

    word: the number of the word of the first sentence whose tokens are preferred; otherwise whole words are.
    """
    if one.encoder is None or two.encoder is None or one.encoder.shape != two.encoder.shape:
        return None
    shared = np.array([a == b for a, b in zip(one.source_pieces, two.source_pieces, strict=True)])
    if shared.all() or not shared.any():
        return None
    mine, words = shared & (np.array(one.source_words) == word), shared & are_words(one.source_pieces)
    eligible = next((each for each in (mine, words) if each.any()), shared)
    before, after = one.encoder[-1], two.encoder[-1]  # (H, S, S)
    moved = np.abs(after - before).sum(-1) / 2 * eligible  # (H, S), total variation
    head, place = np.unravel_index(int(moved.argmax()), moved.shape)
    rows = before[head, place], after[head, place]
    pieces = one.source_pieces, two.source_pieces
    return Turn(len(one.encoder) - 1, int(head), int(place), int(np.flatnonzero(~shared)[0]), pieces, rows)


def order_turned(here: Scene) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find two neighbouring written words whose sources are neighbours in the opposite order, the opened word among
    them: the places of the two words read, and of the two words written; None where there are none."""
    sources = here.weights.argmax(1)
    clear = _clear(here.weights, here.written, here.read)
    for first in (here.opened - 1, here.opened):
        second = first + 1
        if first < 0 or second >= len(here.written) or not (clear[first] and clear[second]):
            continue
        if sources[first] == sources[second] + 1:
            return (int(sources[second]), int(sources[first])), (first, second)
    return None


def _clear(weights: np.ndarray, written: Sequence[str], read: Sequence[str]) -> np.ndarray:
    """(W,) which written words are words that looked most at a word."""
    return are_words(written) & are_words(read)[weights.argmax(1)]


def _farthest(weights: np.ndarray, clear: np.ndarray) -> int:
    """The written word whose attention goes furthest from its own place in the sentence, of those that are `clear`
    where there are any."""
    rows, columns = weights.shape
    across = np.abs(np.arange(rows)[:, None] / max(1, rows - 1) - np.arange(columns) / max(1, columns - 1))
    far = (weights * across).sum(1)
    return int(np.where(clear, far, far - 1 - far.max()).argmax())
