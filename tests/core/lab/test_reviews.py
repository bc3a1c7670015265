"""Film reviews made from a list of words: verdicts worked by hand, and pairs of words that are never in training."""

from itertools import pairwise

import numpy as np
import pytest
import torch

from core.lab.measured import measure
from core.lab.recipe import starting_recipe
from core.lab.reviews import ADJECTIVES, BAD, BEFORE, BLAME, GOOD, JOINED, NEGATIONS, PRAISE, REVIEWS, pairs, verdict
from core.lab.run import LabRun
from core.lab.task import Rows
from core.tracing.trace import trace
from tests.fuzz.mode import NIGHTLY


@pytest.mark.parametrize(
    ("review", "is_good"),
    [
        ("the plot is very warm", True),
        ("the plot is not dull", True),
        ("the plot is hardly funny", False),
        ("there is no dull scene", True),
        ("there is a dull scene", False),
        ("the plot is so warm but the joke is so weak", False),
        ("the plot is so warm although the joke is so weak", True),
        ("the plot is so weak but the joke is never stale", True),
        ("there is no clever joke although the song is really moving", False),
        ("the plot is not dull and there is a funny joke", True),
        ("the plot is so weak but the song is so warm although the hero is very flat", True),
        ("the plot is so weak although the song is so warm but the hero is never flat", True),
        ("the plot is so warm but the song is so weak and there is no fresh idea", False),
    ],
)
def test_verdicts_by_hand(review: str, is_good: bool) -> None:
    assert verdict(review.split()) == (GOOD if is_good else BAD)


def written(rows: Rows) -> list[list[str]]:
    return [REVIEWS.decode(list(ids)) for ids in rows.ids]


def used(reviews: list[list[str]]) -> set[tuple[str, str]]:
    """All pairs of an adjective and the word before it."""
    return {(before, word) for words in reviews for before, word in pairwise(words) if word in ADJECTIVES}


def test_each_row_ends_in_its_verdict() -> None:
    assert REVIEWS.longer is not None and REVIEWS.held_out is not None
    for draw, clauses in ((REVIEWS.draw, 2), (REVIEWS.held_out, 2), (REVIEWS.longer, 3)):
        rows = draw(np.random.default_rng(0), 300)
        assert rows.asked.sum() == 300 and rows.asked[:, -1].all()
        for words in written(rows):
            assert words[-2:] == ["→", verdict(words[:-2])]
            assert sum(word in ADJECTIVES for word in words) == clauses
            assert sum(word in JOINED for word in words) == clauses - 1


def test_clauses_joined_by_and_agree() -> None:
    for words in written(REVIEWS.draw(np.random.default_rng(1), 500)):
        if "and" in words:
            joined = words.index("and")
            assert verdict(words[:joined]) == verdict(words[joined + 1 : -2])


def test_held_out_pairs_are_never_in_training() -> None:
    assert REVIEWS.held_out is not None
    held_out = used(written(REVIEWS.held_out(np.random.default_rng(0), 2000)))
    trained = used(written(REVIEWS.draw(np.random.default_rng(0), 5000)))
    assert not held_out & trained
    assert len(held_out) == 16 and len(held_out | trained) == len(BEFORE) * len(ADJECTIVES)
    assert {adjective for _, adjective in held_out} == set(ADJECTIVES)
    assert all(any(pair[0] == before for pair in trained) for before in BEFORE)
    assert ("not", "dull") in held_out  # as the task's text says


def test_good_and_bad_are_equally_frequent() -> None:
    for held_out in (False, True):
        by_verdict = pairs(held_out)
        assert len(by_verdict[GOOD]) == len(by_verdict[BAD])
    verdicts = [words[-1] for words in written(REVIEWS.draw(np.random.default_rng(0), 3000))]
    assert 0.47 < verdicts.count(GOOD) / 3000 < 0.53


def test_no_word_means_two_things() -> None:
    assert not set(PRAISE) & set(BLAME) and set(NEGATIONS) <= set(BEFORE)
    assert len(set(REVIEWS.tokens)) == len(REVIEWS.tokens)


def test_a_seed_draws_the_same_reviews() -> None:
    one, other, third = (REVIEWS.draw(np.random.default_rng((seed, 7)), 32).ids for seed in (0, 0, 1))
    assert np.array_equal(one, other) and not np.array_equal(one, third)


@pytest.mark.skipif(not NIGHTLY, reason="trains three runs, half a minute")
@pytest.mark.parametrize("seed", range(3))
def test_reviews_are_learned_by_step_1000(seed: int) -> None:
    run = LabRun(starting_recipe("reviews", seed=seed))
    while run.steps < 1000:
        run.step()
    measured = measure(run)
    assert measured.held_out_exact >= 0.95
    assert measured.longer_exact is not None and 0.6 < measured.longer_exact < 0.9
    on_deciding, on_other = weights_at_the_arrow(run)
    assert max(on_deciding) > 0.4 and on_other[int(np.argmax(on_deciding))] < 0.1


def weights_at_the_arrow(run: LabRun) -> tuple[np.ndarray, np.ndarray]:
    """The mean weight of each last head on the adjective that decides, and on the other one; without “and”."""
    rows = REVIEWS.held_out_rows()
    patterns = trace(run.model, None, torch.from_numpy(rows.given), record=["pattern"]).stack("pattern", "decoder")
    deciding, other = [], []
    for words, pattern in zip(written(rows), patterns[-1].numpy(), strict=True):
        first, second = (place for place, word in enumerate(words) if word in ADJECTIVES)
        if "and" not in words:
            decides, outweighed = (second, first) if "but" in words else (first, second)
            arrow = pattern[:, words.index("→")]  # (H, K)
            deciding.append(arrow[:, decides])
            other.append(arrow[:, outweighed])
    return np.mean(deciding, 0), np.mean(other, 0)
