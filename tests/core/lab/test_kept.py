"""Kept steps: bounded by bytes, thinned evenly, and a start for training to a step again."""

import pytest
import torch

from core.lab.kept import AllKeptSteps, KeptSteps, closest, retrain
from core.lab.recipe import starting_recipe
from core.lab.run import LabRun, RunState

SMALL = starting_recipe("sort", layers=1, heads=2, d_model=8, batch=4, steps=40)


def state(step: int, resumable: bool = False) -> RunState:
    """100 bytes, or 300 with moments."""
    moments = {f"{name}/w": torch.zeros(25) for name in ("exp_avg", "exp_avg_sq")} if resumable else {}
    return RunState(step, {"w": torch.full((25,), float(step))}, moments)


def test_the_closest_step_goes_and_the_ends_stay() -> None:
    assert closest((0, 1, 10, 20)) == 1
    assert closest((0, 10, 20, 30)) == 20  # of equals the latest, so that the early steps stay
    kept = KeptSteps(500)
    for step in range(0, 101, 10):
        kept.keep(state(step))
    assert kept.nbytes <= 500
    assert kept.steps[0] == 0 and kept.steps[-1] == 100 and len(kept.steps) == 5


def test_only_a_few_states_have_moments() -> None:
    kept = KeptSteps(10_000)
    for step in range(12):
        kept.keep(state(step, resumable=True))
    assert kept.steps == tuple(range(12))
    assert len(kept.resumable) <= 5 and kept.resumable[0] == 0 and kept.resumable[-1] == 11


def test_one_state_stays_whatever_its_size() -> None:
    kept = KeptSteps(50)
    kept.keep(state(0))
    kept.keep(state(1))
    assert kept.steps == (1,)


def test_weights_come_back_as_they_were() -> None:
    kept = KeptSteps(10_000)
    kept.keep(state(3))
    weights = kept.weights(3)
    assert weights is not None and weights["w"].tolist() == [3.0] * 25
    assert kept.weights(4) is None


@pytest.mark.parametrize("target", [0, 3, 7, 10])
def test_training_again_from_a_kept_step_is_bit_equal(target: int) -> None:
    kept, run, seen = KeptSteps(10**9), LabRun(SMALL), {}
    for _ in range(11):
        seen[run.steps] = run.weights()
        if run.steps in (0, 4, 7):
            kept.keep(run.state())
        run.step()
    passed = [again.steps for again in retrain(SMALL, target, kept)]
    *_, last = retrain(SMALL, target, kept)
    assert passed == list(range(max(step for step in (0, 4, 7) if step <= target), target + 1))
    assert all(torch.equal(value, seen[target][name]) for name, value in last.weights().items())


def test_a_step_beyond_the_last_is_refused() -> None:
    with pytest.raises(ValueError, match="no step 41"):
        next(retrain(SMALL, 41))


def test_all_runs_together_are_bounded() -> None:
    every = AllKeptSteps(most=1000, most_each=600)
    for seed in range(5):
        recipe = starting_recipe("sort", seed=seed)
        for step in range(10):
            every.keep("ann", recipe, state(step))
            assert every.nbytes <= 1000 + 600
    assert every.nbytes <= 1000
    assert every.of("ann", starting_recipe("sort", seed=4)).steps[-1] == 9


def test_runs_of_two_visitors_are_two() -> None:
    every, recipe = AllKeptSteps(10_000, 1000), starting_recipe("sort")
    every.keep("ann", recipe, state(1))
    every.keep("bob", recipe, state(2))
    assert every.of("ann", recipe).steps == (1,) and every.of("bob", recipe).steps == (2,)
    every.forget("ann")
    assert every.of("ann", recipe).steps == () and every.of("bob", recipe).steps == (2,)
