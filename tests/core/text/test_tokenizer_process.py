"""A tokenizer trained in a process of its own: the same bytes, told how far it is, and ended at any time."""

import errno
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.text.tokenizer_process import Standing, standing, train_apart
from core.text.trainer import train_model
from core.topics.word_vectors.grammar import made_text

TEXTS = made_text().split(". ")


def trained(kind: str, size: int, told: list[Standing], seconds: float = 250) -> bytes:
    """The model that a process of its own trains, with its progress."""
    training = train_apart(kind, size, TEXTS, seconds)
    while True:
        try:
            told.append(next(training))
        except StopIteration as end:
            model: bytes = end.value
            return model


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_it_makes_the_same_model_and_refuses_the_same_texts(kind: str) -> None:
    told: list[Standing] = []
    assert trained(kind, 385, told) == train_model(kind, 385, TEXTS)
    assert told and all(0 <= each.share <= 1 for each in told)
    with pytest.raises(ValueError, match="cannot be trained"):
        trained(kind, 8000, told)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that are started."""
    found: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*args: Any, **named: Any) -> subprocess.Popen[bytes]:
        found.append(popen(*args, **named))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return found


def test_it_ends_with_its_time_and_when_it_is_closed(started: list[subprocess.Popen[bytes]]) -> None:
    training = train_apart("bpe", 385, TEXTS)
    next(training)
    training.close()
    with pytest.raises(TimeoutError):
        trained("bpe", 385, [], seconds=-1)
    assert [each.returncode for each in started] == [-9, -9]


def test_it_stands_still_between_two_looks(started: list[subprocess.Popen[bytes]]) -> None:
    training = train_apart("bpe", 385, TEXTS)
    next(training)
    about = Path(f"/proc/{started[0].pid}/stat")
    if about.exists():
        end = time.monotonic() + 60  # the system stops it a moment later
        while (state := about.read_text().rpartition(") ")[2][0]) != "T" and time.monotonic() < end:
            time.sleep(0.001)
        assert state == "T"
    training.close()


def test_how_far_it_is_stands_in_the_log() -> None:
    log = (
        b"x.cc:601] Alphabet size=102\nx.cc:421] Merged: freq=21 merges=100 piece=x\nMerged: freq=9 merges=200 piece=y"
    )
    assert standing("bpe", 660, log, 1.0) == Standing("bpe", 1.0, 0, 200, 660 - 260 - 102)
    assert standing("bpe", 660, b"", 1.0).share == 0
    log = b"] Initialized 1360 seed pieces\n] EM sub_iter=0 size=980 obj=9\n] EM sub_iter=1 size=790 obj=8"
    found = standing("unigram", 600, log, 2.0)
    assert found == Standing("unigram", 2.0, 1360, 790, 600) and found.share == 570 / 760
    assert standing("unigram", 600, log.split(b"\n")[0], 2.0).share == 0


def test_a_full_disk_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = subprocess.Popen

    def start(command: Sequence[str], stdout: object, **named: Any) -> subprocess.Popen[bytes]:
        return popen(command, stdout=Path("/dev/full").open("wb"), **named)

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(OSError) as full:
        trained("bpe", 385, [])
    assert full.value.errno == errno.ENOSPC
