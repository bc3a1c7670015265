"""The attention of a translation: one head's pattern or a mean of several, with its rows and columns named."""

from dataclasses import dataclass

import numpy as np

from core.analysis.alignment import averaged
from core.analysis.treatments import Side, Treated, Treatment, treat
from core.text.content_words import whole_words
from core.topics.generate.records import Attentions
from core.topics.shared.labels import Labelled, cross_rows, numbered_pieces

# The least letters of a long word; the weight on one source token above which a link is clear.
LONG_WORD_LETTERS, CLEAR_WEIGHT = 3, 0.75


@dataclass(frozen=True, eq=False)
class Alignment:
    """An attention pattern of a translation.

    treated: the pattern (Q, K) with the labels of its rows and columns.
    allowed (Q, K): booleans, False = hidden by the causal mask.
    """

    treated: Treated
    allowed: np.ndarray

    @property
    def drawn(self) -> Labelled:
        """The pattern with labels, −∞ where it is hidden."""
        return Labelled(np.where(self.allowed, self.treated.pattern, -np.inf), self.treated.queries, self.treated.keys)

    @property
    def table(self) -> Labelled:
        return Labelled(self.treated.pattern, self.treated.queries, self.treated.keys)


def alignment(
    attentions: Attentions, first: int, which: str, layer: int, head: int, over: str, words: bool = False
) -> Alignment:
    """Return the attention `which`, "cross", "encoder" or "decoder", over a whole translation.

    first: position of the first written token among those that the decoder read.
    over: "this head", "layer" or "all", the heads to average over.
    words: whether pieces are merged into words.

    Each row of cross-attention is labelled with two tokens: the one that the decoder read, which is the query, and the
    one that it wrote next. If words are merged, the label is the word that it read.

    Raises ValueError if `which` is not one of the three, or if the model does not have it.
    """
    source = Side(numbered_pieces(attentions.source_pieces), attentions.source_words, attentions.source_word_labels)
    read = Side(numbered_pieces(attentions.pieces), attentions.words, attentions.word_labels)
    sides = {
        "cross": (attentions.cross, _writing(attentions, first), source),
        "encoder": (attentions.encoder, source, source),
        "decoder": (attentions.decoder, read, read),
    }
    patterns, queries, keys = sides.get(which, (None, read, read))
    if patterns is None:
        raise ValueError(f"this model has no attention {which!r}")
    pattern = averaged(patterns, layer, head, over)  # (Q, K)
    if which == "cross":
        pattern = pattern[first - 1 : -1]
    treated = treat(pattern, queries, keys, Treatment((), words, 0.0))
    every = np.ones(treated.pattern.shape, bool)
    allowed = np.tril(every) if which == "decoder" else every
    return Alignment(treated, allowed)


def _writing(attentions: Attentions, first: int) -> Side:
    """Return the rows after which a token was written: the last one before the translation to the last but one."""
    words = attentions.words[first - 1 : -1]
    names = [attentions.word_labels[word] for word in sorted(set(words))]
    return Side(cross_rows(attentions.pieces)[first - 1 : -1], [word - words[0] for word in words], names)


def opening_count(attentions: Attentions, first: int, layer: int, head: int, over: str) -> int:
    """Return the number of written tokens that a page shows at first.

    The last of them is the token that best shows an alignment: a whole word, written while the largest weight was on a
    whole word of the source. 1 if there is none.
    first: position of the first written token among those that the decoder read.
    over: as in `alignment`.
    Raises ValueError without cross-attention.
    """
    if attentions.cross is None:
        raise ValueError("This model has no cross-attention.")
    # (W, S): a token is written by the row before it
    weights = averaged(attentions.cross, layer, head, over)[first - 1 : -1]
    shown = np.outer(
        whole_words(attentions.words, attentions.word_labels)[first:],
        whole_words(attentions.source_words, attentions.source_word_labels),
    )
    return int((weights * shown).max(1).argmax()) + 1


def redirections(attentions: Attentions, first: int) -> list[tuple[int, int, int]]:
    """Suggest attention to force: for a written word, the source word of another written word, the best first.

    Each is (the written token, the source token, the other written token). Only long words count, and only if most of
    the weight was on one long word of the source when they were written, averaged over all heads. Later source words
    come first, because a reader sees a change best if nothing comes after it.
    first: as in `opening_count`.
    Raises ValueError without cross-attention.
    """
    if attentions.cross is None:
        raise ValueError("This model has no cross-attention.")
    weights = averaged(attentions.cross, 0, 0, "all")[first - 1 : -1]
    written = whole_words(attentions.words, attentions.word_labels)[first:]
    weights = weights * np.outer(written, whole_words(attentions.source_words, attentions.source_word_labels))
    names, sources = (
        np.array([len(piece) for piece in pieces]) for pieces in (attentions.pieces[first:], attentions.source_pieces)
    )
    weights = weights * np.outer(names >= LONG_WORD_LETTERS, sources >= LONG_WORD_LETTERS)
    pairs = [
        (row, int(weights[row].argmax())) for row in np.flatnonzero(weights.max(1, initial=0.0) > CLEAR_WEIGHT).tolist()
    ]
    candidates = [
        (row, source, other_row)
        for row, own_source in pairs
        for other_row, source in pairs
        if row != other_row and own_source != source
    ]
    return sorted(candidates, key=lambda candidate: (-candidate[1], abs(candidate[2] - candidate[0])))


def last_rows(attentions: Attentions, layer: int, head: int, over: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the attention of the decoder's newest token: over the source (S,), and over the decoder's own text (L,).

    Raises ValueError without cross-attention.
    """
    if attentions.cross is None:
        raise ValueError("This model has no cross-attention.")
    return averaged(attentions.cross, layer, head, over)[-1], averaged(attentions.decoder, layer, head, over)[-1]
