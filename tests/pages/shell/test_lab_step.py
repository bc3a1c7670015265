"""A step of a run in the lab as the model of a page: trained when it is opened, moved along its run, and refused with a
sentence where there is none."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.lab.live import measured_at, shades
from core.lab.recipe import read_recipe
from core.lab.recorded import recorded_run
from core.lab.run import LabRun
from core.lab.step_source import read_step
from core.topics.shared.run_from_choices import chosen_of
from pages.compute import lab_runs
from pages.compute.jobs import job_runner
from pages.compute.slots import BUSY_MESSAGE
from pages.shell import lab_step, url
from pages.shell.settings import RANDOM_WEIGHTS
from pages.widgets import plain
from tests.pages.conftest import Open
from tests.pages.screen import address_of, look, model_list, pictures, said

HEADS, BLOCK = "pages/attention/heads/page.py", "pages/transformer/block/page.py"
TRANSLATE = "pages/transformer/translate/page.py"
RECORDED = "recorded:induction-2-layers"
DIVERGES = "lab:sort,lr=1000000000,steps=50@50"
ROUNDING = 1e-6  # of a layer whose weights nobody asked for, and which is computed in one call


def slider(at: AppTest) -> Any:
    [found] = [each for each in at.select_slider if each.label == "Step of the training"]
    return found


def warned(at: AppTest) -> str:
    return " ".join(each.value for each in at.warning).replace("\\", "")


def test_the_patterns_of_a_page_are_those_that_the_lab_measures(open_page: Open) -> None:
    at = open_page(HEADS, model="lab:induction@400")
    [measured] = measured_at(read_recipe("induction"), 400)
    assert not at.error and not at.warning and at.session_state["visit"].run.source.address == "lab:induction@400"
    [grid] = pictures(at, "heads-grid")
    kept = measured.patterns.astype(np.float16).astype(np.float32)  # as the overview keeps them
    assert np.array_equal(grid["values"][0], shades(kept))
    for layer, head in np.ndindex(2, 2):
        look(at, layer=str(layer + 1), head=str(head + 1))
        [matrix] = pictures(at, "heads-matrix")
        shown = np.where(np.isfinite(matrix["values"][0]), matrix["values"][0], 0)  # −∞ is striped
        assert np.abs(shown - measured.patterns[layer, head]).max() < ROUNDING


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lab:sort,steps=10@11", "This run has steps 0 to 10; there is no step 11."),
        ("lab:sort,heads=99@1", "heads can be from 1 to 16, not 99."),
        ("lab:gone@1", "There is no task “gone”"),
        (f"{RECORDED}@123", "Step 123 of induction-2-layers is not kept; step 127 is."),
        ("recorded:gone@1", "There is no recorded run “gone”"),
        ("lab:sort", "is no step of a run in the lab."),
    ],
)
def test_an_address_without_a_step_is_refused_in_one_sentence(name: str, words: str, open_page: Open) -> None:
    at = open_page(HEADS, model=name)
    assert words in warned(at) and warned(at).count("Model cannot be") == 1
    assert not at.error and pictures(at, "heads-grid") and "model" not in address_of(at)


def test_a_run_that_diverges_says_when_and_offers_its_last_good_step(open_page: Open) -> None:
    at = open_page(HEADS, model=DIVERGES)
    [error] = at.error
    assert error.value.startswith("At step 1 ") and error.value.endswith("Step 0 is the last good one.")
    assert at.text_input(key="t") and slider(at).value == 50 and at.main.get("page_link")
    at.button(key="lab-step-last").click().run()
    assert not at.exception and not at.error and pictures(at, "heads-grid")
    assert address_of(at)["model"] == DIVERGES.replace("@50", "@0")


def test_a_pinned_run_that_diverges_is_said_beside_the_page(open_page: Open) -> None:
    at = open_page(HEADS, model="lab:sort,steps=50@0", pin_model=DIVERGES)
    assert not at.error and pictures(at, "heads-grid")
    assert any("What is pinned cannot be shown: At step 1" in each.value.replace("\\", "") for each in at.info)


def test_the_slider_moves_along_the_run_and_other_pages_keep_the_step(open_page: Open) -> None:
    at = open_page(HEADS, model=f"{RECORDED}@3000")
    slider(at).set_value(500).run()
    assert not at.exception and at.session_state["model"] == address_of(at)["model"] == f"{RECORDED}@500"
    assert "Induction with two layers, step 500" in model_list(at).options
    assert at.session_state["visit"].run.source.address == f"{RECORDED}@500"
    at.switch_page(BLOCK).run()
    assert slider(at).value == 500 and address_of(at)["model"] == f"{RECORDED}@500"
    at.switch_page(TRANSLATE).run()
    shown_instead = [each.value.replace("\\", "") for each in at.caption if "This page is about" in each.value]
    assert "Other pages show what you chose: “Induction with two layers, step 500”" in shown_instead[0]
    assert not at.error and not [each for each in at.select_slider if each.label == "Step of the training"]
    at.switch_page(HEADS).run()
    assert slider(at).value == 500 and not at.exception and not at.error


def test_back_and_undo_return_to_the_step_before(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    at = open_page(HEADS, model=f"{RECORDED}@3000")
    slider(at).set_value(500).run()
    assert at.session_state["visit"].steps == 1  # which Back can take back
    with monkeypatch.context() as back:
        back.setattr(url, "history_query", lambda: f"model={RECORDED}@3000".replace(":", "%3A").replace("@", "%40"))
        at.run()
    assert slider(at).value == 3000 and at.session_state["visit"].run.source.address == f"{RECORDED}@3000"
    slider(at).set_value(16).run()
    at.button(key="undo-last").click().run()
    assert slider(at).value == 3000 and address_of(at)["model"] == f"{RECORDED}@3000"


def test_a_training_that_was_stopped_begins_again_when_it_is_asked_for(open_page: Open) -> None:
    name = "lab:repeat,steps=60,seed=77@7"
    at = open_page(HEADS, model="lab:repeat,steps=60,seed=77@0")
    at.session_state["visit"].stopped = (lab_step.JOB, name)  # as after a click on Stop
    look(at, model=name)
    run = lab_runs.live_run(read_recipe("repeat,steps=60,seed=77"))
    assert ":material/stop: You stopped this." in said(at) and not pictures(at, "heads-grid") and run.reached == 0
    at.button(key="going-again").click().run()
    assert not at.exception and pictures(at, "heads-grid") and run.reached == 7
    assert "You stopped this" not in said(at) and not at.session_state["visit"].jobs


def test_a_run_that_is_there_is_not_trained_twice(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    step = LabRun.step

    def counted(run: LabRun) -> float:
        steps.append(run.steps)
        return step(run)

    monkeypatch.setattr(LabRun, "step", counted)
    at = open_page(HEADS, model="lab:repeat,steps=60,seed=78@5")
    look(at, model="lab:repeat,steps=60,seed=78@8")
    at.switch_page(BLOCK).run()
    assert not at.exception and steps == list(range(8))


def test_the_step_before_is_not_trained_to_describe_a_change(open_page: Open) -> None:
    """It was stopped, and a visitor who goes on to a step that is there should not wait for it after all."""
    far = "lab:repeat,steps=9000,seed=79@9000"
    at = open_page(HEADS, model="lab:repeat,steps=9000,seed=79@0")
    at.session_state["visit"].stopped = (lab_step.JOB, far)
    look(at, model=far)
    look(at, model="lab:repeat,steps=9000,seed=79@2")
    assert pictures(at, "heads-grid") and lab_runs.live_run(read_recipe("repeat,steps=9000,seed=79")).reached == 2
    pinned = look(at, model="lab:repeat,steps=9000,seed=79@0")
    pinned.session_state["visit"].pins = {"pin-model": [far]}
    pinned.run()
    assert any("Open the step as the model once" in each.value for each in pinned.info) and not pinned.error


def test_its_card_says_how_it_was_trained(open_page: Open) -> None:
    at = open_page(HEADS, model="lab:sort,steps=50@10")
    at.button(key="model-card").click().run()
    [table] = at.table
    rows = {row[0]: row[1] for row in table.value.to_numpy().tolist()}
    assert rows["Training"].replace("\\", "") == "10 steps, from seed 0."
    assert rows["What it does"].replace("\\", "").endswith("in order.") and ".." not in str(rows)
    assert [each.value for each in at.code] == ["python -m core.lab train sort,steps=50 --step 10"]
    assert read_step(f"{RECORDED}@500").open()[0].card.minutes == 0
    assert read_step(f"{RECORDED}@3000").open()[0].card.minutes == recorded_run("induction-2-layers").card.minutes > 0


@pytest.mark.parametrize("name", [f"{RECORDED}@500", "recorded:add@4000"])
def test_its_sizes_can_be_those_of_random_weights(name: str, open_page: Open) -> None:
    at, trained = open_page(HEADS, model=name), read_step(name).open()[0]
    look(at, model=RANDOM_WEIGHTS, **chosen_of(trained.config))  # as “Build an untrained model” sets them
    run = at.session_state["visit"].run
    assert not at.exception and not at.error and run.source is None and address_of(at)["model"] == RANDOM_WEIGHTS
    assert run.config.hidden_width == trained.config.hidden_width and run.config.d_model == trained.config.d_model
    at = open_page(HEADS, model=name)
    at.button(key="pin-weights").click().run()
    assert not at.exception and not at.error and len(pictures(at, "beside-patterns")) == 1


def test_a_step_that_cannot_be_trained_now_is_refused_in_one_sentence(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_runner(), "_max_jobs", 0)  # as if too many jobs ran
    at = open_page(HEADS, model="lab:repeat,steps=60,seed=81@5")
    [error] = at.error
    assert not at.exception and error.value == plain(BUSY_MESSAGE) and not pictures(at, "heads-grid")
