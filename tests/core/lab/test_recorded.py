"""Recorded runs: recorded exactly through an interruption, published, and read again; and those that are shipped."""

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from core.lab.__main__ import main
from core.lab.cards import cards_text
from core.lab.findings import best_head, find_sums, first_step, formed
from core.lab.recipe import read_recipe
from core.lab.recorded import (
    MEASURED_FILE,
    RECORDED_FOLDER,
    STEPS_FILE,
    RecordedRun,
    kept_steps,
    publish,
    record,
    recorded_names,
    recorded_run,
)
from core.lab.recordings import RECORDINGS, Recording
from core.lab.run import LabRun
from core.text.broken_file import BrokenFile

TINY = Recording("add", "Sums", "add,layers=1,heads=1,d_model=8,batch=4,steps=50", find_sums)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("assets")
    folder = tmp_path_factory.mktemp("run")
    for _ in record(TINY, folder):
        pass
    publish(TINY, folder, out)
    return out


def test_kept_steps_are_closer_at_the_start() -> None:
    steps = kept_steps(1000)
    gaps = np.diff(steps)
    assert steps[0] == 0 and steps[-1] == 1000 and len(steps) == 34
    assert gaps.min() > 0 and gaps[-1] > 5 * gaps[0]


def test_an_interrupted_run_goes_on_exactly(tmp_path: Path, published: Path) -> None:
    for _ in islice(record(TINY, tmp_path, seconds=0), 20):
        pass
    for _ in record(TINY, tmp_path):
        pass
    publish(TINY, tmp_path, tmp_path / "out")
    whole, resumed = published / "add", tmp_path / "out" / "add"
    assert (whole / STEPS_FILE).read_bytes() == (resumed / STEPS_FILE).read_bytes()
    assert (whole / MEASURED_FILE).read_bytes() == (resumed / MEASURED_FILE).read_bytes()


def test_an_unfinished_run_is_not_published(tmp_path: Path) -> None:
    for _ in islice(record(TINY, tmp_path, seconds=0), 3):
        pass
    with pytest.raises(ValueError, match=r"at step \d of 50"):
        publish(TINY, tmp_path, tmp_path / "out")


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    for _ in islice(record(TINY, tmp_path, seconds=0), 3):
        pass
    other = Recording("add", "Sums", "add,layers=1,heads=1,d_model=8,batch=4,steps=60", find_sums)
    with pytest.raises(ValueError, match="another run"):
        next(record(other, tmp_path))


def test_a_published_run_is_read_again(published: Path) -> None:
    run = RecordedRun("add", published)
    assert run.recipe == read_recipe(TINY.recipe)
    assert run.steps == kept_steps(50) and run.seen
    assert {entry["step"] for entry in run.history} >= set(run.steps)
    trained = LabRun(run.recipe)
    while trained.steps < 50:
        trained.step()
    for name, value in run.model(50).named_parameters():
        assert torch.equal(value, trained.model.get_parameter(name).half().float())
    with pytest.raises(ValueError, match="is not kept"):
        run.model(49)


def test_a_damaged_run_says_so(published: Path, tmp_path: Path) -> None:
    folder = tmp_path / "add"
    folder.mkdir()
    for name in ("card.json", MEASURED_FILE, STEPS_FILE):
        (folder / name).write_bytes((published / "add" / name).read_bytes())
    card = json.loads((folder / "card.json").read_text())
    card["scores"]["recipe"]["d_model"] = 16
    (folder / "card.json").write_text(json.dumps(card))
    with pytest.raises(BrokenFile, match="does not fit"):
        RecordedRun("add", tmp_path).model(50)
    (folder / MEASURED_FILE).write_text("{")
    with pytest.raises(BrokenFile):
        RecordedRun("add", tmp_path)


def test_a_run_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no recorded run"):
        RecordedRun("nothing")


def test_the_command_lists_the_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in RECORDINGS)


def test_a_step_that_slips_back_is_not_the_first() -> None:
    history = [{"step": step, "right": right} for step, right in ((0, 0), (1, 1), (2, 0), (3, 1), (4, 1), (5, 1))]
    assert first_step(history, lambda entry: entry["right"] == 1) == 3
    assert first_step(history, lambda entry: entry["right"] == 2) is None


def test_heads_that_form_are_named() -> None:
    history = [
        {"step": step, "scores": {"induction": [[0.1, None], [0.2, score]]}} for step, score in ((0, 0.1), (9, 0.7))
    ]
    assert best_head(history[1], "induction") == (2, 2, 0.7)
    found = formed(history, "induction", "an induction head")
    assert found.step == 9 and "Head 2 of layer 2 is an induction head" in found.sentence
    assert formed(history[:1], "induction", "an induction head").step is None


@pytest.mark.parametrize("name", RECORDINGS)
def test_each_shipped_run_opens_and_was_made_from_its_recipe(name: str) -> None:
    run = recorded_run(name)
    assert run.recipe == read_recipe(RECORDINGS[name].recipe) and run.card.split == run.recipe.of.split
    assert name in recorded_names() and run.steps == kept_steps(run.recipe.steps)
    assert run.model(run.steps[-1]).config == run.recipe.config


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_was_seen_follows_from_the_files(name: str) -> None:
    run = recorded_run(name)
    assert run.seen == RECORDINGS[name].find(run.recipe.of, run.history, {step: run.model(step) for step in run.steps})


def test_the_document_has_each_card() -> None:
    """`python -m core.lab cards` writes them."""
    assert cards_text() in (RECORDED_FOLDER.parents[1] / "docs" / "lab.md").read_text(encoding="utf-8")


def test_the_shipped_runs_take_a_few_megabytes() -> None:
    assert sum(path.stat().st_size for path in RECORDED_FOLDER.rglob("*") if path.is_file()) < 12e6
