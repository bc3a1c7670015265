"""A run of the lab: the same steps from the same recipe, put back bit for bit, and stopped where numbers end."""

import numpy as np
import pytest
import torch

from core.lab.recipe import Recipe, starting_recipe
from core.lab.run import Diverged, LabRun
from core.lab.tasks import TASKS

SMALL = starting_recipe("sort", layers=1, heads=2, d_model=8, batch=4, steps=30)


def trained(recipe: Recipe, steps: int) -> LabRun:
    run = LabRun(recipe)
    for _ in range(steps):
        run.step()
    return run


def are_equal(one: LabRun, other: LabRun) -> bool:
    pairs = zip(one.model.parameters(), other.model.parameters(), strict=True)
    return all(torch.equal(left, right) for left, right in pairs)


@pytest.mark.parametrize("task", TASKS)
def test_each_task_trains(task: str) -> None:
    run = trained(starting_recipe(task, layers=1, d_model=8, heads=2, batch=8), 2)
    assert run.steps == 2 and np.isfinite(run.step())


def test_the_loss_falls() -> None:
    run = LabRun(starting_recipe("repeat", layers=1, d_model=16, batch=16, lr=1e-2))
    losses = [run.step() for _ in range(60)]
    assert np.mean(losses[-5:]) < 0.8 * losses[0]


@pytest.mark.parametrize("changes", [{}, {"dropout": 0.2}, {"weight_decay": 0.5, "clip": 0.0}, {"tied": True}])
def test_a_run_put_back_goes_on_to_the_same_weights(changes: dict[str, object]) -> None:
    recipe = starting_recipe("sort", layers=1, heads=2, d_model=8, batch=4, **changes)
    first = trained(recipe, 4)
    state = first.state()
    losses = [first.step() for _ in range(3)]
    second = LabRun(recipe)
    second.restore(state)
    assert [second.step() for _ in range(3)] == losses
    assert are_equal(first, second)


def test_a_state_is_a_copy() -> None:
    run = trained(SMALL, 2)
    state = run.state()
    before = {name: value.clone() for name, value in state.weights.items()}
    run.step()
    assert all(torch.equal(state.weights[name], value) for name, value in before.items())
    assert not are_equal(run, trained(SMALL, 2))


def test_training_to_a_step_again_gives_the_same_weights() -> None:
    again = LabRun(SMALL)
    again.train_to(5)
    assert again.steps == 5 and are_equal(again, trained(SMALL, 5))


def test_dropout_leaves_the_random_numbers_of_others_alone() -> None:
    run = LabRun(starting_recipe("sort", layers=1, heads=2, d_model=8, batch=4, dropout=0.3))
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    run.step()
    assert torch.equal(torch.rand(3), expected)


def test_seeds_differ() -> None:
    other = starting_recipe("sort", layers=1, heads=2, d_model=8, batch=4, steps=30, seed=1)
    assert not are_equal(trained(SMALL, 1), trained(other, 1))


def test_a_rate_without_bounds_is_stopped_at_the_last_good_step() -> None:
    run = LabRun(starting_recipe("sort", lr=1e9, d_model=16, layers=2, heads=2))
    states = {0: run.state()}
    with pytest.raises(Diverged, match=r"At step \d+ .* is not finite any more.*is the last good one") as stopped:
        for _ in range(100):
            run.step()
            states[run.steps] = run.state()
    assert run.steps == stopped.value.step - 1
    assert all(value.isfinite().all() for value in run.model.parameters())
    good = states[run.steps]
    assert all(torch.equal(good.weights[name], value) for name, value in run.model.named_parameters())
    assert all(torch.equal(good.moments[name], value) for name, value in run.state().moments.items())


def test_a_weight_that_is_no_number_is_named() -> None:
    run = trained(SMALL, 1)
    with torch.no_grad():
        run.model.embed.weight[5, 0] = float("nan")
    with pytest.raises(Diverged) as stopped:
        for _ in range(5):
            run.step()
    assert stopped.value.tensor == "decoder.embed"


def test_a_state_of_another_shape_is_refused() -> None:
    other = LabRun(starting_recipe("sort", layers=1, heads=2, d_model=16, batch=4))
    with pytest.raises(ValueError, match="another shape"):
        LabRun(SMALL).restore(other.state())
