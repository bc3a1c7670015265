"""Runs that visitors look at: how many bytes they take together, and how large a model may be."""

import re

import pytest
import torch

from core.device import Placement
from core.lab import live
from core.lab.failures import FAILURES
from core.lab.live import LiveRun, LiveRuns
from core.lab.recipe import MOST_NUMBERS, MOST_PARAMETERS, starting_recipe
from core.lab.recordings import RECORDINGS
from core.lab.run import LabRun
from core.lab.step_source import LabStep
from core.lab.tasks import TASKS
from core.model.transformer import parameter_count

CPU = Placement("cpu", "float32")
SMALL = starting_recipe("repeat", layers=1, heads=1, d_model=8, batch=4)


def train(run: LiveRun, step: int) -> None:
    while run.advance(step):
        pass


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
    train(run, 40)
    assert len(run.steps) == 3 and run.steps[-1] == 40


def test_a_step_whose_weights_are_kept_is_opened_without_training(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe, runs = starting_recipe("repeat", batch=8, steps=60), LiveRuns()
    step, taken = LabRun.step, list[int]()

    def counted(run: LabRun) -> float:
        taken.append(run.steps)
        return step(run)

    monkeypatch.setattr(LabRun, "step", counted)
    run = runs.run(recipe)
    while run.advance(20, keeps=True):
        pass
    assert taken == list(range(20))
    for number in (20, 10, 0):  # that at which the run is, one kept on the way, and the first
        model, weights = LabStep(recipe, number, runs).load(CPU), run.weights(number)
        assert weights is not None and len(taken) == 20
        assert all(torch.equal(value, weights[name]) for name, value in model.named_parameters())
    LabStep(recipe, 30, runs).load(CPU)  # not here yet: trained for the caller, and the run stays where it is
    assert len(taken) == 50 and run.reached == 20


def test_a_step_that_a_run_does_not_reach_is_refused_with_the_runs_reason() -> None:
    recipe, runs = starting_recipe("sort", lr=1e9, steps=50), LiveRuns()
    step = LabStep(recipe, 50, runs)
    with pytest.raises(ValueError, match="not finite"):
        step.load(CPU)  # nobody has trained the run yet
    run = runs.run(recipe)
    train(run, 50)
    assert run.diverged is not None and not step.is_ready() and step.making_seconds() == 0
    with pytest.raises(ValueError, match=re.escape(str(run.diverged))):
        step.load(CPU)
    assert step.at(run.last).load(CPU)


def test_going_back_does_not_end_a_run_whose_measurements_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATTERN_BYTES", 0)
    run = LiveRuns().run(SMALL)
    train(run, 300)
    for step in (1, 2, 3):
        train(run, step)
        assert run.diverged is None and run.nearest(step).step == step
    assert len(run.steps) == live.FEWEST and (run.steps[0], run.steps[-1]) == (0, 300)


def test_of_two_who_train_one_run_the_earlier_step_is_reached_first() -> None:
    """Each takes three steps in turn, fewer than lie between two states from which the run could go on."""
    run = LiveRuns().run(SMALL)
    train(run, 100)
    for _ in range(10):
        for target in (200, 98):
            for _ in range(3):
                run.advance(target)
    assert run.nearest(98).step == 98
    train(run, 200)
    assert run.nearest(200).step == 200


def test_a_step_that_nobody_asks_for_any_more_is_not_trained_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATIENCE", 0.0)
    run = LiveRuns().run(SMALL)
    train(run, 30)
    run.advance(8)
    train(run, 40)
    assert run.reached == 40 and 8 not in run.steps


def test_the_update_that_was_looked_at_counts_among_the_bytes_of_a_run() -> None:
    run = LiveRuns().run(SMALL)
    before = run.nbytes
    update = run.next_update(0, "embed.weight", (5, 0))
    pushes = SMALL.batch * update.contributions.shape[1] * SMALL.d_model * 4  # bytes of one site (B, L, D)
    assert run.nbytes - before > 10 * pushes
