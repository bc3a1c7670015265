"""Changing each word of the source in turn, and measuring how far the states of a recurrent translator move."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import MemoryEstimate
from core.decoding.translators import pad
from core.model.recurrent import Recurrent, RecurrentConfig
from core.text.special import BOS
from core.topics.sequence_to_sequence.analysis.costs import recurrent_estimate
from core.topics.sequence_to_sequence.analysis.recurrence import relative_distance
from core.topics.sequence_to_sequence.records import Directions, Moved
from core.topics.shared.labels import numbered_pieces
from core.topics.shared.places import to_numpy
from core.tracing.run import TokenRow
from core.tracing.step_tap import StepTap

MOST_WORDS, MOST_TOKENS = 3, 8  # the most that may be put in place of a word


def places_of_words(source: TokenRow) -> list[tuple[int, int]]:
    """Return for each word of the source its first token and the position after its last one; </s> is no word."""
    words = source.words[:-1]
    return [(words.index(word), len(words) - words[::-1].index(word)) for word in dict.fromkeys(words)]


def word_names(source: TokenRow) -> tuple[str, ...]:
    """Return the labels of the words of the source, in the order of `places_of_words`."""
    words = dict.fromkeys(source.words[:-1])
    return numbered_pieces([source.word_labels[word] for word in words])


def changed_sources(source: TokenRow, replacement: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the ids of the source, then for each of its words a copy in which other ids replace that word.

    replacement: the ids that replace the word; if empty, the word is removed.
    """
    ids = source.ids
    return [ids, *((*ids[:first], *replacement, *ids[end:]) for first, end in places_of_words(source))]


def changed_size(
    config: RecurrentConfig, source: TokenRow, replacement: Sequence[int], written: int = 0
) -> MemoryEstimate:
    """Return the peak memory of `moved`, or of `directions` if `written` is 0.

    replacement: the ids that replace a word.
    written: the number of tokens of the translation.
    """
    sources = changed_sources(source, replacement)
    return recurrent_estimate(config, len(sources), max(map(len, sources)), written)


@torch.inference_mode()
def moved(model: Recurrent, source: TokenRow, replacement: Sequence[int], written: Sequence[int]) -> Moved:
    """Return how far the bottleneck's vector and the decoder's states move when each word is replaced.

    replacement: the ids that replace the word; if empty, the word is removed.
    written: the tokens of the translation, which the decoder reads in every case.
    """
    ids, mask = pad(changed_sources(source, replacement))
    encoded = model.encode(ids, mask)
    tap = StepTap()
    target = torch.tensor([[BOS, *written[:-1]]]).expand(len(ids), -1)
    model.decode(target, encoded, tap)
    vectors, states = to_numpy(encoded.last), to_numpy(tap.steps("decoder.state"))  # (W + 1, U), (W + 1, T, U)
    return Moved(
        word_names(source),
        relative_distance(vectors[1:], vectors[0]),
        relative_distance(states[1:], states[0]),
        vectors[0],
        vectors[1:],
    )


@torch.inference_mode()
def directions(model: Recurrent, source: TokenRow, replacement: Sequence[int]) -> Directions:
    """Return how far the forward and the backward half of each word's state move when each word is replaced.

    The forward state is taken at the word's last token, the backward state at its first.

    replacement: the ids that replace the word; if empty, the word is removed.
    """
    ids, mask = pad(changed_sources(source, replacement))
    forwards, backwards = model.encode(ids, mask).memory.split(model.config.units, dim=-1)  # (W + 1, S, U)
    spans = places_of_words(source)
    moves = (_moves(half, spans, len(replacement), end) for half, end in ((forwards, True), (backwards, False)))
    return Directions(word_names(source), *moves)


def _moves(states: Tensor, spans: Sequence[tuple[int, int]], length: int, end: bool) -> np.ndarray:
    """Return how far each word's state moves when each word is replaced, (W, W).

    Rows are the replaced words, columns the words whose state moves.

    states (W + 1, S, U): the states of the source as it is, then with each word replaced.
    spans: the first token of each word, and the position after its last one.
    length: the number of tokens that replace the word; if 0, the removed word's own cell is −∞.
    end: whether a word's state is taken at its last token, not at its first.
    """
    distances = np.full((len(spans), len(spans)), -np.inf)
    for changed, (first, behind) in enumerate(spans):
        shift = length - (behind - first)
        for word, span in enumerate(spans):
            if word == changed and not length:
                continue
            position = span[1] - 1 if end else span[0]
            moved_position = position + shift if word > changed or (word == changed and end) else position
            after, before = to_numpy(states[changed + 1, moved_position]), to_numpy(states[0, position])
            distances[changed, word] = relative_distance(after, before)
    return distances
