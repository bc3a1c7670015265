"""Broken files of the project: what is said of them, with the command that makes them again."""

import json
from pathlib import Path

import pytest
from safetensors import safe_open

from core.checkpoints import examples, shipped
from core.checkpoints.measured import MEASURED_FOLDER, load_measured, rebuild_measured
from core.text.broken_file import BrokenFile
from core.text.tokenizer import REBUILD, TOKENIZERS_FOLDER, Tokenizer
from core.topics.word_vectors.table import read_table
from core.training.__main__ import TRAININGS

COPY = "Copy it from the project again"


@pytest.mark.parametrize("name", sorted(shipped.cards()))
def test_the_command_is_that_of_the_card(name: str) -> None:
    assert shipped.cards()[name].commands["train"].startswith(shipped.rebuild(name))
    assert shipped.rebuild(f"{name}/steps/000100") == shipped.rebuild(name)


@pytest.mark.parametrize("path", sorted(MEASURED_FOLDER.iterdir()), ids=lambda path: path.stem)
def test_the_command_is_that_of_the_measured_file(path: Path) -> None:
    if path.suffix == ".json":
        command = json.loads(path.read_text(encoding="utf-8"))["command"]
    else:
        with safe_open(path, framework="numpy") as opened:
            command = json.loads(opened.metadata()["about"])["command"]
    again = rebuild_measured(path.stem)
    assert command.startswith(again) and again.split()[3] in TRAININGS


def test_what_is_missing_is_said_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BrokenFile) as missing:
        shipped.load("toy-sort", None, tmp_path)  # type: ignore[arg-type]
    said = "The model toy-sort cannot be used: toy-sort/card.json does not exist."
    assert str(missing.value) == f"{said} {COPY}, or make it anew: python -m core.training toy-sort."
    with pytest.raises(BrokenFile, match=r"The file pronouns.json is missing.*make it anew: .* pronouns[.]$"):
        load_measured("pronouns", tmp_path)
    with pytest.raises(
        BrokenFile, match=r"The word vectors cannot be used: .*core.training word-vectors --data DIR[.]"
    ):
        read_table(tmp_path)
    monkeypatch.setattr("core.text.tokenizer.TOKENIZERS_FOLDER", tmp_path)
    with pytest.raises(BrokenFile, match=rf"unigram-1000[.]model is missing .*{REBUILD}[.]$"):
        Tokenizer.load("unigram-1000", tmp_path)


def test_a_shared_tokenizer_that_a_model_lacks_is_made_by_the_tokenizers_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str, folder: Path) -> None:
        raise BrokenFile(f"{name} is missing.", REBUILD if folder == TOKENIZERS_FOLDER else None)

    monkeypatch.setattr("core.checkpoints.shipped.Tokenizer.load", broken)
    with pytest.raises(BrokenFile, match=rf"The model storyteller cannot be used: .*{REBUILD}[.]$"):
        shipped.tokenizer("storyteller")
    with pytest.raises(
        BrokenFile, match=r"The model translator cannot be used: .* core.training translator --data DIR"
    ):
        shipped.tokenizer("translator")


def test_words_that_are_no_text_and_a_file_that_is_a_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "word-vectors"
    folder.mkdir()
    for name in ("card.json", "model.safetensors"):
        (folder / name).symlink_to(shipped.MODELS_FOLDER / "word-vectors" / name)
    (folder / "words.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(BrokenFile, match=r"words.txt cannot be read .*make it anew") as refusal:
        read_table(tmp_path)
    assert str(tmp_path) not in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"texts": null, "targets": {}, "models": {}}',
        '{"texts": {}, "targets": {}, "models": {}}',
        '{"texts": {"a": {"text": 3}}, "targets": {"b": "c"}, "models": {}}',
        '{"texts": {"a": {"text": "b", "colour": "c"}}, "targets": {"b": "c"}, "models": {}}',
        '{"texts": {"a": {"text": "b"}}, "targets": {"b": NaN}, "models": {}}',
    ],
)
def test_examples_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "examples.json"
    path.write_text(text)
    with pytest.raises(BrokenFile, match=rf"^The file examples.json .* {COPY}[.]$"):
        examples.read_examples(path)


def test_the_examples_are_read_anew_until_their_file_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = examples.FILE
    monkeypatch.setattr(examples, "FILE", tmp_path / "examples.json")
    examples._whole_file.cache_clear()
    assert "is missing" in examples.why_no_examples() and examples.examples_of("x") == examples.BUILT_IN_EXAMPLES.texts
    few = examples.known_texts(), examples.texts_of("x"), examples.targets_of("x")
    (tmp_path / "examples.json").symlink_to(whole)
    assert examples.why_no_examples() == "" and examples.examples_of("x") == examples.read_examples().texts
    many = examples.known_texts(), examples.texts_of("x"), examples.targets_of("x")
    assert all(len(more) > len(fewer) for more, fewer in zip(many, few, strict=True))


def test_the_examples_that_there_always_are_are_among_those_of_the_file() -> None:
    whole, fewest = examples.read_examples(), examples.BUILT_IN_EXAMPLES
    assert fewest.texts.items() <= whole.texts.items() and fewest.targets.items() <= whole.targets.items()
