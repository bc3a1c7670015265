"""The command that trains and scores: what it does, and what it says where it cannot."""

import json

import pytest

from core.training.__main__ import EVALUATIONS, TRAININGS, main
from core.training.recipes import ALL
from tests.core.tiny_corpus import zipped


def test_the_command_trains_a_toy_and_scores_it(tmp_path, capsys):
    chosen = ["--steps", "2", "--run-dir", str(tmp_path / "run"), "--out", str(tmp_path / "out")]
    assert main(["toy-reverse", *chosen]) == 0
    assert main(["evaluate", "toy-reverse", "--model", str(tmp_path / "out")]) == 0
    assert "reverse_head" in capsys.readouterr().out
    card = json.loads((tmp_path / "out" / "card.json").read_text())
    assert card["commands"]["train"] == "python -m core.training toy-reverse --steps 2"


def test_the_command_lists_all_and_refuses_what_is_not_there(capsys, tmp_path):
    measurements = {
        "tokenizers",
        "pronouns",
        "senses",
        "sentences",
        "labels",
        "heads",
        "neurons",
        "visitors",
        "confidence",
        "samples",
    }
    assert {each.name for each in ALL} == set(EVALUATIONS) == set(TRAININGS) - measurements
    assert main(["evaluate", "tokenizers"]) == 2
    assert "Unknown model 'tokenizers'" in capsys.readouterr().err
    assert main(["evaluate"]) == 2
    assert main(["evaluate", "toy-copy", "--model", str(tmp_path)]) == 1
    assert "card.json does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "rows", "name", "words"),
    [
        ("tatoeba/en-fr.tsv.gz", ["Go.\tVa.", "Come."], "translator", "en-fr.tsv.gz, line 2"),
        ("multi30k/train.fr.gz", ["un"], "translator", "train.fr.gz: 1 lines, but train.en.gz has 14"),
        ("multi30k/train.fr.gz", ["un", " ", *["x"] * 12], "translator", "train.fr.gz, line 2"),
        ("sst2/train.tsv.gz", ["good\t1", "bad\t2"], "sentiment", "train.tsv.gz, line 2"),
        ("sst2/dev.tsv.gz", None, "sentiment", "dev.tsv.gz does not exist"),
        ("stories/stories3.txt.gz", None, "storyteller", "stories3.txt.gz does not exist"),
    ],
)
def test_missing_or_malformed_data_is_named(file, rows, name, words, data, tmp_path, capsys):
    for path in data.rglob("*"):
        if path.is_file() and path.relative_to(data).as_posix() != file:
            target = tmp_path / "data" / path.relative_to(data)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    if rows is not None:
        zipped(tmp_path / "data" / file, rows)
    arguments = ["--data", str(tmp_path / "data"), "--run-dir", str(tmp_path / "run"), "--out", str(tmp_path / "out")]
    assert main([name, *arguments]) == 1
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
