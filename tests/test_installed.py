"""`pip install .` gives the core and its models, under one name, without the app and without Streamlit."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest

from core.lessons.lesson import lessons
from core.topics.shared.open_run import open_run, run_of_model
from pages.shell.saved.lesson_notebook import lesson_notebook
from tests.pages.house import BY_ADDRESS
from tests.rooms import ROOT

MODELS = ("storyteller", "translator")  # the others are files of the same kind
NAME = "attention_explorer"
# Imports every installed module; the packages that only the app or only a test needs are not to be found meanwhile.
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in "streamlit core pages tests matplotlib segno latex2mathml markdown_it uvloop sacrebleu".split():
    sys.modules[name] = None
import attention_explorer.core as core
names = [found.name for found in pkgutil.walk_packages(core.__path__, core.__name__ + ".")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
TRAIN = """
from attention_explorer.core.text.tokenizer_process import train_apart
training = train_apart("bpe", 368, ["the cat sat on the mat and the dog sat on the log"] * 9)
try:
    while True:
        next(training)
except StopIteration as done:
    print(len(done.value))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the project was installed, without the packages that it needs."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for path in (ROOT / name for name in ("core", "setup.py", "pyproject.toml", "requirements.txt")):
        (source / path.name).symlink_to(path)
    (source / "assets/models").mkdir(parents=True)
    for path in [*(ROOT / "assets").iterdir(), *(ROOT / "assets/models" / name for name in MODELS)]:
        if path.name != "models":
            (source / path.relative_to(ROOT)).symlink_to(path)
    options = ["-q", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return folder


def alone(installed: Path, empty: Path, *arguments: str) -> str:
    """What Python prints in an empty folder, where it finds what was installed and not this project."""
    env = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "TMPDIR")}
    env |= {"PYTHONPATH": str(installed)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=empty, env=env, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_name_is_installed_and_asks_for_what_the_core_imports(installed: Path) -> None:
    assert {path.name.partition("-")[0] for path in installed.iterdir()} == {NAME}
    assert {path.name for path in (installed / NAME).iterdir()} == {"core", "assets"}
    weights = Path("assets/models/storyteller/model.safetensors")
    assert (installed / NAME / weights).read_bytes() == (ROOT / weights).read_bytes()
    (metadata,) = installed.glob("*.dist-info/METADATA")
    asked = set(re.findall(r"^Requires-Dist: (\w+)", metadata.read_text(), re.MULTILINE))
    assert asked == {"torch", "numpy", "altair", "pandas", "safetensors", "sentencepiece", "tokenizers"}


def test_every_module_is_found_without_streamlit(installed: Path, tmp_path: Path) -> None:
    ours = [path for path in (ROOT / "core").rglob("*.py") if path != ROOT / "core/__init__.py"]
    assert int(alone(installed, tmp_path, "-c", IMPORT_ALL)) == len(ours)


def test_the_command_prints_what_a_head_looks_at_and_writes_it(installed: Path, tmp_path: Path) -> None:
    text = ["The black cat sleeps.", "--model", "translator", "--cross", "--out", "head.svg"]
    printed = alone(installed, tmp_path, "-m", f"{NAME}.core.explore", *text)
    assert printed.startswith("translator, cross-attention, layer 1 · head 1: attention weights\n")
    assert "chat" in printed and (tmp_path / "head.svg").read_text().startswith("<svg")


def test_the_example_of_the_docs_runs_and_a_second_process_finds_the_core(installed: Path, tmp_path: Path) -> None:
    example = re.findall(r"```\n(from attention_explorer.*?)```", (ROOT / "docs/core.md").read_text(), re.DOTALL)
    assert alone(installed, tmp_path, "-c", example[0]).splitlines()[-1] == "who"
    assert int(alone(installed, tmp_path, "-c", TRAIN)) > 1000


def test_a_saved_lesson_computes_what_is_right(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = lessons()["query-key-value"]
    made = nbformat.reads(lesson_notebook(lesson, BY_ADDRESS, lesson.words), as_version=4)
    blanks = [cell for cell in made.cells if cell.source == "answer = None"]
    assert [screen.kind for screen in lesson.screens] == ["token", "choice", "formula", "cell", "choice"]
    answers = ("0", f'"{lesson.screens[1].options[0].name}"', "None", "(1, 0)")
    for cell, answer in zip(blanks, answers, strict=False):
        cell.source = f"answer = {answer}"
    monkeypatch.setenv("PYTHONPATH", str(installed))
    nbclient.NotebookClient(made, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = ["".join(each.text for each in cell.outputs) for cell in made.cells if cell.get("outputs")]
    assert len(said) == len(lesson.screens) == len(blanks)
    judged = "That is right.", "Not this time.", "Nobody could know this. The model has another answer."
    assert [text.startswith(judged) for text in said] == [True, True, False, True, False]
    first, run = lesson.screens[0], run_of_model("storyteller", lesson.words)
    truth = first.function(*open_run(run), run, **first.arguments)
    assert f"\nThe model: “{truth.labels[truth.answer]}”\n" in said[0]
