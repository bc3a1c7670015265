"""A sentence and its translation: where each written word looked, and the attention that one changed word turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.aggregate import merge_words
from core.analysis.alignment import changed
from core.text.content_words import FUNCTION_WORDS
from core.text.labels import are_words
from core.topics.generate.records import Attentions
from core.topics.shared.telling import CLEAR_SHARE

HYPHEN = "-"
BY_ARTICLES = frozenset({"some", "any"})
HALF_WEIGHT = 0.5  # of its weight: a written word that gives more of it to one word is taken to translate that word


@dataclass(frozen=True, eq=False)
class WelcomeScene:
    """The attention with which a translation was written, from each written word to the words read.

    weights (W, R): the weight of each word read for each written word, the mean over the heads of `layer`.
    layer: the number of the layer, from 0.
    head: the head of that layer, from 0, whose row for the word `opened` is most like this mean.
    opened: the written word that is shown first.
    told: the written words that the other translation does not have.
    piece_weights (T, R): the weights of each written token, before the mean over the tokens of a word.
    piece_words (T,): the written word of each token.
    """

    read: tuple[str, ...]
    written: tuple[str, ...]
    weights: np.ndarray
    layer: int
    head: int
    opened: int
    told: tuple[int, ...]
    piece_weights: np.ndarray
    piece_words: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Turn:
    """The attention of one token in two sentences that differ elsewhere, in one head of the encoder's last layer.

    layer, head, place: the layer and the head of the attention, and the token's position, from 0.
    changed: the position of the first token in which the sentences differ.
    pieces: the pieces (S,) of both sentences.
    rows: the token's weights (S,) over the pieces of both sentences.
    """

    layer: int
    head: int
    place: int
    changed: int
    pieces: tuple[tuple[str, ...], tuple[str, ...]]
    rows: tuple[np.ndarray, np.ndarray]

    @property
    def words(self) -> tuple[str, str]:
        """The first tokens in which the sentences differ."""
        return self.pieces[0][self.changed], self.pieces[1][self.changed]


def scene(attentions: Attentions, first: int, other_words: tuple[str, ...] = ()) -> WelcomeScene:
    """Return the attention of each written word in the layer of cross-attention that is most sharply focused.

    That is the layer with the highest mean, over the written tokens, of the largest weight (a mean over heads).

    first: the position of the first written token among those that the decoder read.
    other_words: the words of another translation to compare with this one.
    Raises ValueError without cross-attention.
    """
    if attentions.cross is None:
        raise ValueError("This model has no cross-attention.")
    words = [word - attentions.words[first] for word in attentions.words[first:]]
    read, written = attentions.source_word_labels, attentions.word_labels[attentions.words[first] :]
    patterns = attentions.cross[:, :, first - 1 : -1].mean(1)  # (N, W', S): a token is written by the row before it
    layer = int(patterns.max(-1).mean(-1).argmax())
    weights = np.minimum(merge_words(patterns[layer], words, list(attentions.source_words)), 1)
    ids = {word: number for number, word in enumerate(sorted({*written, *other_words}))}
    changed_words = (
        sorted(changed([ids[word] for word in written], [ids[word] for word in other_words])[0]) if other_words else []
    )
    clear = _clear(weights, written, read)
    opened = next(
        (word for word in changed_words if clear[word]), _farthest(weights, _preferred(weights, written, read))
    )
    heads = [
        merge_words(head_weights, words, list(attentions.source_words))
        for head_weights in attentions.cross[layer, :, first - 1 : -1]
    ]
    head = int(np.argmin([np.abs(head_weights[opened] - weights[opened]).sum() for head_weights in heads]))
    pieces = merge_words(patterns[layer], list(range(len(words))), list(attentions.source_words))
    return WelcomeScene(read, written, weights, layer, head, opened, tuple(changed_words), pieces, tuple(words))


def turn(first: Attentions, second: Attentions, word: int | None = None) -> Turn | None:
    """Return the token shared by two sentences whose attention changes most in the last layer of the encoder.

    Sentences are compared position by position. None if they are not equally long, or if they share all tokens or none.
    word: the number of the word of the first sentence whose tokens are preferred; otherwise whole words are.
    """
    if first.encoder is None or second.encoder is None or first.encoder.shape != second.encoder.shape:
        return None
    shared = np.array([a == b for a, b in zip(first.source_pieces, second.source_pieces, strict=True)])
    if shared.all() or not shared.any():
        return None
    mine, words = shared & (np.array(first.source_words) == word), shared & are_words(first.source_pieces)
    eligible = next((mask for mask in (mine, words) if mask.any()), shared)
    before, after = first.encoder[-1], second.encoder[-1]  # (H, S, S)
    moved = np.abs(after - before).sum(-1) / 2 * eligible  # (H, S), total variation
    head, position = np.unravel_index(int(moved.argmax()), moved.shape)
    rows = before[head, position], after[head, position]
    pieces = first.source_pieces, second.source_pieces
    return Turn(len(first.encoder) - 1, int(head), int(position), int(np.flatnonzero(~shared)[0]), pieces, rows)


def looked_at(current_scene: WelcomeScene) -> tuple[str, ...]:
    """Return the word read that each written word looked at most; "" where one of the two is no word."""
    best = current_scene.weights.argmax(1)
    clear = _clear(current_scene.weights, current_scene.written, current_scene.read)
    return tuple(current_scene.read[place] if shown else "" for place, shown in zip(best, clear, strict=True))


def never_looked_at(current_scene: WelcomeScene) -> tuple[str, ...]:
    """Return the content words read that no written content word seems to translate.

    A written word may translate the word that it looked at most, of all tokens or of all words, and any to which one of
    its pieces gave CLEAR_SHARE of its attention. A written article or pronoun that looked at a word is no translation
    of it. Words that the translation contains unchanged are left out, and "some" and "any", which an article
    translates.
    """
    copied = {word.casefold() for word in current_scene.written} | BY_ARTICLES
    content = _content(current_scene.written)
    weights = current_scene.weights[content]
    among_words = np.where(are_words(current_scene.read), weights, -1.0)
    seen = {*weights.argmax(1).tolist(), *among_words.argmax(1).tolist()}
    pieces = current_scene.piece_weights[content[list(current_scene.piece_words)]]
    seen |= set(np.flatnonzero((pieces >= CLEAR_SHARE).any(0)).tolist())
    missed = [place for place in np.flatnonzero(_content(current_scene.read)).tolist() if place not in seen]
    return tuple(word for place in missed if (word := current_scene.read[place]).casefold() not in copied)


def shortened(current_scene: WelcomeScene, count: int) -> WelcomeScene:
    """Return a scene with only its first written words; the opened one is among them."""
    cut = slice(max(count, current_scene.opened + 1))
    told = tuple(word for word in current_scene.told if word < cut.stop)
    return replace(current_scene, written=current_scene.written[cut], weights=current_scene.weights[cut], told=told)


def order_turned(current_scene: WelcomeScene) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find two neighbouring written words whose sources are neighbours in the opposite order.

    One of them is the opened word. All four are content words, and each written one gives more than half of its weight
    to its source. Return the positions of the two words read, and of the two words written; None if there are no such
    words.
    """
    sources = current_scene.weights.argmax(1)
    sure = _sure(current_scene.weights, current_scene.written, current_scene.read)
    for first in (current_scene.opened - 1, current_scene.opened):
        second = first + 1
        if first < 0 or second >= len(current_scene.written) or not (sure[first] and sure[second]):
            continue
        if HYPHEN in current_scene.written[max(0, first - 1) : second + 2]:
            continue  # one of the two is a part of a word, as in “T - shirt bleu”
        if sources[first] == sources[second] + 1:
            return (int(sources[second]), int(sources[first])), (first, second)
    return None


def _clear(weights: np.ndarray, written: Sequence[str], read: Sequence[str]) -> np.ndarray:
    """Return which written words are words and looked most at a word, (W,)."""
    return are_words(written) & are_words(read)[weights.argmax(1)]


def _content(labels: Sequence[str]) -> np.ndarray:
    """Return which labels are words that carry content, (n,)."""
    return are_words(labels) & [label.casefold() not in FUNCTION_WORDS for label in labels]


def _sure(weights: np.ndarray, written: Sequence[str], read: Sequence[str]) -> np.ndarray:
    """Return which written content words gave a content word more than half of their weight, (W,)."""
    return _content(written) & _content(read)[weights.argmax(1)] & (weights.max(1) > HALF_WEIGHT)


def _preferred(weights: np.ndarray, written: Sequence[str], read: Sequence[str]) -> np.ndarray:
    """Return which written words may be opened, (W,): the sure ones; if none is, content words; then any words."""
    sure, clear = _sure(weights, written, read), _clear(weights, written, read)
    content = clear & _content(written) & _content(read)[weights.argmax(1)]
    return next((some for some in (sure, content, clear) if some.any()), clear)


def _farthest(weights: np.ndarray, preferred: np.ndarray) -> int:
    """Return the written word whose attention is furthest from its own position in the sentence.

    It is one of the `preferred` ones if there are any.
    """
    rows, columns = weights.shape
    across = np.abs(np.arange(rows)[:, None] / max(1, rows - 1) - np.arange(columns) / max(1, columns - 1))
    far = (weights * across).sum(1)
    return int(np.where(preferred, far, far - 1 - far.max()).argmax())
