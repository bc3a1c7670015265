"""Accuracy against the number of labels: which sentences are trained on, from which weights, and what the file says."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.checkpoints import shipped
from core.checkpoints.measured import load_measured
from core.model.classifier import Classifier
from core.text.broken_file import BrokenFile
from core.text.tokenizer import TOKENIZERS_FOLDER
from core.topics.sentiment.labels import label_curve
from core.training import labels
from core.training.corpus import labelled
from core.training.recipes.sentiment import CPU, SentimentTask, _config, reader_task


def small_task(data: Path, folder: Path, seed: int) -> SentimentTask:
    """A little network in place of the reader, with a vocabulary that stands in the folder."""
    config = _config(seed)
    encoder = replace(config.encoder, vocab_size=1000, d_model=16)
    return SentimentTask(replace(config, encoder=encoder), data, folder, seed, vocabulary="unigram-1000")


def test_so_many_whole_sentences_are_drawn_and_more_labels_keep_the_first(data: Path, tmp_path: Path) -> None:
    task = replace(reader_task(data, tmp_path, 3), negated=0)
    few, more = (replace(task, sentences=size).parts["train"] for size in (5, 20))
    whole = {(text.lower(), label) for text, label in labelled(data / "sst2" / "train.tsv.gz")}
    assert len(few) == 5 and len(more) == 20 and more[:5] == few and set(more) <= whole
    assert not set(more) & {*task.parts["dev"], *task.parts["validation"]}
    assert replace(task, sentences=5, seed=4).parts["train"] != few


def test_only_one_of_the_two_begins_as_the_reader(data: Path, tmp_path: Path) -> None:
    known = shipped.load("reader", CPU).embed.weight
    for fresh in (False, True):
        model = replace(reader_task(data, tmp_path, 0), fresh=fresh).objective().model
        assert isinstance(model, Classifier) and torch.equal(model.encoder.embed.weight, known) != fresh


def test_the_command_trains_every_size_and_writes_what_the_page_reads(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "reader_task", small_task)
    monkeypatch.setattr(labels, "SIZES", (5, 10_000))
    (tmp_path / "runs").mkdir()
    shutil.copy(TOKENIZERS_FOLDER / "unigram-1000.model", tmp_path / "runs")
    told: list[Any] = ["--data", str(data), "--seeds", "2", "--steps", "2"]
    labels.main([*told, "--run-dir", str(tmp_path / "runs"), "--out", str(tmp_path)])
    found = label_curve(load_measured("labels", tmp_path))
    assert found.sizes[0] == 5 and len(found.sizes) == 2 and found.sizes[1] < 100
    assert found.accuracy.shape == (2, 2, 2) and ((found.accuracy >= 0) & (found.accuracy <= 100)).all()
    assert "--seeds 2 --steps 2" in found.command


def test_a_damaged_file_is_refused_and_the_gain_is_a_difference_of_means() -> None:
    good: dict[str, Any] = {
        "sizes": [50, 100],
        "accuracy": {"pretrained": [[80, 82], [84, 84]], "fresh": [[60, 62], [70, 72]]},
        "base": "reader",
        "command": "c",
    }
    assert label_curve(good).gain.tolist() == pytest.approx([20, 13])
    measured = label_curve(load_measured("labels"))
    assert measured.chance.shape == (len(measured.sizes),) and measured.chance[-1] == pytest.approx(4.22, abs=0.005)
    broken: tuple[dict[str, Any], ...] = (
        good | {"sizes": [50]},
        good | {"accuracy": {}},
        {},
        good | {"sizes": ["many"]},
        good | {"accuracy": {"pretrained": [[101], [84]], "fresh": [[60], [70]]}},
        good | {"accuracy": {"pretrained": [[float("nan")], [84]], "fresh": [[60], [70]]}},
    )
    for each in broken:
        with pytest.raises(BrokenFile, match=r"labels\.json .*: python -m core\.training labels --data DIR\.$"):
            label_curve(each)
