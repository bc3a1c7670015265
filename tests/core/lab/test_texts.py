"""Tasks on texts: what is held out, what a pasted text may be, and how long it stays."""

import json
import subprocess
import sys
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from core.lab import texts
from core.lab.baselines import baselines
from core.lab.happened import best
from core.lab.measured import Measured, answers, measure, probe
from core.lab.opened import card_of, examples, lab_tokenizer
from core.lab.recipe import Recipe, read_recipe, starting_recipe, write_recipe
from core.lab.run import LabRun
from core.lab.step_source import LabStep, read_step
from core.lab.task import UNPREDICTED_TOKENS
from core.lab.tasks import TASKS, task_named
from core.lab.texts import (
    FEWEST_CHARACTERS,
    MOST_SYMBOLS,
    PASTED,
    RARE,
    STORIES,
    WINDOW,
    PastedTexts,
    cleaned_text,
    read_passages,
    spelled,
    story_ids,
    story_parts,
    text_task,
)
from core.limits import PASTED_CHARACTERS
from core.model.transformer import build
from core.text.broken_file import BrokenFile
from core.text.held_out import STORY
from tests.fuzz.mode import NIGHTLY


def windows(ids: np.ndarray) -> set[bytes]:
    """Every row that can be drawn from a text."""
    return {ids[start : start + WINDOW].tobytes() for start in range(len(ids) - WINDOW + 1)}


def long_text(characters: int) -> str:
    return "\n".join(read_passages()[100:])[:characters]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder whose file of texts a test writes, in place of the shipped one."""
    monkeypatch.setattr(texts, "MEASURED_FOLDER", tmp_path)
    monkeypatch.setattr(texts, "story_parts", texts.story_parts.__wrapped__)
    return tmp_path / "neuron-texts.json"


def test_no_row_of_stories_is_in_both_parts() -> None:
    trained, held_out = story_parts()
    assert len(trained) > 150_000 and len(held_out) > 15_000
    assert not windows(trained) & windows(held_out)
    rows = STORIES.held_out_rows().ids.astype(np.uint8)
    assert {row.tobytes() for row in rows} <= windows(held_out)


def test_stories_are_the_passages_of_books_alone() -> None:
    pairs = json.loads((texts.MEASURED_FOLDER / "neuron-texts.json").read_text())["pairs"]
    passages = read_passages()
    assert len(passages) == 1500 and not {english for english, _ in pairs} & set(passages)


def test_a_story_is_spelled_by_hand() -> None:
    ids = story_ids(["A é£ (9)", "b"])
    assert [STORIES.tokens[number - 4] for number in ids] == ["a", "␣", "e", "␣", "↵", "b"]


def test_all_characters_but_the_first_few_are_asked_for() -> None:
    rows = STORIES.draw(np.random.default_rng(0), 5)
    assert rows.ids.shape == (5, WINDOW) and rows.ids.dtype == np.int64
    assert not rows.asked[:, :UNPREDICTED_TOKENS].any() and rows.asked[:, UNPREDICTED_TOKENS:].all()
    ids, answering = probe(STORIES)
    assert len(ids) == WINDOW and answering.sum() == rows.asked[0].sum()


def test_a_seed_draws_the_same_rows() -> None:
    one, other, third = (STORIES.draw(np.random.default_rng((seed, 7)), 16).ids for seed in (0, 0, 1))
    assert np.array_equal(one, other) and not np.array_equal(one, third)


def test_of_a_text_the_second_half_of_a_row_is_written() -> None:
    model = build(starting_recipe("stories", layers=1, heads=1, d_model=8).config)
    rows = STORIES.held_out_rows().first(2)
    for answer, ids in zip(answers(model, STORIES, rows), rows.ids, strict=True):
        assert [*answer.question, *answer.right] == STORIES.decode(list(ids))
        assert len(answer.given) == len(answer.right) == WINDOW // 2


def test_the_file_is_not_read_before_it_is_needed() -> None:
    program = (
        "import core.lab.tasks as t, core.lab.texts as x; from core.lab.recipe import starting_recipe;"
        "starting_recipe('stories'); assert 'stories' in t.TASKS and not x.story_parts.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"passages": "a"}', '{"passages": [1, 2]}', '{"passages": []}', '{"passages": ["short", "x"]}'],
)
def test_a_broken_file_is_named_and_the_task_is_still_there(broken: Path, content: str) -> None:
    broken.write_text(content)
    recipe = starting_recipe("stories")
    assert recipe.of.title and examples(STORIES) == {"the probe": STORIES.probe}
    with pytest.raises(BrokenFile, match=r"neuron-texts.json"):
        measure(LabRun(recipe))


def test_a_missing_file_is_named(broken: Path) -> None:
    with pytest.raises(BrokenFile, match="is missing"):
        LabRun(starting_recipe("stories")).step()


def test_a_pasted_text_is_a_task_wherever_a_name_is() -> None:
    task = text_task(STORY)
    assert task.name.startswith("text-") and len(task.name) == 13 and int(task.name[5:], 16) >= 0
    assert task_named(task.name) is task and text_task(f"  {STORY}\n\n") is task
    recipe = starting_recipe(task.name, layers=1, heads=2, d_model=8, batch=4, steps=20)
    assert read_recipe(write_recipe(recipe)) == recipe and recipe.of is task
    assert read_step(LabStep(recipe, 3).address) == LabStep(recipe, 3)
    assert LabStep(recipe, 3).open()[1].encode(task.probe).ids == tuple(task.encode(task.probe))
    run = LabRun(recipe)
    run.step()
    measured = measure(run)
    assert measured.longer_right is None and 0 <= measured.held_out_right <= 1 and len(measured.answers) == 8
    assert baselines(task.name).pairs < baselines(task.name).guessing
    assert card_of(recipe, 1).data[0]["licence"] == "that of the text"
    assert task.name not in TASKS


def test_the_last_tenth_is_never_in_training() -> None:
    text = long_text(2000)
    task = text_task(text)
    assert task.held_out is not None
    known = {token: number for number, token in enumerate(task.tokens, 4)}
    ids = np.array([known[symbol] for symbol in spelled(cleaned_text(text))])
    cut = len(ids) - len(ids) // 10
    trained = {row.tobytes() for row in task.draw(np.random.default_rng(0), 20_000).ids}
    apart = {row.tobytes() for row in task.held_out(np.random.default_rng(0), 2000).ids}
    assert trained <= windows(ids[:cut]) and apart <= windows(ids[cut:]) and not trained & apart
    assert task.encode(task.probe) == ids[cut : cut + WINDOW].tolist()


def test_a_short_text_has_no_held_out_part_and_says_so() -> None:
    task = text_task(STORY)
    assert task.held_out is None and "by heart" in task.about
    assert len({text_task(long_text(size)).expects for size in (500, 2000, 6000)}) == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is no text: paste one"),
        (" \n\t ", "There is no text: paste one"),
        ("\x00\x07\u200b\u202e" * 50, "no characters that can be shown"),
        ("\ud800" * 200, "no characters that can be shown"),
        ("a", "no other character than “a”"),
        ("aaaa " * 100, "no other character than “a”"),
        ("😀" * 300, "no other character than “😀”"),
        ("Hello.", "only 6 characters, and 100 are the least"),
        ("ab" * PASTED_CHARACTERS, "are the most: paste a part of it"),
    ],
)
def test_a_text_that_cannot_be_learned_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        text_task(text)


@pytest.mark.parametrize(
    "text",
    [
        "😀😃😄🙂" * 30,
        "שלום עולם, מה שלומך היום? " * 10,
        "مرحبا بالعالم كيف حالك اليوم؟ " * 10,
        "नमस्ते दुनिया, आप कैसे हैं? " * 10,
        "a = b → c\r\n\r\n\tx\u00a0y\x00z ␣ ↵ □ <pad> " * 10,
        "ab" * (PASTED_CHARACTERS // 2),
        "".join(map(chr, range(0x4E00, 0x4E00 + 3000))),
    ],
)
def test_texts_of_any_script_can_be_learned(text: str) -> None:
    task = text_task(text)
    assert 2 <= len(task.tokens) <= MOST_SYMBOLS
    lab_tokenizer(task)  # which refuses tokens with white space and tokens that stand twice
    ids, answering = probe(task)
    assert len(ids) == WINDOW and answering.sum() == WINDOW - UNPREDICTED_TOKENS
    run = LabRun(starting_recipe(task.name, layers=1, heads=1, d_model=4, batch=2))
    assert np.isfinite(run.step())


def test_rare_characters_become_one() -> None:
    common = "".join(map(chr, range(0x4E00, 0x4E00 + MOST_SYMBOLS - 1)))
    task = text_task(common * 3 + "xyz□")
    assert set(task.tokens) == {*common, RARE} and task.tokens[-1] == RARE and RARE in task.about


def test_a_text_is_cleaned() -> None:
    assert cleaned_text(" a\tb \u00a0 c\x00\r\n\r\n\x07 \n" + "d " * 60) == "a b c\n" + "d " * 59 + "d"
    assert cleaned_text("e\u0301" + "ab" * 60).startswith("éab")
    assert len(cleaned_text("ab" * (FEWEST_CHARACTERS // 2))) == FEWEST_CHARACTERS


def some_texts(count: int) -> list[str]:
    return [f"{number} {STORY}" for number in range(count)]


def test_the_text_that_was_used_longest_ago_is_let_go() -> None:
    shelf = PastedTexts(most=2)
    tasks = [text_task(text) for text in some_texts(3)]
    for task in tasks[:2]:
        shelf.keep(task, task.name)
    shelf.task(tasks[0].name)
    shelf.keep(tasks[2], tasks[2].name)
    assert shelf.task(tasks[0].name) is tasks[0] and shelf.task(tasks[2].name) is tasks[2]
    with pytest.raises(ValueError, match=r"This text is not here any more: paste it again\."):
        shelf.task(tasks[1].name)


def test_texts_are_bounded_by_bytes_and_the_last_one_stays() -> None:
    shelf = PastedTexts(most_bytes=600)
    tasks = [text_task(text) for text in some_texts(4)]
    for task in tasks[:3]:
        shelf.keep(task, "x" * 100)
    with pytest.raises(ValueError, match="not here any more"):
        shelf.task(tasks[0].name)
    shelf.keep(tasks[3], "x" * 5000)
    assert shelf.task(tasks[3].name) is tasks[3]


def test_another_text_under_the_same_name_is_refused() -> None:
    shelf, task = PastedTexts(), text_task(STORY)
    shelf.keep(task, STORY)
    with pytest.raises(ValueError, match="change a letter"):
        shelf.keep(task, STORY + "!")


@pytest.mark.parametrize("name", ["text-00000000", "text-", "text-xyz"])
def test_a_text_that_is_gone_is_named_so(name: str) -> None:
    for ask in (Recipe, task_named, starting_recipe, baselines):
        with pytest.raises(ValueError, match=r"This text is not here any more: paste it again\."):
            ask(name)


def test_a_run_goes_on_although_its_text_was_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    run = LabRun(starting_recipe(text_task(STORY).name, layers=1, heads=1, d_model=4, batch=2))
    monkeypatch.setattr(PASTED, "_texts", {})
    run.step()
    assert measure(run).step == 1


def test_many_threads_paste_at_once() -> None:
    shelf, tasks = PastedTexts(most=3), [text_task(text) for text in some_texts(6)]
    threads = [
        Thread(target=lambda: [shelf.keep(task, task.name) for _ in range(50) for task in tasks]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(shelf._texts) == 3


def trained(name: str, seed: int, *steps: int) -> list[Measured]:
    run, measurements = LabRun(starting_recipe(name, seed=seed)), []
    for step in steps:
        while run.steps < step:
            run.step()
        measurements.append(measure(run))
    return measurements


@pytest.mark.skipif(not NIGHTLY, reason="trains three runs, two minutes")
@pytest.mark.parametrize("seed", range(3))
def test_stories_are_learned_as_they_say(seed: int) -> None:
    at_100, at_500, at_2000 = trained("stories", seed, 100, 500, 2000)
    assert at_100.held_out_loss < baselines("stories").pairs
    assert best(at_500, "previous_token")[0] == 2 and best(at_500, "previous_token")[2] > 0.5
    assert at_2000.held_out_right > 0.5 and at_2000.held_out_loss < 1.65


@pytest.mark.skipif(not NIGHTLY, reason="trains three runs, a minute")
@pytest.mark.parametrize("seed", range(3))
def test_a_pasted_text_is_first_understood_and_then_known_by_heart(seed: int) -> None:
    task = text_task(long_text(5000))
    at_100, at_1000 = trained(task.name, seed, 100, 1000)
    assert at_100.held_out_loss < baselines(task.name).pairs < at_1000.held_out_loss
    assert at_1000.loss < 0.3


@pytest.mark.skipif(not NIGHTLY, reason="trains three runs, ten seconds")
@pytest.mark.parametrize("seed", range(3))
def test_a_short_text_is_known_by_heart_by_step_200(seed: int) -> None:
    (at_200,) = trained(text_task(STORY).name, seed, 200)
    assert at_200.held_out_right > 0.95


def test_a_text_with_an_equals_sign_has_no_question() -> None:
    task = text_task("x = 3 and y = 4, so that x + y = 7; " * 5)
    assert "=" in task.tokens and not task.has_question and list(examples(task))[:2] == ["the probe", "row 1"]
    with pytest.raises(ValueError, match="no question"):
        starting_recipe(task.name, architecture="encoder-decoder")
