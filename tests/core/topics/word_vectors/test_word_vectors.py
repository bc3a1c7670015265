"""The trained vectors and a live training, as a page asks for them."""

import numpy as np
import pytest

from core.analysis.word_maps import principal_components
from core.checkpoints.shipped import MODELS_FOLDER
from core.readings.word_vectors import (
    read_analogy,
    read_groups,
    read_map,
    read_nearest_dots,
    read_nearest_pair,
    read_neighbours,
    read_own_group,
)
from core.topics.word_vectors import live
from core.topics.word_vectors.grammar import GROUP_OF, GROUPS, made_text
from core.topics.word_vectors.live import TrainingSettings
from core.topics.word_vectors.maps import SETS, nearest_on, nearest_points, of_own_group, word_map
from core.topics.word_vectors.relations import analogy, leaning, neighbours, ranked_pairs
from core.topics.word_vectors.table import METHODS, WordTable, read_table, sort_words


@pytest.fixture(scope="module")
def table() -> WordTable:
    return read_table(MODELS_FOLDER)


@pytest.mark.parametrize("method", METHODS)
def test_the_answers_are_those_of_sorting_every_cosine(table: WordTable, method: str) -> None:
    rows = table.vectors[method].astype(np.float64)
    a, b, c = (rows[table.places[word]] for word in ("man", "king", "woman"))
    found = analogy(table, method, ("man", "king", "woman"), 5)
    order = [table.words[i] for i in np.argsort(-(rows @ (b - a + c)))]
    assert list(found.left_in.words) == order[:5]
    assert list(found.near.words) == [word for word in order if word not in ("man", "king", "woman")][:5]
    assert found.near.words[0] == "queen" and ("king" in found.left_in.words[:2])
    assert "ship" not in neighbours(table, method, "ship", 9).words
    off = rows[table.places["queen"]] - a
    assert np.hypot(np.linalg.norm(found.shadows[0]), found.off[0]) == pytest.approx(np.linalg.norm(off), rel=1e-6)


def test_words_are_sorted_into_known_and_unknown(table: WordTable) -> None:
    found = sort_words(table, "Queen qeuen, KING'S queen, sea", 3)
    assert found.known == ("queen", "king", "sea") and found.cut == 0
    assert "queen" in found.unknown["qeuen"]
    assert sort_words(table, "king queen man woman", 3).cut == 1
    assert not any(sort_words(table, words, 999).unknown for words in SETS.values())


def test_a_map_shows_its_share_and_a_lean_has_its_ends(table: WordTable) -> None:
    words = sort_words(table, next(iter(SETS.values())), 99).known
    found = word_map(table, "CBOW", words, "PCA")
    assert found.shares is not None and 0 < found.shares.sum() < 1 and found.places.shape == (len(words), 2)
    with pytest.raises(ValueError, match="3 words or more"):
        word_map(table, "CBOW", words[:2], "t-SNE")
    lean = leaning(table, "CBOW", ("she", "he"), ("he", "captain", "she"))
    assert lean.words == ("she", "captain", "he") and lean.cosines[0] == pytest.approx(-lean.cosines[2], abs=1e-6)
    with pytest.raises(ValueError, match="one word"):
        leaning(table, "CBOW", ("he", "he"), ("she",))


def test_training_is_the_same_in_slices_and_at_once() -> None:
    setup = TrainingSettings(method="CBOW", sample=0.05, seed=3)
    corpus = live.read_corpus(setup)
    first = live.begin(setup, corpus)
    at_once = live.trained_on(setup, corpus, first, 30)
    sliced = live.trained_on(setup, corpus, live.trained_on(setup, corpus, first, 12), 18)
    hurried = first
    while hurried.steps < 30:
        hurried = live.trained_on(setup, corpus, hurried, 30 - hurried.steps, 0.001)
    for other in (sliced, hurried):
        assert np.array_equal(at_once.inputs, other.inputs) and np.array_equal(at_once.outputs, other.outputs)
        assert np.array_equal(live.live_map(at_once)[0], live.live_map(other)[0])
    np.testing.assert_array_equal(at_once.losses, sliced.losses)
    costs = live.next_step(setup, corpus, first).gradients.losses  # all scores are 0
    assert costs.max() == pytest.approx(live.initial_loss(setup.noise)) and not first.outputs.any()
    assert not np.array_equal(first.inputs, at_once.inputs)


def test_a_slice_ends_with_its_time_and_takes_one_step_at_least() -> None:
    setup = TrainingSettings()
    corpus = live.read_corpus(setup)
    begun = live.begin(setup, corpus)
    assert live.trained_on(setup, corpus, begun, 100_000, 0.02).steps < 1000
    assert live.trained_on(setup, corpus, begun, 100_000, 0).steps == 1


def test_the_map_neither_flips_nor_turns_while_the_words_move() -> None:
    setup = TrainingSettings()
    corpus = live.read_corpus(setup)
    now = live.begin(setup, corpus)
    flips = 0
    for _ in range(25):
        then = live.trained_on(setup, corpus, now, 20)
        (before, _), (after, share) = live.live_map(now), live.live_map(then)
        moved = np.linalg.norm(after - before)
        for other in (after * [-1, 1], after * [1, -1], -after, after[:, ::-1]):
            assert moved <= np.linalg.norm(other - before)
        flips += bool((np.sum(principal_components(now.inputs)[0] * principal_components(then.inputs)[0], 0) < 0).any())
        values = np.linalg.eigvalsh(np.cov(then.inputs.T))
        assert share == pytest.approx(values[-2:].sum() / values.sum())
        now = then
    assert flips


@pytest.mark.parametrize("method", METHODS)
def test_the_next_step_is_the_one_that_is_taken(method: str) -> None:
    setup = TrainingSettings(method=method, window=1)
    corpus = live.read_corpus(setup)
    now = live.trained_on(setup, corpus, live.begin(setup, corpus), 40)
    coming, then = live.next_step(setup, corpus, now), live.trained_on(setup, corpus, now, 1)
    assert then.losses[-1] == pytest.approx(coming.gradients.losses.mean())
    for mix, told, (askers, answer) in zip(coming.asked.mixes, coming.told, coming.questions, strict=True):
        near = np.flatnonzero(mix)
        assert (np.abs(near - told) == 1).all() and mix.sum() == 1
        assert answer == coming.sentence[told] and [*askers] == [coming.sentence[at] for at in near]


def test_words_of_one_group_come_together() -> None:
    assert set(GROUP_OF) <= set(made_text().replace(".", "").split()) and len(GROUP_OF) == sum(
        map(len, GROUPS.values())
    )
    setup = TrainingSettings()
    corpus = live.read_corpus(setup)
    begun = live.begin(setup, corpus)
    (before, count, probability), (after, *_) = (
        live.grouped(corpus, now) for now in (begun, live.trained_on(setup, corpus, begun, 700))
    )
    assert before < 2.5 * probability and after > 0.6 * count


@pytest.mark.parametrize(
    ("text", "why"), [(" ", "two different"), ("one one.", "two different"), ("a. b.", "one word")]
)
def test_a_text_without_pairs_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        live.read_corpus(TrainingSettings(text))


def test_the_most_alike_are_found_in_a_text_of_ones_own() -> None:
    setup = TrainingSettings("The sun is warm. The moon is cold.", width=2)
    corpus = live.read_corpus(setup)
    rows = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [1, 1.1]])
    now = live.TrainingState(rows, rows, np.empty(0), np.eye(2))
    assert live.nearest_pair(corpus, now)[:2] == corpus.words[4:6]
    assert np.array_equal(live.live_map(now)[0], rows)


def test_pairs_are_ranked_by_their_cosines() -> None:
    cosines = np.array([[1, 0.2, 0.7], [0.2, 1, -0.1], [0.7, -0.1, 1]])
    assert ranked_pairs(cosines) == [(0, 2, 0.7), (0, 1, 0.2), (1, 2, -0.1)]


def test_the_nearest_dots_of_a_map_are_found() -> None:
    places = np.array([[0.0, 0], [1, 0], [1, 0.5], [9, 9]])
    assert nearest_on(places).tolist() == [1, 2, 1, 2]
    assert of_own_group(places, ("a", "a", "b", "b")) == 2 and set(nearest_points(places)) == {1, 2}


def test_what_is_said_of_maps_and_neighbours() -> None:
    assert read_own_group(40, 54) == "For 40 of 54 words the nearest dot has the same colour."
    assert read_nearest_dots("sea", "river") == "On this map “sea” and “river” lie nearest to each other."
    near = "The flat map keeps 59% of each word's five nearest neighbours."
    assert read_map("PCA", (0.2, 0.17), 0.59, 5) == (near, "Its two axes show 20% and 17% of the variance.")
    bent = "With t-SNE, distances between far groups mean nothing."
    assert read_map("t-SNE", None, 0.59, 5) == (near, bent)
    both = {"skip-gram": ("king", 0.775), "CBOW": ("king", 0.695)}
    assert read_neighbours("queen", both, 6, 10) == (
        "Nearest to “queen” is “king” by both methods.",
        "The cosine is 0.775 by skip-gram and 0.695 by CBOW.",
        "The two lists share 6 of 10 words.",
    )
    other = read_neighbours("queen", both | {"CBOW": ("lady", 0.5)}, 6, 10)
    assert other[0] == "Nearest to “queen” is “king” by skip-gram and “lady” by CBOW."


def test_what_is_said_of_an_analogy_and_of_a_training() -> None:
    three = ("man", "king", "woman")
    assert read_analogy(three, "queen", 0.832, "daughter", 0.748, "queen") == (
        "By these vectors “man” is to “king” as “woman” is to “queen”.",
        "“queen” has a cosine of 0.832, “daughter”, the next, 0.748. “queen” comes first even when the three are left "
        "in.",
    )
    left_in = read_analogy(three, "queen", 0.832, "daughter", 0.748, "king")
    assert left_in[1].endswith("0.748. When the three are left in, “king” comes first.")
    assert read_groups(500, 25, 34, 3.46, 8) == (
        "Now 25 of 34 words have a nearest neighbour of their own group.",
        "After 500 steps there are 25 of them; by chance there would be about 3.5. Near means near in all 8 numbers of "
        "a vector, not on the flat map.",
    )
    start = read_groups(0, 4, 34, 3.46, 8)[0]
    assert start == "At first, with random vectors, 4 of 34 words have a nearest neighbour of their own group."
    pair = read_nearest_pair(1, "a", "b", 0.9)
    assert pair == ("After 1 step, “a” and “b” are most alike.", "Their cosine is 0.900.")
