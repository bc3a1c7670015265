"""The page The lab: a run that learns, goes back, and ends; settings that make no model; and steps that diverge."""

from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
import torch

from core.charts.positions_lines import MOST_LINES
from core.device import Placement
from core.lab import texts
from core.lab.failures import FAILURES, Failure, diagnosis_at
from core.lab.live import measured_at, trained_to, update_after
from core.lab.recipe import read_recipe, starting_recipe, write_recipe
from core.lab.recorded import recorded_run
from core.lab.step_source import LabStep
from core.lab.tasks import TASKS
from core.lab.texts import text_task
from core.lab.update import AdamW, WeightUpdate
from core.readings.words import number, percent
from core.registry import ModelRegistry
from core.text.labels import head_label
from core.tracing.run import Run
from pages.canvas import Matrices
from pages.shell.view import Shown
from pages.transformer.lab import failing, kept_run, one_update, over_time, settings, training
from pages.transformer.lab.page import PAGE
from pages.transformer.lab.parts import recipe_of
from pages.widgets import (
    Button,
    Chart,
    Download,
    Listing,
    Message,
    Numbers,
    Setting,
    Values,
)
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, path_of
from tests.pages.screen import look, said
from tests.pages.transformer.lab.views import SMALL, parts, player, shown, words_of


def test_answers_turn_right_and_the_sentence_says_at_which_step(run: Run) -> None:
    assert "Nothing has been learned yet" in shown(run, "train one", SMALL).said[0]
    found = shown(run, "train one", SMALL | {settings.STEP: 120})
    assert player(found).have == 120 and found.said[0].startswith("Learned: at step ")


@pytest.mark.parametrize(
    "wrong", [{settings.WIDTH: "1", settings.HEADS: "16"}, {settings.WIDTH: "32", settings.HEADS: "3"}]
)
@pytest.mark.parametrize("view", [view.name for view in PAGE.views if view.name != "recorded runs"])
def test_settings_that_make_no_model_give_a_sentence(run: Run, view: str, wrong: dict[Any, Any]) -> None:
    (message,) = shown(run, view, wrong).pictures
    assert isinstance(message, Message) and "is not divisible by" in message.text


def test_a_run_that_diverges_says_where_and_keeps_the_last_good_step(run: Run) -> None:
    wild = {settings.RATE: "1000000000", settings.WIDTH: "16", settings.HEADS: "2", settings.LAYERS: "2"}
    found = shown(run, "train one", wild | {settings.STEP: 500})
    messages = [part.text for part in found.pictures if isinstance(part, Message)]
    assert messages and "is not finite any more" in messages[0]
    assert player(found).over and f"Step {player(found).have:,} is the last good one" in messages[0]


def test_a_task_brings_its_own_settings(open_page: Open) -> None:
    at = open_page(path_of(PAGE))
    assert at.selectbox(key=settings.LAYERS.key).value == "3"
    at.selectbox(key=settings.TASK.key).set_value("induction").run()
    assert (
        at.selectbox(key=settings.LAYERS.key).value == "2"
        and at.selectbox(key=settings.POSITIONS.key).value == "rotary"
    )
    assert not at.exception


@pytest.mark.parametrize("architecture", settings.ARCHITECTURE.options)
@pytest.mark.parametrize("matrix", settings.MATRIX.options)
def test_an_update_is_that_of_the_run(run: Run, matrix: str, architecture: str) -> None:
    asked = {settings.MATRIX: matrix, settings.STEP: 3, settings.ROW: 999, settings.ARCHITECTURE: architecture}
    found = shown(run, "one update", SMALL | asked)
    two_stacks = architecture == "encoder-decoder"
    if matrix.startswith("cross") and not two_stacks:
        assert any("There is no weight" in words for words in words_of(found))
        return
    assert "w  = " in found.arithmetic
    if found.said[0] != "In step 4 no position pulls at this weight: its gradient is 0.":
        assert found.said[0].startswith("Together the positions pull this weight ")
        assert found.said[1].startswith("Step 4 takes it from ") and "The strongest pull, " in found.said[1]
    assert "rows and" in str(found.notes[0])
    assert bool(found.notes[1]) == (two_stacks and matrix in ("embedding", "positions"))


@pytest.mark.parametrize(
    ("gradient", "m_before", "said"),
    [
        (-1.0, 0.0, "Together the positions pull this weight up, so the next step raises it a little."),
        (1.0, 0.0, "Together the positions pull this weight down, so the next step lowers it a little."),
        (-1.0, 99.0, "Together the positions pull this weight up, but the next step still lowers it."),
    ],
)
def test_the_sentence_on_an_update_says_which_way_the_weight_goes(gradient: float, m_before: float, said: str) -> None:
    adam = AdamW(2, 0.1, 0.9, 0.99, 1e-8, 0.0, 0.5, gradient, m_before, 1.0)
    update = WeightUpdate("w", (0, 0), np.array([[0.25, 0.75]]) * gradient, 1.0, adam, np.eye(2), np.eye(2))
    assert one_update._said(update)[0] == said
    tiles = one_update._directions(one_update._pulls_of(update)).tokens
    assert [tile.piece for tile in tiles] == ["↑" if gradient < 0 else "↓"] * 2
    assert [tile.shade for tile in tiles] == pytest.approx([1 / 3, 1])


def test_a_kept_run_is_drawn_beside_this_one_with_what_differs(run: Run) -> None:
    kept = write_recipe(starting_recipe("repeat", lr=0.01, layers=1))
    found = shown(run, "train one", SMALL | {settings.STEP: 40, settings.KEPT_RUN: kept})
    (table,) = [part.table for part in parts(found) if isinstance(part, Numbers) and part.key == "lab-differences"]
    assert isinstance(table, Listing)
    assert dict(table.columns) == {"what differs": ["Layers"], "this run": ["2"], "the kept run": ["1"]}
    chart = next(part for part in parts(found) if isinstance(part, Chart) and part.key == "lab-loss")
    line = chart.data[chart.data["line"] == "the kept run"]
    expected = measured_at(starting_recipe("repeat", lr=0.01, layers=1), 20, 40)
    drawn = dict(zip(line["x"], line["y"], strict=True))
    for measured in expected:
        assert drawn[measured.step] == pytest.approx(measured.held_out_loss, rel=1e-6)


def test_a_kept_run_that_is_no_recipe_gives_a_sentence_and_leaves_the_rest(run: Run) -> None:
    found = shown(run, "train one", SMALL | {settings.STEP: 5, settings.KEPT_RUN: "repeat,colour=red"})
    assert any("is no setting of a run" in words for words in words_of(found))
    assert player(found).have == 5


@pytest.mark.parametrize("failure", FAILURES.values(), ids=list(FAILURES))
def test_the_button_of_a_failure_sets_up_that_run_and_keeps_the_healthy_one(run: Run, failure: Failure) -> None:
    set_up = failing._sets_up(failure)
    by_key = {setting.key: setting for setting in settings.SETTINGS}
    values = Values({by_key[key]: value for key, value in set_up.items()})
    assert recipe_of(values) == failure.failing
    assert kept_run.kept_recipe(values, failure.failing) == read_recipe(failure.healthy)
    assert failing.said(failure.failing, measured_at(failure.failing, 0)) == [
        f"This run is set up to fail: {failure.title[0].lower()}{failure.title[1:]}. Press Play."
    ]


def test_a_run_that_fails_says_so_before_its_numbers() -> None:
    failure = FAILURES["no-positions"]
    headline, said = failing.said(failure.failing, measured_at(failure.failing, 20))
    assert headline == "This run is set up to fail: reverse without positions."
    assert said.startswith("At step 20, ") and said.endswith("% of the unseen rows are right.")


def test_the_head_with_the_highest_score_is_named() -> None:
    names = ["layer 1 · head 1", "layer 1 · head 2"]
    assert over_time._said(2000, "previous token", "the token before", names, np.array([0.25, 0.5]), False) == [
        "Layer 1 · head 2 has 50% of its weight on the token before; no other head has more.",
        "That is its score “previous token” at step 2,000.",
    ]
    assert over_time._said(0, "induction", "x", names, np.zeros(2), True) == [
        "The row of this task has no place for the score “induction”."
    ]


def test_a_run_that_fails_says_which_tensor_shows_why_and_leads_to_it(run: Run) -> None:
    failure = FAILURES["no-positions"]
    by_key = {setting.key: setting for setting in settings.SETTINGS}
    asked = {by_key[key]: value for key, value in failing._sets_up(failure).items()} | {settings.STEP: 20}
    found = shown(run, "train one", asked)
    diagnosis = diagnosis_at(failure.failing, 20, failure.name)
    assert f"Why it fails: {diagnosis.sentence}" in words_of(found)
    assert any(isinstance(part, Button) and part.label == "Look at these numbers" for part in parts(found))


def test_a_downloaded_step_is_a_checkpoint(run: Run, tmp_path: Path) -> None:
    found = shown(run, "train one", SMALL | {settings.STEP: 15})
    (download,) = [part for part in parts(found) if isinstance(part, Download)]
    ZipFile(BytesIO(download.make())).extractall(tmp_path)
    assert download.file_name == "lab-repeat-15.zip"
    registry = ModelRegistry(tmp_path)
    (name,) = registry.names()
    expected = trained_to(starting_recipe("repeat", lr=0.01), 15).weights()
    weights = registry.source(name).load(Placement("cpu", "float32")).state_dict()
    assert all(torch.equal(weights[key], value.half().float()) for key, value in expected.items())


def test_a_click_on_a_weight_takes_it_apart(run: Run) -> None:
    found = shown(run, "one update", SMALL | {settings.STEP: 3})
    picture = next(part for part in parts(found) if isinstance(part, Matrices))
    assert picture.sets is not None
    picked = picture.sets("gradient", 2, 5)
    again = shown(run, "one update", SMALL | {settings.STEP: 3, settings.ROW: 2, settings.COLUMN: 5})
    assert picked == {settings.ROW.key: 2, settings.COLUMN.key: 5}
    update = update_after(starting_recipe("repeat", lr=0.01), 3, "decoder.0.attn.w_q.weight", 2, 5)
    assert np.array_equal(picture.panels[0].values, update.weights)
    assert picture.panels[1].values[2, 5] == pytest.approx(update.gradient, rel=1e-4)
    assert f"g  = sum of {update.contributions.size} parts = {number(update.gradient)}" in again.arithmetic


@pytest.mark.parametrize("score", settings.SCORE_NAMES)
def test_a_heads_score_is_the_mean_of_the_outlined_cells(run: Run, score: str) -> None:
    asked = {settings.STEP: 10, settings.SCORE: score, settings.OF_LAYER: 2, settings.OF_HEAD: 2}
    found = shown(run, "heads over time", SMALL | asked)
    (measured,) = measured_at(starting_recipe("repeat", lr=0.01), 10)
    expected = float(measured.scores.scores[settings.SCORE_NAMES[score]][1, 1])
    if np.isnan(expected):
        assert "has no cell that counts" in found.arithmetic
    else:
        assert found.arithmetic.endswith(f"= {number(expected)}")


def scored(found: Shown) -> dict[str, Any]:
    """The measured lines of the chart of scores: their points, by the name of the line."""
    (chart,) = [part for part in found.pictures if isinstance(part, Chart) and part.key == "lab-scores"]
    measured = chart.data[~chart.data["theory"]]
    return {str(name): dict(zip(rows["x"], rows["y"], strict=True)) for name, rows in measured.groupby("line")}


@pytest.mark.parametrize("step", [0, 20])
def test_every_head_of_the_first_task_has_a_line(run: Run, step: int) -> None:
    recipe = starting_recipe("sort")
    lines = scored(shown(run, "heads over time", {settings.STEP: step}))
    (measured,) = measured_at(recipe, step)
    for layer, head in np.ndindex(recipe.layers, recipe.heads):
        expected = np.nan_to_num(measured.scores.scores["previous_token"])[layer, head]
        assert lines[head_label(layer, head)][step] == pytest.approx(expected, abs=1e-6)
    assert len(lines) == recipe.layers * recipe.heads


@pytest.mark.parametrize("score", settings.SCORE_NAMES)
def test_before_the_first_step_the_view_opens_with_a_recorded_run(run: Run, score: str) -> None:
    """The sentence names the head of the recorded run whose score grew most, and is gone when there is a step."""
    found = shown(run, "heads over time", SMALL | {settings.SCORE: score})
    (chart,) = [part for part in found.pictures if isinstance(part, Chart) and part.key == "lab-recorded-scores"]
    name = settings.SCORE_NAMES[score]
    history = recorded_run(over_time.RECORDED_RUN).history
    first, last = (np.array(entry["scores"][name], dtype=float) for entry in (history[0], history[-1]))
    grown, headline = np.nan_to_num(last - first, nan=-1), found.said[0]
    assert chart.data["x"].max() == history[-1]["step"]
    if name in ("previous_token", "induction"):
        layer, head = map(int, np.unravel_index(grown.argmax(), grown.shape))
        assert f"{head_label(layer, head)} learned by itself" in headline
        assert headline.endswith(f"from {percent(first[layer, head])} to {percent(last[layer, head])}.")
    else:
        assert ("learned by itself" in headline) == (np.isfinite(last).any() and grown.max() >= over_time.LEARNED)
    later = shown(run, "heads over time", SMALL | {settings.SCORE: score, settings.STEP: 10})
    assert "recorded run" not in later.said[0]


def test_of_many_heads_the_one_that_the_sentence_names_is_drawn(run: Run) -> None:
    scores = np.zeros((2, 40))
    scores[0, 20:] = np.linspace(0.6, 0.9, 20)
    scores[1, 3] = 0.5
    drawn = over_time._drawn(scores)
    assert 3 in drawn and set(drawn) - {3} == set(range(40 - over_time.MOST_HEADS + 1, 40))
    found = shown(run, "heads over time", {settings.TASK: "repeat", settings.LAYERS: "4", settings.HEADS: "4"})
    assert len(scored(found)) == over_time.MOST_HEADS and "Of 16 heads the 12 with the highest" in str(found.notes)


def test_no_two_lines_of_the_gradient_have_one_colour(run: Run) -> None:
    largest = {settings.TASK: "reverse", settings.ARCHITECTURE: "encoder-decoder", settings.LAYERS: "8"}
    for by in settings.NORMS_BY.options:
        found = shown(run, "heads over time", largest | {settings.NORMS_BY: by})
        (chart,) = [part for part in parts(found) if isinstance(part, Chart) and part.key == "lab-gradient"]
        assert 8 < chart.data["line"].nunique() <= MOST_LINES


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("repeat", ["guessing: 2.40", "only the token before: 2.31"]),
        ("stories", ["guessing: 3.61", "only the letter before: 2.38"]),
    ],
)
def test_the_dashed_lines_are_named_in_plain_words(run: Run, task: str, names: list[str]) -> None:
    found = shown(run, "train one", {settings.TASK: task})
    chart = next(part for part in parts(found) if isinstance(part, Chart) and part.key == "lab-loss")
    assert list(chart.data.loc[chart.data["theory"], "line"].unique()) == names


def test_a_special_token_in_an_answer_is_shown_as_on_every_page() -> None:
    assert training._text(TASKS["sort"], ["<s>", "6", "<unk>"]) == "(start) 6 (unknown)"
    assert training._text(TASKS["stories"], ["a", "␣", "</s>"]) == "a (end)"


def test_a_text_that_holds_nothing_out_is_not_called_unseen(open_page: Open) -> None:
    at = open_page(path_of(PAGE), **OWN)
    at.text_area[0].set_value(RHYME).run()
    at.number_input(key=settings.STEP.key).set_value(10).run()
    kept = write_recipe(starting_recipe(text_task(RHYME).name, layers=1))
    look(at, **{settings.KEPT_RUN.key: kept})
    assert "Tokens right in rows of the text" in str([caption.value for caption in at.caption])
    assert "nseen rows" not in said(at) + str([caption.value for caption in at.caption]) and not at.exception


def test_an_encoder_decoder_translates_on_the_page_translate(open_page: Open) -> None:
    recipe = starting_recipe("reverse", architecture="encoder-decoder", steps=200)
    at = open_page(path_of(BY_ADDRESS["translate"]), model=LabStep(recipe, 200).address)
    run = at.session_state["visit"].run
    assert (run.text, run.target) == ("c a f e b d", "d b e f a c") and not at.error and not at.exception


def test_a_page_that_writes_on_opens_with_the_question(open_page: Open) -> None:
    name = LabStep(starting_recipe("reverse", steps=150), 150).address
    at = open_page(path_of(BY_ADDRESS["generate"]), model=name, **{"generate-temperature": "0"})
    assert at.session_state["visit"].run.text == "c a f e b d →"
    assert open_page(path_of(BY_ADDRESS["heads"]), model=name).session_state["visit"].run.text.endswith("d b e f a c")


OWN: dict[str, str] = {settings.TASK.key: settings.OWN}
RHYME = "the town has a road, and the road has a cart, and the cart has a wheel. " * 20


def test_a_pasted_text_is_learned_character_by_character(open_page: Open) -> None:
    at = open_page(path_of(PAGE), **OWN)
    assert "press Play" in said(at) and at.text_area[0].value == settings.OWN_TEXT.default
    at.text_area[0].set_value(RHYME).run()
    at.number_input(key=settings.STEP.key).set_value(60).run()
    assert not at.exception
    (expected,) = measured_at(starting_recipe(text_task(RHYME).name), 60)
    table = next(frame for frame in (element.value for element in at.dataframe) if "it writes" in frame)
    assert table["it writes"][0] == "".join(expected.answers[0].given).replace("␣", " ")


@pytest.mark.parametrize(
    ("text", "words"), [("", "paste one"), ("aaaa " * 40, "no other character"), ("🙂", "no other character")]
)
def test_a_text_that_cannot_be_learned_from_gives_a_sentence_and_keeps_the_box(
    open_page: Open, text: str, words: str
) -> None:
    at = open_page(path_of(PAGE), **OWN)
    at.text_area[0].set_value(text).run()
    (message,) = [info.value for info in at.info]
    assert words in message and at.text_area[0].value == text and not at.exception
    at.text_area[0].set_value(RHYME).run()
    assert not at.info and not at.exception


def test_stories_that_cannot_be_read_give_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts.story_parts.cache_clear()
    monkeypatch.setattr(texts, "MEASURED_FOLDER", tmp_path)
    found = shown(run, "train one", {settings.TASK: "stories", settings.SEED: 77})
    assert any("is missing" in words for words in words_of(found)), words_of(found)
    texts.story_parts.cache_clear()


def test_of_a_text_the_share_of_right_characters_is_drawn(run: Run) -> None:
    found = shown(run, "train one", {settings.TASK: "stories", settings.STEP: 20})
    chart = next(part for part in parts(found) if isinstance(part, Chart) and part.key == "lab-exact")
    drawn = chart.data[chart.data["line"] == "unseen rows"]
    (expected,) = measured_at(starting_recipe("stories"), 20)
    assert dict(zip(drawn["x"], drawn["y"], strict=True))[20] == pytest.approx(expected.held_out_right)


def test_a_run_that_fails_is_set_up_whatever_was_on_the_screen_before(open_page: Open) -> None:
    at = open_page(path_of(PAGE))
    at.button(key="lab-fails-too-fast").click().run()
    assert at.selectbox(key=settings.LENGTH.key).value == "1000" and at.selectbox(key=settings.RATE.key).value == "0.03"
    at.number_input(key=settings.STEP.key).set_value(60).run()
    assert "This run is set up to fail" in said(at) and "Learned" not in said(at)


def test_the_numbers_behind_a_failure_are_those_of_its_layer(open_page: Open) -> None:
    at = open_page(path_of(PAGE))
    at.button(key="lab-fails-no-positions").click().run()
    at.number_input(key=settings.STEP.key).set_value(20).run()
    at.button(key="lab-tensor").click().run()
    assert at.session_state["model"] == "lab:reverse,positions=none,steps=600@20"
    assert at.session_state["layer"] == "1" and at.session_state["heads-view"] == "Q, K, V"


@pytest.mark.parametrize("setting", [settings.TASK, settings.LAYERS, settings.BATCH])
def test_another_run_begins_at_its_first_step(open_page: Open, setting: Setting) -> None:
    at = open_page(path_of(PAGE), **{settings.STEP.key: "10"})
    assert at.number_input(key=settings.STEP.key).value == 10
    at.selectbox(key=setting.key).set_value(setting.options[1]).run()
    assert at.number_input(key=settings.STEP.key).value == 0 and "press Play" in said(at)
