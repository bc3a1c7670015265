"""A sentence beside its translation: the surest layer, words out of pieces, and what one changed word turns."""

from dataclasses import replace

import numpy as np
import pytest

from core.explorer.generation.records import Attentions
from core.explorer.welcome.scene import scene, turn

SURE = np.array([[0.1, 0.8, 0.1, 0.0], [0.1, 0.1, 0.8, 0.0], [0.1, 0.1, 0.0, 0.8], [0.25] * 4])  # (W + 1, S)


def attentions(
    pieces: tuple[str, ...] = ("the", "cat", "·s", "(end)"), encoder: np.ndarray | None = None
) -> Attentions:
    """Two layers of one head: in the first every weight is alike, in the second as in SURE."""
    return Attentions(
        pieces=("(start)", "un", "·e", "mot"),
        source_pieces=pieces,
        words=(0, 1, 1, 2),
        word_labels=("(start)", "une", "mot"),
        source_words=(0, 1, 1, 2),
        source_word_labels=("the", "cats", "(end)"),
        decoder=np.full((2, 1, 4, 4), 0.25),
        encoder=np.full((1, 2, 4, 4), 0.25) if encoder is None else encoder,
        cross=np.stack([np.full((1, 4, 4), 0.25), SURE[None]]),
    )


def test_a_word_has_the_weights_of_the_rows_before_its_pieces() -> None:
    found = scene(attentions(), 1)
    assert (found.layer, found.written, found.read) == (1, ("une", "mot"), ("the", "cats", "(end)"))
    une = SURE[:2].mean(0)  # the rows that wrote "un" and "·e"; the last row writes nothing that stands here
    np.testing.assert_allclose(found.weights, [[une[0], une[1] + une[2], une[3]], [0.1, 0.1, 0.8]], atol=1e-6)
    np.testing.assert_allclose(found.weights.sum(1), 1, atol=1e-6)


def test_words_that_the_other_translation_lacks_are_told_and_the_first_is_opened() -> None:
    found = scene(attentions(), 1, ("une", "autre", "phrase"))
    assert (found.told, found.opened) == ((1,), 1)
    assert scene(attentions(), 1, ("une", "mot")).told == ()


def test_alone_the_word_that_looks_furthest_is_opened() -> None:
    # "une" stands at 0 of 1 and looks across 0.8 · 0.5 + …; "mot" at 1 looks at its own place.
    assert scene(attentions(), 1).opened == 0


def test_without_cross_attention_there_is_no_scene() -> None:
    with pytest.raises(ValueError, match="no cross-attention"):
        scene(replace(attentions(), cross=None), 1)


def test_the_token_whose_attention_moves_most_is_found() -> None:
    before, after = (np.full((1, 2, 4, 4), 0.25) for _ in range(2))
    after[0, 1, 0] = [0, 0, 0, 1]  # head 2, "the": 0.75 of its attention goes elsewhere
    after[0, 0, 2] = [1, 0, 0, 0]  # as much, but of the token that was changed
    other = attentions(("the", "cat", "·ch", "(end)"), after)
    found = turn(attentions(encoder=before), other)
    assert found is not None
    assert (found.layer, found.head, found.place, found.words) == (0, 1, 0, ("·s", "·ch"))
    np.testing.assert_array_equal(found.rows[1], [0, 0, 0, 1])


def test_sentences_that_are_alike_or_of_other_lengths_turn_nothing() -> None:
    assert turn(attentions(), attentions()) is None
    longer = replace(attentions(), source_pieces=("a",) * 5, encoder=np.full((1, 2, 5, 5), 0.2))
    assert turn(attentions(), longer) is None
