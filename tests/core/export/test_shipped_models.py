"""Scripts of the shipped models, run in a fresh process without this project, give the core's numbers and a picture."""

import ast
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked
from core.export.bundle import files, zipped
from core.export.caption import caption
from core.export.dialect import DIALECTS, Dialect
from core.export.script import cells, joined, script
from core.model.masks import PaddingMask
from core.model.transformer import Transformer
from core.topics.generate.views import lens
from core.topics.shared.open_run import class_layer, open_run, run_of_model
from core.topics.shared.places import HeadAddress
from core.tracing.edits import Edit, ablate_head
from tests.core.export.written import assert_same, run_alone, truth, write

STORY = "Once upon a time there was a little girl"
LONGEST = 120  # lines
KINDS = (PATTERN, HEAD_SCORES, HEAD_VECTORS, LENS, GUESSES)
ENCODERS = ("reader", "sentiment", "sentiment-reader")  # no layer of theirs says a next piece
PLACES = {
    "storyteller": (STORY, "", HeadAddress("decoder", 3, 0)),
    "storyteller-small": (STORY, "", HeadAddress("decoder", 1, 3)),
    "translator": ("The black cat sleeps.", "Le chat noir", HeadAddress("decoder", 1, 2, cross=True)),
    "reader": ("The king [MASK] his daughter.", "", HeadAddress("encoder", 2, 5)),
    "sentiment": ("A dull film, and a fine cast.", "", HeadAddress("encoder", 0, 1)),
    "sentiment-reader": ("A dull film, and a fine cast.", "", HeadAddress("encoder", 6, 1)),
    "toy-copy": ("abcabc", "", HeadAddress("decoder", 1, 1)),
    "toy-reverse": ("abcd", "dcb", HeadAddress("decoder", 1, 0, cross=True)),
    "toy-sort": ("dbca", "abc", HeadAddress("encoder", 1, 0)),
}


def asked_of(name: str) -> tuple[Asked, Transformer]:
    text, target, place = PLACES[name]
    run = run_of_model(name, text, target)
    model, tokenizer = open_run(run)
    return Asked(run, place, tokenizer, class_layer(run)), model


def whole(asked: Asked, dialect: Dialect) -> str:
    """The script without the drawing of its figure, which takes a second."""
    return joined({name: text for name, text in cells(asked, dialect).items() if name != "figure"})


@pytest.mark.parametrize("name", PLACES)
def test_numbers_of_a_fresh_process(tmp_path: Path, name: str):
    asked, model = asked_of(name)
    write(tmp_path, asked, model)
    for dialect in DIALECTS:
        (tmp_path / "numbers.py").write_text(whole(asked, dialect))
        printed = run_alone(tmp_path, "numbers.py")
        assert_same(tmp_path, asked, model)
        first, *_, last = printed.strip().splitlines()
        assert len(last.split()) == 1 + len(asked.tokens[1]), (
            "a row of the pattern: its token and one number for each key"
        )
        if asked.classes is not None:
            assert first.startswith("negative: ")
        elif "decoder" in asked.config.stacks:
            assert first.startswith("The next piece: ")
        else:
            assert first.startswith("The hidden piece: ")


@pytest.mark.parametrize("name", ["storyteller", "translator", "reader", "sentiment"])
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_script_of_guesses_prints_the_likeliest_with_the_cores_probabilities(
    tmp_path: Path, dialect: Dialect, name: str
) -> None:
    asked, model = asked_of(name)
    asked = replace(asked, draws=GUESSES)
    write(tmp_path, asked, model)
    said, *rows = run_alone(tmp_path, f"{dialect.key}_run.py").strip().splitlines()
    assert_same(tmp_path, asked, model)
    p = np.atleast_2d(truth(asked, model)["p"])[0]
    if asked.classes is None:
        best = np.argsort(-p)[:10]
        expected = dict(zip(asked.tokenizer.target.labels(best.tolist()), p[best].tolist(), strict=True))
    else:
        expected = dict(zip(asked.classes.labels, p.tolist(), strict=True))
    printed = {name.strip(): float(share) for name, share in (row.rsplit(" ", 1) for row in rows)}
    assert printed == pytest.approx(expected, abs=6e-4)
    assert said == caption(asked) and said.startswith("Probabilities of the ") and "reading “" in said
    assert len(script(asked, dialect).splitlines()) <= LONGEST
    with Image.open(tmp_path / "slide.png") as picture:
        assert picture.size == (1280, 720) and picture.info["Description"] == said


def printed_numbers(printed: str) -> list[list[float]]:
    """The numbers to three decimals in each line that a script printed, but the caption."""
    return [[float(number) for number in re.findall(r"-?\d+\.\d{3}\b", line)] for line in printed.splitlines()[1:]]


@pytest.mark.parametrize("name", ["storyteller", "translator", "reader", "sentiment"])
@pytest.mark.parametrize("draws", [HEAD_SCORES, HEAD_VECTORS])
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_script_of_scores_or_vectors_prints_the_cores(
    tmp_path: Path, dialect: Dialect, name: str, draws: str
) -> None:
    asked, model = asked_of(name)
    asked = replace(asked, draws=draws)
    write(tmp_path, asked, model)
    printed = run_alone(tmp_path, f"{dialect.key}_run.py")
    assert_same(tmp_path, asked, model)
    found, place = truth(asked, model), asked.place
    names = ["scores"] if draws == HEAD_SCORES else ["Q", "K", "V"]
    expected = [row for name in names for row in found[f"{place.prefix}{name}"][place.head].tolist()]
    lines = printed_numbers(printed.partition(caption(asked))[2])
    assert len(lines) == len(expected)
    for line, row in zip(lines, expected, strict=True):
        assert line == pytest.approx(row, abs=6e-4)
    with Image.open(tmp_path / "slide.png") as picture:
        assert picture.size == (1280, 720) and picture.info["Description"] == caption(asked)


@pytest.mark.parametrize("name", ["storyteller", "translator"])
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_script_of_the_logit_lens_prints_what_each_layer_would_say(
    tmp_path: Path, dialect: Dialect, name: str
) -> None:
    asked, model = asked_of(name)
    asked = replace(asked, draws=LENS)
    write(tmp_path, asked, model)
    said, *lines = run_alone(tmp_path, f"{dialect.key}_run.py").strip().splitlines()
    assert_same(tmp_path, asked, model)
    ids = asked.inputs.rows["decoder"].ids
    shown = lens(model, asked.tokenizer, asked.run, ids)
    assert said == caption(asked) and len(lines) == len(ids)
    for at, line in enumerate(lines):
        token, *cells = line.split(" | ")
        assert token.strip() == shown.pieces[at]
        guesses = [cell.rsplit(" ", 1) for cell in cells]
        assert [piece for piece, _ in guesses] == [layer[at] for layer in shown.best]
        assert [float(share) for _, share in guesses] == pytest.approx(shown.probability[:, at].tolist(), abs=6e-4)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
@pytest.mark.parametrize("draws", [HEAD_SCORES, HEAD_VECTORS, LENS])
def test_a_head_switched_off_changes_what_every_kind_draws(tmp_path: Path, dialect: Dialect, draws: str) -> None:
    asked, model = asked_of("storyteller")
    whole_run = replace(asked, draws=draws)
    off = replace(whole_run, run=replace(asked.run, edits=(ablate_head(asked.config, 2, 0),)))
    write(tmp_path, off, model)
    (tmp_path / "numbers.py").write_text(whole(off, dialect))
    run_alone(tmp_path, "numbers.py")
    assert_same(tmp_path, off, model)
    with pytest.raises(AssertionError):
        assert_same(tmp_path, whole_run, model)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_a_script_of_guesses_draws_every_hidden_piece(tmp_path: Path, dialect: Dialect) -> None:
    asked, model = asked_of("reader")
    asked = replace(asked, run=replace(asked.run, text="The [MASK] [MASK] his daughter."), draws=GUESSES)
    assert len(asked.hidden) == 2
    write(tmp_path, asked, model)
    _, *lines = run_alone(tmp_path, f"{dialect.key}_run.py").strip().splitlines()
    assert_same(tmp_path, asked, model)
    assert len(lines) == 22 and [lines[0], lines[11]] == [f"Token {position}" for position in asked.hidden]
    for start, p in zip((1, 12), truth(asked, model)["p"], strict=True):
        best = np.argsort(-p)[:10]
        expected = dict(zip(asked.tokenizer.labels(best.tolist()), p[best].tolist(), strict=True))
        rows = [line.rsplit(" ", 1) for line in lines[start : start + 10]]
        assert {piece.strip(): float(share) for piece, share in rows} == pytest.approx(expected, abs=6e-4)
    assert len(script(asked, dialect).splitlines()) <= LONGEST


def test_a_model_that_guesses_nothing_has_no_script_of_guesses() -> None:
    asked, _ = asked_of("reader")
    plain = replace(asked.run, text="The king saw his daughter.")
    with pytest.raises(ValueError, match="no probabilities to draw"):
        replace(asked, run=plain, draws=GUESSES)
    with pytest.raises(ValueError, match="guesses no next piece"):
        replace(asked, draws=LENS)


@pytest.mark.parametrize(
    ("name", "draws"),
    [(name, draws) for name in PLACES for draws in KINDS if draws != LENS or name not in ENCODERS],
)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_scripts_are_short_and_import_nothing_of_ours(tmp_path: Path, dialect: Dialect, name: str, draws: str):
    asked, _ = asked_of(name)
    asked = replace(asked, draws=draws)
    text = script(asked, dialect)
    assert 30 <= len(text.splitlines()) <= LONGEST
    other = "torch" if dialect.key == "numpy" else "numpy"
    assert other not in {name.partition(".")[0] for name in imported(text)}
    assert imported(text) <= {"json", "math", "pathlib", dialect.key, f"safetensors.{dialect.key}", "matplotlib.pyplot"}
    (tmp_path / "script.py").write_text(text)
    for command in (["check", "--select", "E,F,I,B,UP,SIM,C4,PIE,RET,PTH,W"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "100", tmp_path / "script.py"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


def imported(text: str) -> set[str]:
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_one_edit_changes_the_numbers_as_it_does_in_the_core(tmp_path: Path):
    asked, model = asked_of("storyteller")
    off = replace(asked, run=replace(asked.run, edits=(ablate_head(asked.config, 2, 0),)))
    write(tmp_path, off, model)
    (tmp_path / "numbers.py").write_text(whole(off, DIALECTS[1]))
    run_alone(tmp_path, "numbers.py")
    assert_same(tmp_path, off, model)
    with pytest.raises(AssertionError):
        assert_same(tmp_path, asked, model)


def test_padding_of_a_classifier_is_left_out_of_its_mean(tmp_path: Path):
    asked, model = asked_of("sentiment")
    padded = replace(asked, run=replace(asked.run, pads=3, masks=(PaddingMask(),)))
    write(tmp_path, padded, model)
    (tmp_path / "numbers.py").write_text(whole(padded, DIALECTS[1]))
    run_alone(tmp_path, "numbers.py")
    assert_same(tmp_path, padded, model)


def test_runs_without_a_script_are_refused_in_a_sentence():
    asked, _ = asked_of("storyteller")
    with pytest.raises(ValueError, match="no script of this run: the scripts know heads"):
        replace(asked, run=replace(asked.run, edits=(Edit("decoder.0.attn_out", "zero"),)))
    placement = replace(asked.run.placement, dtype="bfloat16")
    with pytest.raises(ValueError, match="no script of a run in bfloat16"):
        replace(asked, run=replace(asked.run, placement=placement))
    classifier, _ = asked_of("sentiment")
    assert classifier.classes is not None
    for other in ({"dense": torch.nn.Linear(2, 2)}, {"first": True}):
        with pytest.raises(ValueError, match="no script of this classifier"):
            replace(classifier, classes=replace(classifier.classes, **other))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_code_in_the_text_stays_as_it_is(dialect: Dialect) -> None:
    asked, _ = asked_of("storyteller")
    asked = replace(asked, run=replace(asked.run, text="He wrote xp.zeros and xp.ones."))
    found: dict[str, Any] = {}
    exec(cells(asked, dialect)["numbers"].partition("W = ")[0], found)
    assert "xp.zeros" in found["CAPTION"] and found["CAPTION"] == caption(asked)
    assert found["TOKENS"] == [*asked.inputs.rows["decoder"].pieces]


def test_the_zip_holds_what_the_scripts_need():
    asked, model = asked_of("toy-copy")
    names = [name for name, _ in files(asked, model)]
    assert len(zipped(files(asked, model))) > 100_000
    assert {"torch_run.py", "numpy_run.py", "weights.safetensors", "vocabulary.json", "requirements.txt"} <= {*names}
