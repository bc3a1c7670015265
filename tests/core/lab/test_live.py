"""Runs that visitors share: they only train forward, keep steps within their bytes, and open any other step."""

import re
from collections.abc import Mapping

import numpy as np
import pytest
import torch

from core.device import Placement
from core.lab.failures import FAILURES
from core.lab.kept import FEWEST_STEPS, RUN_BYTES, kept_bytes, kept_schedule
from core.lab.live import STEP_SECONDS, LiveRun, LiveRuns, trained_to, update_after
from core.lab.recipe import MOST_NUMBERS, MOST_PARAMETERS, MOST_STEPS, Recipe, starting_recipe
from core.lab.recordings import RECORDINGS
from core.lab.run import Diverged, LabRun
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


def test_a_run_of_usual_length_keeps_about_sixty_steps_that_lie_closer_at_the_start() -> None:
    schedule = kept_schedule(starting_recipe("repeat"))
    assert schedule[:8] == (0, 1, 2, 3, 5, 10, 15, 20) and schedule[-2:] == (950, 1000)
    assert 50 <= len(schedule) <= 65
    assert kept_schedule(starting_recipe("repeat", steps=1)) == (0, 1)
    assert kept_schedule(starting_recipe("repeat", steps=7)) == (0, 1, 2, 3, 5, 7)
    longest = kept_schedule(starting_recipe("repeat", d_model=8, steps=MOST_STEPS))
    assert len(longest) < 150 and longest[-1] == MOST_STEPS


@pytest.mark.parametrize("sizes", [{"layers": 2}, {"layers": 8}])
def test_a_larger_model_keeps_fewer_steps_that_take_no_more_bytes(sizes: dict[str, int]) -> None:
    recipe = starting_recipe("stories", steps=1000, **sizes)
    schedule = kept_schedule(recipe)
    assert set(schedule) < set(kept_schedule(SMALL)) and (schedule[0], schedule[-1]) == (0, 1000)
    assert len(schedule) <= FEWEST_STEPS or len(schedule) * kept_bytes(recipe) <= RUN_BYTES


def test_the_bytes_of_kept_steps_are_those_that_were_counted() -> None:
    run = LiveRun(SMALL)
    before = run.nbytes
    train(run, SMALL.steps)
    assert run.steps == run.schedule
    assert run.nbytes - before == pytest.approx((len(run.steps) - 1) * kept_bytes(SMALL), rel=0.05)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The steps that all runs take, each by the number of steps before it."""
    step, numbers = LabRun.step, list[int]()

    def counted(run: LabRun) -> float:
        numbers.append(run.steps)
        return step(run)

    monkeypatch.setattr(LabRun, "step", counted)
    return numbers


def is_that_of(recipe: Recipe, step: int, weights: Mapping[str, torch.Tensor]) -> bool:
    expected = trained_to(recipe, step).weights()
    return all(torch.equal(weights[name], value) for name, value in expected.items())


def test_a_kept_step_is_opened_without_training_and_bit_for_bit(taken: list[int]) -> None:
    recipe, runs = starting_recipe("repeat", batch=8, steps=60), LiveRuns()
    run = runs.run(recipe)
    train(run, 20)
    assert taken == list(range(20)) and run.steps == (0, 1, 2, 3, 5, 10, 15, 20)
    models = {step: LabStep(recipe, step, lambda: runs).load(CPU) for step in run.steps}
    assert len(taken) == 20
    for step, model in models.items():
        assert is_that_of(recipe, step, dict(model.named_parameters()))


def test_any_other_step_is_trained_from_the_last_state_before_it_and_the_run_stays(taken: list[int]) -> None:
    recipe, runs = starting_recipe("repeat", batch=8, steps=60, dropout=0.1), LiveRuns()
    run = runs.run(recipe)
    train(run, 37)
    taken.clear()
    for step, expected in ((37, range(0)), (23, range(15, 23)), (35, range(0)), (40, range(37, 40)), (4, range(4))):
        weights = run.weights(step)
        assert taken == list(expected), step
        assert is_that_of(recipe, step, weights) and run.reached == 37
        taken.clear()


def test_what_it_costs_to_open_a_step_is_estimated_from_the_steps_that_it_takes() -> None:
    recipe, runs = starting_recipe("repeat", batch=8, steps=60), LiveRuns()
    assert LabStep(recipe, 9, lambda: runs).making_seconds() == pytest.approx(9 * STEP_SECONDS)
    run = runs.run(recipe)
    train(run, 37)
    for step, steps in ((0, 0), (35, 0), (37, 0), (23, 8), (40, 3)):
        source = LabStep(recipe, step, lambda: runs)
        assert source.making_seconds() == pytest.approx(steps * run.seconds) and source.is_ready() == (step <= 37)


def test_a_run_never_goes_back_whoever_asks(taken: list[int]) -> None:
    run = LiveRun(SMALL)
    train(run, 40)
    for target in (10, 39, 0, 60, 20):
        train(run, target)
    assert taken == list(range(60)) and run.reached == 60
    assert run.nearest(13).step == 10 and [kept.step for kept in run.history(15)] == [0, 1, 2, 3, 5, 10, 15]


def test_two_who_train_one_run_share_its_steps(taken: list[int]) -> None:
    run = LiveRun(SMALL)
    while run.advance(30) | run.advance(50):
        pass
    assert taken == list(range(50)) and run.reached == 50


def test_a_step_that_a_run_does_not_reach_is_refused_with_the_runs_reason() -> None:
    recipe, runs = starting_recipe("sort", lr=1e9, steps=50), LiveRuns()
    step = LabStep(recipe, 50, lambda: runs)
    with pytest.raises(ValueError, match="not finite"):
        step.load(CPU)  # nobody has trained the run yet
    run = runs.run(recipe)
    train(run, 50)
    assert run.diverged is not None and not step.is_ready() and step.making_seconds() == 0
    with pytest.raises(ValueError, match=re.escape(str(run.diverged))):
        step.load(CPU)
    assert step.at(run.last).load(CPU)


def test_a_run_that_fails_keeps_its_last_good_step() -> None:
    run = LiveRun(starting_recipe("repeat", layers=1, heads=1, d_model=8, batch=4, steps=50))
    train(run, 7)
    with torch.no_grad():
        run._run.model.embed.weight.fill_(float("nan"))
    weights = run.weights(5)
    train(run, 50)
    assert run.diverged is not None and (run.diverged.step, run.diverged.last) == (7, 5)  # it cannot be measured at 7
    assert run.last == run.reached == run.steps[-1] == 5 and run.stops == run.steps == (0, 1, 2, 3, 5)
    assert run.weights(5) is weights and not run.advance(50)
    with pytest.raises(ValueError, match="Step 5 is the last good one"):
        run.weights(7)


def test_a_step_that_fails_in_between_is_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    step = LabRun.step

    def fails(run: LabRun) -> float:
        if run.steps == 8:
            raise Diverged(9, "logits")
        return step(run)

    monkeypatch.setattr(LabRun, "step", fails)
    run = LiveRun(SMALL)
    train(run, 50)
    assert run.last == run.reached == 8 and run.steps == run.stops == (0, 1, 2, 3, 5, 8)
    assert run.stop_before(50) == run.nearest(50).step == 8 and is_that_of(SMALL, 8, run.weights(8))


def test_the_update_after_a_kept_step_is_that_of_a_run_trained_to_it() -> None:
    run = LiveRun(SMALL)
    train(run, 40)
    for step in (40, 15):
        found, expected = (
            run.next_update(step, "decoder.0.attn.w_q.weight", (1, 2)),
            update_after(SMALL, step, "decoder.0.attn.w_q.weight", 1, 2),
        )
        assert found.adam == expected.adam and np.array_equal(found.contributions, expected.contributions)


def test_the_update_that_was_looked_at_counts_among_the_bytes_of_a_run() -> None:
    run = LiveRuns().run(SMALL)
    before = run.nbytes
    update = run.next_update(0, "embed.weight", (5, 0))
    pushes = SMALL.batch * update.contributions.shape[1] * SMALL.d_model * 4  # bytes of one site (B, L, D)
    assert run.nbytes - before > 10 * pushes
