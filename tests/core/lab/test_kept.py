"""Kept steps: bounded by bytes, thinned evenly, and a start for training to a step again."""

import pytest
import torch

from core.lab.kept import KeptSteps, closest
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
    again, before = LabRun(SMALL), kept.before(target)
    assert before is not None and before.step == max(step for step in (0, 4, 7) if step <= target)
    again.restore(before)
    again.train_to(target)
    assert all(torch.equal(value, seen[target][name]) for name, value in again.weights().items())
