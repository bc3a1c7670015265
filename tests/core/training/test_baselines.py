"""The marks that counting sets, against counts made another way."""

from collections import Counter
from itertools import pairwise
from math import log

import numpy as np
import pytest

from core.text.special import MASK
from core.training.baselines import Counts, baseline_scores, count_pieces
from core.training.packing import pack_documents

V = 9
TEXTS = [[4, 5, 6, 4, 5], [7, 4, 5, 6], [6, 6, 4, 7, 4, 5], [5]]
SINGLE = Counter(piece for text in TEXTS for piece in text)
PAIRS = Counter(pair for text in TEXTS for pair in pairwise(text))
BOTH = [([4, MASK, 6, MASK], [0, 5, 0, 4]), ([MASK, MASK, 8, 0], [7, 4, 0, 0])]  # read, asked for


@pytest.fixture
def counts() -> Counts:
    return count_pieces(pack_documents([[text] for text in TEXTS], 10), V)


def alone(w: int) -> float:
    return (SINGLE[w] + 1) / (sum(SINGLE.values()) + V)


def follows(w: int, before: int | None) -> float:
    """p(w | before) by Witten and Bell, from the dictionary of pairs."""
    after = {pair[1]: times for pair, times in PAIRS.items() if pair[0] == before}
    if not after:
        return alone(w)
    return (after.get(w, 0) + len(after) * alone(w)) / (sum(after.values()) + len(after))


def between(before: int | None, after: int | None) -> list[float]:
    weights = [follows(w, before) * (1.0 if after is None else follows(after, w)) for w in range(V)]
    return [weight / sum(weights) for weight in weights]


def test_counts_are_those_of_the_rows(counts):
    assert {(int(b), int(w)): counts.pairs[b, w] for b, w in np.argwhere(counts.pairs)} == PAIRS
    assert {int(w): counts.single[w] for w in np.flatnonzero(counts.single)} == SINGLE


def test_chances_are_those_counted_by_hand_and_sum_to_one(counts):
    assert counts.alone[4] == pytest.approx(6 / 25) and counts.alone.sum() == pytest.approx(1)
    # 4 begins five pairs: four with 5, one with 7; so p(5 | 4) = (4 + 2 p(5)) / (5 + 2)
    assert counts.after(np.array([4]))[0, 5] == pytest.approx((4 + 2 * 6 / 25) / 7)
    for before, row in enumerate(counts.after(np.arange(V))):
        assert row.tolist() == pytest.approx([follows(w, before) for w in range(V)])
        assert row.sum() == pytest.approx(1)
    for after, row in enumerate(counts.ahead(np.arange(4, V)), start=4):
        assert row.tolist() == pytest.approx([follows(after, w) for w in range(V)])
    assert (counts.ahead(np.array([0, MASK])) == 1).all()


def test_scores_are_those_of_the_places_one_by_one(counts):
    tables = [(np.array([read]), np.array([asked])) for read, asked in BOTH]
    found = baseline_scores(counts, tables)
    # What stands before and after each hidden piece; None at an end or where the neighbour is hidden too.
    places = [(4, 5, 6), (6, 4, None), (None, 7, None), (None, 4, 8)]
    ways = {
        "unigram": [[alone(w) for w in range(V)] for _ in places],
        "bigram": [[follows(w, before) for w in range(V)] for before, _, _ in places],
        "both_sides": [between(before, after) for before, _, after in places],
    }
    for name, probabilities in ways.items():
        right = sum(row.index(max(row)) == gold for row, (_, gold, _) in zip(probabilities, places, strict=True))
        loss = -sum(log(row[gold]) for row, (_, gold, _) in zip(probabilities, places, strict=True)) / len(places)
        assert found[f"{name}_accuracy"] == 100 * right / len(places)
        assert found[f"{name}_loss"] == pytest.approx(loss, abs=1e-4)
    assert found["bigram_loss"] < found["unigram_loss"]
