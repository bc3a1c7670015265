"""Filters and draws: worked by hand, and by what they promise."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding import filters
from core.decoding.filters import REMOVED
from core.decoding.sampling import GREEDY, STAGES, Sampling, draw, seen_tokens, stages, uniform

LOGITS = st.lists(st.floats(-12, 12, width=32), min_size=1, max_size=40).map(torch.tensor)


def kept(logits: torch.Tensor) -> set[int]:
    return set(torch.nonzero(logits.isfinite()).flatten().tolist())


def test_the_filters_by_hand() -> None:
    """Chances ½, ¼, ⅛, ⅛."""
    logits = torch.tensor([0.5, 0.25, 0.125, 0.125]).log()
    assert kept(filters.top_k(logits, 3)) == {0, 1, 2}  # of two alike, the lower id
    assert kept(filters.top_p(logits, 0.5)) == {0}
    assert kept(filters.top_p(logits, 0.51)) == {0, 1}
    assert kept(filters.top_p(logits, 0.8)) == {0, 1, 2}
    assert kept(filters.min_p(logits, 0.3)) == {0, 1}
    torch.testing.assert_close(torch.softmax(filters.temperature(logits, 0.5), -1), torch.tensor([16.0, 4, 1, 1]) / 22)
    given_logits = torch.tensor([2.0, -1.0, 3.0])
    seen = torch.tensor([True, True, False])
    assert filters.repetition_penalty(given_logits, seen, 2.0).tolist() == [1.0, -2.0, 3.0]


@given(LOGITS, st.floats(0.01, 1.0))
def test_top_p_keeps_the_smallest_set_whose_mass_reaches_p(logits: torch.Tensor, p: float) -> None:
    left = sorted(kept(filters.top_p(logits, p)))
    probabilities = torch.softmax(logits.double(), -1)
    assert float(probabilities[left].sum()) >= min(p, 1) - 1e-9
    if p < 1 and len(left) > 1:
        assert float(probabilities[left].sum() - probabilities[left].min()) < p + 1e-9
        assert float(probabilities.sort(descending=True).values[: len(left) - 1].sum()) < p + 1e-9
    removed = set(range(len(logits))) - set(left)
    assert all(probabilities[i] <= probabilities[left].min() for i in removed)


@given(st.integers(1, 300), st.data())
def test_top_p_keeps_no_token_too_many_where_the_mass_is_met_exactly(alike: int, data: st.DataObject) -> None:
    """n tokens alike, and p = m/n: m of them are enough, and m − 1 are not."""
    enough = data.draw(st.integers(1, alike))
    assert kept(filters.top_p(torch.zeros(alike), enough / alike)) == set(range(enough))


@given(LOGITS, st.integers(1, 50))
def test_top_k_keeps_the_k_likeliest(logits: torch.Tensor, k: int) -> None:
    left = kept(filters.top_k(logits, k))
    assert len(left) == min(k, len(logits))
    assert all(logits[i] <= min(logits[j] for j in left) for i in set(range(len(logits))) - left)


@given(LOGITS, st.floats(0.01, 1.0))
def test_min_p_keeps_what_is_likely_enough(logits: torch.Tensor, share: float) -> None:
    probabilities = torch.softmax(logits.double(), -1)
    assert kept(filters.min_p(logits, share)) == {
        i for i, c in enumerate(probabilities) if c >= share * probabilities.max()
    }


def test_filters_work_on_batches_row_by_row() -> None:
    logits = torch.randn(3, 5, 20, generator=torch.Generator().manual_seed(1))
    for work in (lambda x: filters.top_k(x, 4), lambda x: filters.top_p(x, 0.7), lambda x: filters.min_p(x, 0.2)):
        whole = work(logits)
        assert torch.equal(whole[1, 2], work(logits[1, 2]))


def test_the_order_of_the_stages() -> None:
    logits = torch.tensor([3.0, 2.0, 1.0, 0.0, -1.0])
    seen = seen_tokens(torch.tensor([0]), 5)
    found = stages(logits, seen, Sampling(2.0, 4, 0.8, 0.5, 1.5))
    assert len(found) == len(STAGES)
    expected = filters.repetition_penalty(logits, seen, 1.5)
    for stage, work in zip(
        found[1:],
        (
            lambda x: x,
            lambda x: x / 2,
            lambda x: filters.top_k(x, 4),
            lambda x: filters.top_p(x, 0.8),
            lambda x: filters.min_p(x, 0.5),
        ),
        strict=True,
    ):
        expected = work(expected)
        assert torch.equal(stage, expected)


@settings(max_examples=40)
@given(LOGITS)
def test_a_temperature_near_zero_is_greedy(logits: torch.Tensor) -> None:
    seen = torch.zeros(len(logits), dtype=torch.bool)
    best = int(logits.argmax())
    greedy = torch.softmax(stages(logits, seen, GREEDY)[-1], -1)
    assert int(greedy.argmax()) == best and float(greedy.max()) == 1
    cold = torch.softmax(stages(logits, seen, Sampling(1e-6))[-1].double(), -1)
    rivals = logits[logits < logits[best] - 1e-3]
    assert float(cold[logits >= logits[best] - 1e-3].sum()) == pytest.approx(1) or not len(rivals)


@given(LOGITS, st.floats(min_value=0, exclude_min=True, max_value=1e-30), st.floats(0, 1, exclude_max=True))
def test_the_smallest_temperatures_give_the_likeliest_token(logits: torch.Tensor, cold: float, number: float) -> None:
    seen = torch.zeros(len(logits), dtype=torch.bool)
    sampling = Sampling(cold, top_k=5, top_p=0.9, min_p=0.1)
    found = stages(logits, seen, sampling)
    probabilities = torch.softmax(found[-1].double(), -1)
    assert not any(stage.isnan().any() for stage in found) and float(probabilities.sum()) == pytest.approx(1)
    drawn = draw(probabilities, number)
    assert float(logits.max() - logits[drawn]) <= 40 * cold  # e^-40 is less than a draw can tell from 0


def test_a_temperature_by_hand_that_float32_cannot_divide_by() -> None:
    logits = torch.tensor([1.0, -2.0, float("-inf"), 1.0])
    found = filters.temperature(logits, 1e-40)
    assert found.tolist() == [0.0, torch.finfo(torch.float32).min, float("-inf"), 0.0]
    close = torch.tensor([1e-39, 0.0])  # a quotient of e^1 is left
    torch.testing.assert_close(torch.softmax(filters.temperature(close, 1e-39), -1)[0], torch.tensor(0.731059))


def test_a_draw_by_hand() -> None:
    """Laid end to end, the likeliest first: 2 up to ½, 0 up to ¾, 3 up to 1."""
    probabilities = torch.tensor([0.25, 0.0, 0.5, 0.25])
    assert [draw(probabilities, u) for u in (0.0, 0.49, 0.5, 0.74, 0.75, 0.999999)] == [2, 2, 0, 0, 3, 3]


def test_draws_come_as_often_as_their_chances_say() -> None:
    probabilities = torch.softmax(torch.tensor([2.0, 1.0, 0.0, -1.0]), -1)
    count = 4000
    drawn = np.bincount([draw(probabilities, uniform(7, 0, n)) for n in range(count)], minlength=4)
    for seen, probability in zip(drawn, probabilities.tolist(), strict=True):
        assert abs(seen - count * probability) < 4 * (count * probability * (1 - probability)) ** 0.5


def test_random_numbers_follow_from_seed_sample_and_step() -> None:
    numbers = {(s, n, t): uniform(s, n, t) for s in range(3) for n in range(3) for t in range(3)}
    assert len(set(numbers.values())) == 27 and all(0 <= u < 1 for u in numbers.values())
    assert uniform(1, 2, 0) == numbers[1, 2, 0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"temperature": -0.1}, "temperature must be 0 or more, not -0.1"),
        ({"temperature": float("nan")}, "temperature must be 0 or more, not nan"),
        ({"top_k": -1}, "top-k must be 0 .off. or more, not -1"),
        ({"top_p": 0.0}, "top-p must be above 0 and at most 1, not 0.0"),
        ({"min_p": 1.1}, "min-p must be from 0 to 1, not 1.1"),
        ({"repetition_penalty": 0.0}, "repetition penalty must be above 0, not 0.0"),
        ({"seed": -1}, "seed must be 0 or more, not -1"),
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Sampling(**settings)


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(), Sampling(top_k=1), Sampling(top_p=0.1, min_p=0.9)])
def test_withheld_tokens_are_never_drawn_and_the_other_numbers_stay(sampling: Sampling) -> None:
    logits, seen = torch.tensor([[5.0, 1.0, 2.0, 0.0], [0.0, 1.0, 3.0, 2.0]]), torch.zeros(2, 4, dtype=torch.bool)
    own, found = stages(logits, seen, sampling), stages(logits, seen, sampling, [(0,), ()])
    assert all(torch.equal(a, b) for a, b in zip(own[:-1], found[:-1], strict=True))
    assert torch.equal(own[-1][1], found[-1][1])  # the row from which nothing is withheld
    assert found[-1][0, 0] == REMOVED and found[-1][0].argmax() == 2
