"""A damaged file of tensors is told apart from a machine that fails at reading it."""

import errno
import resource
from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError
from safetensors.numpy import save_file

from core.checkpoints import firing, safetensors_file, weights
from core.checkpoints.real import files
from core.checkpoints.safetensors_file import open_tensors
from core.checkpoints.shipped import MODELS_FOLDER
from core.faults import BUSY_MESSAGE, MachineFault, NoMemory, machine_faults
from core.model.config import TransformerConfig


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save_file({"a": np.arange(6.0)}, tmp_path / "model.safetensors", {"about": "a test"})
    return tmp_path / "model.safetensors"


def test_a_whole_file_is_read(file: Path) -> None:
    with open_tensors(file, "numpy") as found:
        assert found.get_tensor("a").tolist() == [*range(6)] and found.metadata() == {"about": "a test"}


def test_a_file_of_another_length_is_refused_before_it_is_mapped(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safetensors_file, "safe_open", None)
    whole = file.read_bytes()
    spoilt = {
        b"": "cut off",
        whole[:50]: "cut off",
        whole[:-1]: "another size",
        whole + b"\0": "another size",
        b"\xff" * 8 + whole[8:]: "too large",
        whole.replace(b'"data_offsets":[0,48]', b'"data_offsets":[0,"8"'): "cannot be read",
    }
    for raw, why in spoilt.items():
        file.write_bytes(raw)
        with pytest.raises(SafetensorError, match=why), open_tensors(file, "numpy"):
            pass
    file.write_bytes(whole)
    with file.open("r+b") as longer:
        longer.truncate(3 * 2**30)
    with pytest.raises(SafetensorError, match="another size"), open_tensors(file, "numpy"):
        pass


def test_a_file_that_is_none_is_no_damage(file: Path) -> None:
    with pytest.raises(FileNotFoundError), open_tensors(file.with_name("other"), "numpy"):
        pass
    with pytest.raises(SafetensorError, match="Is a directory"), open_tensors(file.parent, "numpy"):
        pass


def test_a_machine_with_too_many_files_open_says_so(file: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        with pytest.raises(MachineFault, match=BUSY_MESSAGE), machine_faults(), open_tensors(file, "numpy"):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_every_loader_leaves_want_of_memory_to_the_machine(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = files.held_tensors(file.parent)

    def full(path: Path, framework: str) -> None:
        raise MemoryError("Cannot allocate memory (os error 12)")

    monkeypatch.setattr(safetensors_file, "safe_open", full)
    for load in (
        lambda: weights.load(MODELS_FOLDER / "toy-copy"),
        lambda: firing.load_firing("reader", TransformerConfig()),
        lambda: files.held_tensors(file.parent),
        lambda: next(files.tensors_of(file.parent, held)),
    ):
        with pytest.raises(NoMemory), machine_faults():
            load()


def test_a_file_of_somebody_else_that_may_not_be_read_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(file: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(safetensors_file, "_check_length", closed)
    with pytest.raises(ValueError, match=r"^model.safetensors cannot be read \(Permission denied\)\.$"):
        files.held_tensors(file.parent)
