"""Runs that visitors look at: how many bytes they take together, and how large a model may be."""

import pytest
import torch

from core.device import Placement
from core.lab import live
from core.lab.failures import FAILURES
from core.lab.live import LiveRuns
from core.lab.opened import address
from core.lab.recipe import MOST_NUMBERS, MOST_PARAMETERS, starting_recipe
from core.lab.recordings import RECORDINGS
from core.lab.run import Diverged, LabRun
from core.lab.tasks import TASKS
from core.model.transformer import parameter_count

CPU = Placement("cpu", "float32")


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"layers": 8, "heads": 16, "d_model": 256}, f"and {MOST_PARAMETERS:,} may be trained"),
        ({"batch": 512, "layers": 8, "heads": 4, "d_model": 64}, f"{MOST_NUMBERS / 1e6:.0f} million may be held"),
        ({"heads": 16, "d_model": 32, "batch": 512, "d_k": 32}, "may be held"),
    ],
)
def test_a_model_or_a_batch_too_large_for_a_shared_server_is_refused_with_its_numbers(
    sizes: dict[str, int], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        starting_recipe("sort", **sizes)


def test_what_is_offered_as_a_start_is_within_the_bounds() -> None:
    for name in TASKS:
        assert parameter_count(starting_recipe(name).config) <= MOST_PARAMETERS
    assert RECORDINGS and FAILURES  # both are made of recipes, each checked when it is made


def test_runs_that_take_too_many_bytes_are_let_go_the_longest_unseen_first() -> None:
    recipes = [starting_recipe("repeat", seed=seed) for seed in range(3)]
    each = LiveRuns().run(recipes[0]).nbytes
    runs = LiveRuns(most=round(2.5 * each))
    first, second = (runs.run(recipe) for recipe in recipes[:2])
    assert runs.run(recipes[0]) is first
    runs.run(recipes[2])  # the second was looked at longest ago
    assert runs.run(recipes[0]) is first and runs.run(recipes[1]) is not second


def test_a_run_larger_than_all_may_take_is_still_shown() -> None:
    runs = LiveRuns(most=1)
    recipe = starting_recipe("repeat")
    assert runs.run(recipe) is runs.run(recipe)


def test_measurements_of_a_run_are_bounded_by_the_bytes_of_its_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATTERN_BYTES", 0)
    monkeypatch.setattr(live, "FEWEST", 3)
    run = LiveRuns().run(starting_recipe("repeat", batch=8))
    while run.advance(40):
        pass
    assert len(run.steps) == 3 and run.steps[-1] == 40


def test_a_step_whose_weights_are_kept_is_opened_without_training(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe, runs, taken = starting_recipe("repeat", batch=8, steps=60), LiveRuns(), []
    step = LabRun.step
    monkeypatch.setattr(LabRun, "step", lambda run: taken.append(run.steps) or step(run))
    run = runs.run(recipe)
    while run.advance(20, keeps=True):
        pass
    assert taken == list(range(20))
    for number in (20, 10, 0):  # that at which the run is, one kept on the way, and the first
        model, weights = runs.load(address(recipe, number), CPU), run.weights(number)
        assert weights is not None and len(taken) == 20
        assert all(torch.equal(value, weights[name]) for name, value in model.named_parameters())
    runs.load(address(recipe, 30), CPU)  # not here yet: trained for the caller, and the run stays where it is
    assert len(taken) == 50 and run.reached == 20


def test_a_step_that_a_run_does_not_reach_is_refused_as_the_run_was() -> None:
    recipe, runs = starting_recipe("sort", lr=1e9, steps=50), LiveRuns()
    with pytest.raises(Diverged):
        runs.load(address(recipe, 50), CPU)  # nobody has trained the run yet
    run = runs.run(recipe)
    while run.advance(50):
        pass
    with pytest.raises(Diverged) as refused:
        runs.load(address(recipe, 50), CPU)
    assert refused.value is run.diverged
    assert runs.load(address(recipe, run.last), CPU)
