"""The task in which a head rests on the first token: its rows by their rule, its sentences, and three seeds."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.lab.happened import first_weights, happened
from core.lab.look_back import (
    DIGITS,
    FIRST_DIGIT,
    LETTERS,
    LOOK_BACK,
    LOOK_BACK_WITH_SINK_LOGITS,
    LOOK_BACK_WITHOUT_START,
    START_ID,
    next_letters,
)
from core.lab.measured import Measured, measure, probe
from core.lab.recipe import starting_recipe
from core.lab.run import LabRun
from core.lab.step_source import read_step
from core.lab.task import FIRST_TOKEN_ID, Task
from core.tracing.trace import trace
from tests.fuzz.mode import NIGHTLY

TASKS = (LOOK_BACK, LOOK_BACK_WITHOUT_START)
LOGITS = "look-back-sink-logits"


def is_digit(ids: np.ndarray) -> np.ndarray:
    return (ids >= FIRST_DIGIT) & (ids < FIRST_DIGIT + len(DIGITS))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_rows_follow_the_rule(task: Task) -> None:
    rows = task.draw(np.random.default_rng(3), 400)
    digits = is_digit(rows.ids)
    assert np.array_equal(rows.ids[:, 2:][digits[:, 1:-1]], rows.ids[:, :-2][digits[:, 1:-1]])
    assert not (digits[:, 1:] & digits[:, :-1]).any()
    starts = task is LOOK_BACK
    assert (rows.ids[:, 0] == START_ID).all() == starts and not (rows.ids[:, 1:] == START_ID).any()
    assert rows.asked[:, int(starts) + 1 :].all() and not rows.asked[:, : int(starts) + 1].any()
    free = ~digits[:, 2:-1]  # after a letter; a digit comes with a share of 0.3
    assert digits[:, 3:][free].mean() == pytest.approx(0.3, abs=0.02)


def test_letters_follow_with_the_chances_of_the_table() -> None:
    ids = LOOK_BACK.draw(np.random.default_rng(4), 4000).ids
    counts = np.zeros((len(LETTERS), len(LETTERS)))
    for before, after, copied in zip(
        ids[:, 2:-1].ravel(), ids[:, 3:].ravel(), is_digit(ids[:, 1:-2]).ravel(), strict=True
    ):
        if max(before, after) < FIRST_DIGIT and not copied:
            counts[before - FIRST_TOKEN_ID, after - FIRST_TOKEN_ID] += 1
    np.testing.assert_allclose(next_letters().sum(1), 1)
    often = counts.sum(1) > 1000
    found = counts[often] / counts[often].sum(1, keepdims=True)
    assert often.any() and np.abs(found - next_letters()[often]).max() < 0.05


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_probe_is_a_row_and_its_answers_come_after_digits(task: Task) -> None:
    ids, answering = probe(task)
    assert len(ids) == task.length and np.array_equal(answering[:-1], is_digit(ids)[:-1])
    assert np.array_equal(ids[2:][is_digit(ids)[1:-1]], ids[:-2][is_digit(ids)[1:-1]])


def measured_after(task: str, steps: int, seed: int = 0) -> tuple[LabRun, Measured]:
    run = LabRun(starting_recipe(task, seed=seed))
    while run.steps < steps:
        run.step()
    return run, measure(run)


def test_sentences_say_who_rests_and_who_looks_back() -> None:
    _, measured = measured_after("look-back", 1)
    rows = np.flatnonzero(~probe(LOOK_BACK)[1])[1:]
    patterns = np.zeros((1, 2, 32, 32))
    patterns[0, 0, :, 0] = 0.5
    patterns[0, 1, range(1, 32), range(31)] = 0.75
    made = replace(measured, patterns=patterns)
    even = float((1 / (rows + 1)).mean())
    assert first_weights(LOOK_BACK, made) == ((0, 0), 0.5, pytest.approx(even))
    said = happened(LOOK_BACK, [made])
    assert said[0] == "Learned: from step 1 on, layer 1 · head 1 rests on the first token."
    assert "gives it 50% of its weight; an even share is 9%." in said[1]
    assert said[1].endswith("After a digit, layer 1 · head 2 gives the letter before it 75%.")
    none = replace(measured, patterns=np.where(patterns == 0.5, 0.01, patterns))
    assert happened(LOOK_BACK, [none])[0] == "Not yet: at step 1 no head rests on the first token."
    assert happened(LOOK_BACK_WITHOUT_START, [none])[0] == "As expected: at step 1 no head rests on the first token."
    assert happened(LOOK_BACK_WITHOUT_START, [made])[0].startswith("Other than expected: from step 1 on")


def test_a_head_rests_on_the_first_token_only_where_it_is_one_of_its_own() -> None:
    with_start, without = (measured_after(task.name, 250)[1] for task in TASKS)
    _, weight, even = first_weights(LOOK_BACK, with_start)
    assert weight > 2 * even
    assert first_weights(LOOK_BACK_WITHOUT_START, without)[1] < even


@pytest.mark.skipif(not NIGHTLY, reason="trains six runs, two minutes")
@pytest.mark.parametrize("seed", range(3))
def test_the_sink_forms_and_its_value_gets_short(seed: int) -> None:
    run, measured = measured_after("look-back", 2000, seed)
    (_, head), weight, even = first_weights(LOOK_BACK, measured)
    assert weight > 3 * even
    ids, _ = probe(LOOK_BACK)
    values = trace(run.model, None, torch.from_numpy(ids)[None], record=["v"])["decoder.0.v"][0, head].norm(dim=-1)
    assert values[0] < values[1:].mean() / 2
    assert first_weights(LOOK_BACK_WITHOUT_START, measured_after("look-back-no-start", 2000, seed)[1])[1] < 0.02


@pytest.mark.skipif(not NIGHTLY, reason="trains six runs, four minutes")
@pytest.mark.parametrize("layers", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_no_massive_activation_forms_in_more_layers(layers: int, seed: int) -> None:
    run = LabRun(starting_recipe("look-back", layers=layers, seed=seed))
    while run.steps < 2000:
        run.step()
    ids = torch.from_numpy(LOOK_BACK.draw(np.random.default_rng(99), 64).ids)
    site = f"decoder.{layers - 1}.resid_post"
    stream = trace(run.model, None, ids, record=["resid_post"])[site]
    lengths, sizes = stream.norm(dim=-1), stream.abs()
    assert 0.9 < lengths[:, 0].mean() / lengths[:, 1:].mean() < 1.4
    assert sizes[:, 0].max() < 15 * sizes.median()  # massive ones are above a thousand (Sun et al. 2024)


def test_the_twin_with_sink_logits_differs_in_them_alone() -> None:
    with_logits, without = starting_recipe(LOGITS), starting_recipe("look-back")
    assert replace(with_logits, task="look-back", sink_logits=False) == without and with_logits.config.sink_logits
    rows, same = (task.draw(np.random.default_rng(3), 4).ids for task in (LOOK_BACK_WITH_SINK_LOGITS, LOOK_BACK))
    assert np.array_equal(rows, same)


def test_its_weights_sum_to_less_than_one_and_its_steps_open() -> None:
    run, measured = measured_after(LOGITS, 1)
    sums = measured.patterns.sum(-1)
    assert (sums < 0.999).all() and (sums > 0.2).all()
    np.testing.assert_allclose(measured_after("look-back", 1)[1].patterns.sum(-1), 1, atol=1e-5)
    assert (run.model.get_parameter("decoder.0.attn.sink") != 0).all()
    assert read_step(f"lab:{LOGITS}@5").recipe.config.sink_logits


@pytest.mark.skipif(not NIGHTLY, reason="trains three runs, a minute")
@pytest.mark.parametrize("seed", range(3))
def test_no_head_rests_on_the_first_token_beside_a_logit(seed: int) -> None:
    _, measured = measured_after(LOGITS, 2000, seed)
    assert first_weights(LOOK_BACK, measured)[1] < 0.1
