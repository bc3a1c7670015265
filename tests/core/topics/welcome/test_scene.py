"""A sentence beside its translation: the surest layer, words out of pieces, and what one changed word turns."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.topics.generate.records import Attentions
from core.topics.welcome.scene import WelcomeScene, looked_at, never_looked_at, order_turned, scene, shortened, turn

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


def test_words_that_the_other_translation_lacks_are_told_and_the_first_that_looks_at_a_word_is_opened() -> None:
    found = scene(attentions(), 1, ("une autre", "phrase"))
    assert (found.told, found.opened) == ((0, 1), 0)
    found = scene(attentions(), 1, ("une", "autre", "phrase"))
    assert (found.told, found.opened) == ((1,), 0)  # "mot" looks most at (end)
    assert scene(attentions(), 1, ("une", "mot")).told == ()


def scene_of(
    weights: Sequence[Sequence[float]], written: tuple[str, ...], read: tuple[str, ...], opened: int = 0
) -> WelcomeScene:
    return WelcomeScene(
        read, written, np.array(weights), 0, 0, opened, (), np.array(weights), tuple(range(len(written)))
    )


def test_alone_the_word_that_looks_furthest_is_opened() -> None:
    # "une" stands at 0 of 1 and looks across 0.8 · 0.5 + …; "mot" at 1 looks at its own place.
    assert scene(attentions(), 1).opened == 0


@pytest.mark.parametrize("source", ["(end)", ".", "·s"])
def test_what_looks_farthest_at_no_word_is_not_opened(source: str) -> None:
    seen = replace(attentions(), source_word_labels=("the", "cats", source), word_labels=("(start)", "mot", "une"))
    seen = replace(seen, cross=np.stack([np.eye(4)[[3, 3, 0, 0]][None]] * 2))  # "mot" looks at the source's place
    assert scene(seen, 1).written[scene(seen, 1).opened] == "une"


def test_the_order_turns_where_two_neighbours_look_the_other_way_round() -> None:
    crossed = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
    found = scene_of(crossed, ("chaise", "rouge", "."), ("red", "chair", "."), opened=1)
    assert order_turned(found) == ((0, 1), (0, 1))
    assert order_turned(replace(found, weights=np.eye(3))) is None
    assert order_turned(replace(found, read=(".", "chair", "red"))) is None
    assert order_turned(replace(found, opened=2)) is None


def test_words_of_content_are_opened_before_words_that_only_look_further() -> None:
    seen = replace(attentions(), source_word_labels=("library", "the", "(end)"), word_labels=("(start)", "mot", "est"))
    seen = replace(seen, cross=np.stack([np.eye(4)[[0, 0, 1, 3]][None]] * 2))  # "mot" at library, "est" at the
    assert scene(seen, 1).opened == 0
    assert scene(replace(seen, source_word_labels=("in", "the", "(end)")), 1).opened == 1, "no word of content"


def test_the_order_is_said_to_turn_only_of_words_of_content_that_look_there_with_more_than_half() -> None:
    weights = [[0.1, 0.9], [0.6, 0.4]]
    found = scene_of(weights, ("modèle", "langue"), ("language", "model"))
    assert order_turned(found) == ((0, 1), (0, 1))
    assert order_turned(replace(found, written=("modèle", "de"))) is None
    assert order_turned(replace(found, read=("the", "model"))) is None
    assert order_turned(replace(found, weights=np.array([[0.1, 0.9], [0.4, 0.3]]))) is None, "less than half"
    shirt = scene_of(
        [[0.6, 0.2, 0.2], [0.1, 0.1, 0.8], [0.1, 0.7, 0.2]], ("T", "shirt", "bleu"), ("a", "blue", "shirt"), 1
    )
    assert order_turned(shirt) == ((1, 2), (1, 2))
    assert order_turned(replace(shirt, written=("-", "shirt", "bleu"))) is None, "“shirt” is a part of “T - shirt”"


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


def test_the_token_of_the_word_asked_for_is_preferred_and_then_whole_words() -> None:
    before, after = (np.full((1, 2, 4, 4), 0.25) for _ in range(2))
    after[0, 0, 0] = [0.5, 0.5, 0, 0]  # "the" moves by 0.5
    after[0, 0, 3] = [0, 0, 0, 1]  # "(end)" moves by 0.75
    after[0, 0, 1] = [0.3, 0.3, 0.2, 0.2]  # "cat", a piece of "cats", moves by 0.1
    one, other = attentions(encoder=before), attentions(("the", "cat", "·ch", "(end)"), after)
    moved = turn(one, other), turn(one, other, word=2), turn(one, other, word=1)
    assert [(each.place, each.changed) for each in moved if each] == [(0, 2), (3, 2), (1, 2)]


def test_sentences_that_are_alike_or_of_other_lengths_turn_nothing() -> None:
    assert turn(attentions(), attentions()) is None
    longer = replace(attentions(), source_pieces=("a",) * 5, encoder=np.full((1, 2, 5, 5), 0.2))
    assert turn(attentions(), longer) is None


def test_the_head_is_that_which_looks_most_like_the_mean_at_the_opened_word() -> None:
    even = np.full((4, 4), 0.25)
    cross = np.stack([np.full((3, 4, 4), 0.25), np.stack([even, SURE, SURE])])
    found = scene(replace(attentions(), cross=cross), 1)
    assert (found.layer, found.head) == (1, 1)


def test_each_written_word_is_explained_by_the_word_that_it_looked_at_most() -> None:
    weights = [[0.6, 0.3, 0.1, 0.0], [0.2, 0.1, 0.6, 0.1], [0.1, 0.1, 0.1, 0.7], [0.9, 0.1, 0.0, 0.0]]
    current = scene_of(weights, ("chaise", "vit", "à", "."), ("chair", "the", "lives", "(end)"))
    assert looked_at(current) == ("chair", "lives", "", "")


def test_content_words_at_which_no_word_looked_most_are_found() -> None:
    weights = [[0.5, 0.3, 0.1, 0.1, 0.0], [0.1, 0.2, 0.3, 0.4, 0.0]]
    read = ("sister", "Maria", "the", "Berlin", ".")
    assert never_looked_at(scene_of(weights, ("sœur", "vit"), read)) == ("Maria",)
    assert never_looked_at(scene_of(weights, ("sœur", "maria"), read)) == ()  # it stands there, whoever looked at it
    dot = [[0.1, 0.3, 0.0, 0.0, 0.6]]
    assert "Maria" not in never_looked_at(scene_of(dot, ("Marie",), read))  # the most of all words
    assert "Maria" in never_looked_at(scene_of(dot, ("la",), read))  # an article says nothing of a name


def test_a_word_at_which_one_piece_looked_clearly_is_not_missed() -> None:
    """The translator's own weights: the second piece of “renard” gives 52% to “fox”, the word most to “quick”."""
    read = ("quick", "fox", "some", "jumps")
    current = scene_of([[0.5, 0.3, 0.1, 0.1], [0.0, 0.1, 0.2, 0.7]], ("renard", "saute"), read)
    assert never_looked_at(current) == ("fox",)  # nor “some”: an article translates it
    pieces = np.array([[0.68, 0.28, 0.02, 0.02], [0.32, 0.32, 0.18, 0.18], [0.0, 0.1, 0.2, 0.7]])
    assert never_looked_at(replace(current, piece_weights=pieces, piece_words=(0, 0, 1))) == ("fox",)
    pieces[1] = 0.15, 0.52, 0.03, 0.3
    assert never_looked_at(replace(current, piece_weights=pieces, piece_words=(0, 0, 1))) == ()
    assert never_looked_at(replace(current, written=("le", "saute"), piece_weights=pieces, piece_words=(0, 0, 1))) == (
        "quick",
        "fox",
    )


def test_the_opened_word_stays_among_the_first() -> None:
    current = scene_of(np.eye(4).tolist(), ("a", "b", "c", "d"), ("e", "f", "g", "h"), opened=2)
    assert shortened(current, 1).written == ("a", "b", "c") and shortened(current, 1).weights.shape == (3, 4)
