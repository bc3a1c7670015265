"""No held-out row of any task is ever a row of training, whatever the seed and the step."""

import numpy as np
import pytest

from core.lab.opened import card_of, examples
from core.lab.recipe import starting_recipe
from core.lab.run import LabRun
from core.lab.task import FIRST_TOKEN_ID, HELD_OUT_ROWS, Rows, Task, question_and_answer
from core.lab.tasks import TASKS
from core.lab.texts import read_passages, text_task
from core.text.held_out import STORY

FEW = ("parity", "parity-steps")  # tasks with so few rows that each step would draw held-out ones
SOME = ("sort", "repeat", "reverse", "add", "add-reversed")  # a run of a few hundred steps would draw one or more
SEEDS = (0, 1, 7)


def rows_of(rows: Rows) -> set[bytes]:
    return {ids.tobytes() for ids in rows.ids}


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_no_held_out_row_is_in_training(task: Task) -> None:
    held_out, steps, hits = rows_of(task.held_out_rows()), 300 if task.name in SOME else 15, 0
    assert len(task.held_out_rows()) == HELD_OUT_ROWS and len(held_out) > 0.9 * HELD_OUT_ROWS
    for seed in SEEDS:
        run = LabRun(starting_recipe(task.name, layers=1, heads=1, d_model=4, seed=seed))
        for step in range(1, steps + 1):
            made = task.make(np.random.default_rng((seed, step)), run.recipe.batch).ids
            hit = np.array([ids.tobytes() in held_out for ids in made])
            if step <= 15 or hit.any():
                rows = run.rows(step)
                assert len(rows) == len(made) and not held_out & rows_of(rows)
                assert np.array_equal(rows.ids[~hit], made[~hit])  # the others stay
            hits += int(hit.sum())
    assert (hits > 0) == (task.name in (*FEW, *SOME))


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_held_out_rows_are_the_same_rows_each_time(task: Task) -> None:
    one, other = task.held_out_rows(), task.held_out_rows()
    assert np.array_equal(one.ids, other.ids) and np.array_equal(one.asked, other.asked) and one.asked.any()
    shown = list(examples(task).values())
    assert {task.written(ids) for ids in one.first(3).ids} <= set(shown)


@pytest.mark.parametrize("name", ["modular", "reviews", "stories"])
def test_a_part_of_its_own_is_never_drawn(name: str) -> None:
    task = TASKS[name]
    assert task.held_out is not None
    apart = rows_of(task.held_out(np.random.default_rng(5), 1000))
    assert len(apart) > 800 and not apart & rows_of(task.draw(np.random.default_rng(6), 5000))


def test_a_row_drawn_again_keeps_its_own_answer() -> None:
    def make(rng: np.random.Generator, rows: int) -> Rows:
        numbers = rng.integers(0, 140, rows)
        return question_and_answer(
            [[FIRST_TOKEN_ID + number] for number in numbers], [[FIRST_TOKEN_ID + number] for number in numbers]
        )

    task = Task("numbers", "", "", tuple(map(str, range(140))), make, "", "")
    free = rows_of(make(np.random.default_rng(1), 9000)) - rows_of(task.held_out_rows())
    assert 0 < len(free) < 140
    rows = task.draw(np.random.default_rng(0), 500)
    assert rows_of(rows) == free and np.array_equal(rows.ids[:, 0], rows.ids[:, 1])
    assert np.array_equal(rows.ids, task.draw(np.random.default_rng(0), 500).ids)


@pytest.mark.parametrize(
    ("text", "held_out"),
    [
        ("\n".join(read_passages()[100:])[:2000], True),
        (STORY, False),
        ("the town has a road, and the road has a cart, and the cart has a wheel. " * 30, False),
        ("the town has a road, and the road has a cart. " * 20 + read_passages()[100][:800] * 2, True),
    ],
    ids=["long", "short", "repeated", "repeated in part"],
)
def test_a_pasted_text_holds_out_what_does_not_stand_in_the_rest(text: str, held_out: bool) -> None:
    task = text_task(text)
    trained = rows_of(task.draw(np.random.default_rng(0), 20_000))
    assert task.holds_out == held_out and bool(rows_of(task.held_out_rows()) & trained) != held_out
    assert ("never in training" in task.about) == held_out and ("by heart" in task.about) != held_out


def test_a_card_says_what_is_held_out() -> None:
    said = {name: card_of(starting_recipe(name), 1).split for name in ("parity", "modular", text_task(STORY).name)}
    assert said == {
        "parity": "128 rows are held out: a row of training that is one of them is drawn again.",
        "modular": "Held-out rows are drawn from a part that is never in training.",
        text_task(STORY).name: "Nothing is held out: the scores are of rows of its training.",
    }
