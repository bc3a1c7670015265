"""What a machine fails at becomes a sentence; everything else stays the error that it is."""

import errno
import gc
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from core import device
from core.faults import (
    BUSY_MESSAGE,
    DEVICE_FAILED,
    DISK_FULL,
    NO_MEMORY,
    NO_OPENING,
    NO_WRITING,
    MachineFault,
    NoMemory,
    machine_faults,
)
from core.memory import MIB


@pytest.fixture(autouse=True)
def nothing_given_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(device, "_GIVEN_UP", {})
    yield


def said(error: Exception) -> str:
    with pytest.raises(MachineFault) as fault, machine_faults():
        raise error
    return str(fault.value)


def test_memory_that_there_is_not() -> None:
    for work in (lambda: torch.empty(10**15), lambda: np.empty(10**15), lambda: bytearray(10**15)):
        with pytest.raises(NoMemory, match=NO_MEMORY), machine_faults():
            work()
    assert said(OSError(errno.ENOMEM, "Cannot allocate memory")) == NO_MEMORY
    for error in (torch.OutOfMemoryError("CUDA out of memory."), RuntimeError("MPS backend out of memory (used 9 GB)")):
        assert said(error).startswith("The GPU has not enough free memory for that just now.")
    assert said(torch.AcceleratorError("CUDA error: out of memory")) == NO_MEMORY and not device.is_given_up("cuda")


def test_what_was_computed_is_let_go() -> None:
    held: list[weakref.ref[torch.Tensor]] = []

    def work() -> None:
        tensor = torch.ones(MIB)
        held.append(weakref.ref(tensor))
        raise MemoryError

    gc.disable()
    try:
        with pytest.raises(NoMemory) as fault, machine_faults():
            work()
        assert fault.value and held[0]() is None
    finally:
        gc.enable()


def test_a_disk_that_is_full_or_takes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MachineFault, match=DISK_FULL), machine_faults(), Path("/dev/full").open("w") as full:
        full.write("a" * MIB)
    assert said(OSError(errno.EMFILE, "Too many open files")) == BUSY_MESSAGE
    assert said(OSError(errno.EROFS, "Read-only file system")) == NO_WRITING
    for number in (errno.EACCES, errno.EPERM):
        assert said(OSError(number, "Permission denied", "/secret/file")) == NO_OPENING
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(tmp_path / "nowhere")])
    monkeypatch.setattr(tempfile, "tempdir", None)
    with pytest.raises(MachineFault, match=NO_WRITING), machine_faults(), tempfile.TemporaryDirectory():
        pass


@pytest.mark.parametrize("device_of", ["cuda", "mps"])
def test_a_device_that_fails_at_one_run_is_used_again(device_of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answers(device: str) -> bool:
        asked.append(device)
        return True

    monkeypatch.setattr("core.faults.responds", answers)
    words = {"cuda": "CUDA error: invalid configuration argument", "mps": "MPS: too many dimensions"}
    assert said(RuntimeError(words[device_of])) == DEVICE_FAILED and asked == [device_of]
    assert not device.is_given_up(device_of)


def test_a_device_answers_where_it_computes() -> None:
    missing = next(name for name in ("mps", "cuda") if name not in device.available())
    assert device.responds("cpu") and not device.responds(missing)


def told(placement: device.Placement) -> tuple[str, str, str]:
    return placement.device, placement.dtype, placement.reason


def test_a_device_that_is_lost_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.faults.responds", lambda device: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    assert device.choose().device == "cuda" and device.why_given_up() == ""
    words = "cuda failed on this machine, so cpu computes until the server restarts."
    assert said(torch.AcceleratorError("CUDA error: device-side assert triggered")) == words == device.why_given_up()
    assert said(RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED")) == words
    assert told(device.choose()) == ("cpu", "float32", "the only device here")
    assert told(device.choose("cuda")) == ("cpu", "float32", "cuda failed here")


def test_a_device_whose_driver_does_not_answer_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> bool:
        raise RuntimeError("No CUDA GPUs are available")

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", gone)
    assert told(device.choose()) == ("cpu", "float32", "the only device here")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a mistake"),
        RuntimeError("shapes differ"),
        FileNotFoundError("a file"),
        NotImplementedError("The operator 'aten::x' is not currently implemented for the MPS device."),
    ],
)
def test_other_errors_stay_what_they_are(error: Exception) -> None:
    with pytest.raises(type(error)) as same, machine_faults():
        raise error
    assert same.value is error
