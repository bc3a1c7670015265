"""The limit of memory against made-up machines."""

import os
import platform
from pathlib import Path

import pytest

from core.memory import LIMIT_VARIABLE, MIB, give_back, memory_limit

GIB = 1024 * MIB


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A made-up /proc and /sys: machine({path: text}) gives their root."""
    monkeypatch.delenv(LIMIT_VARIABLE, raising=False)

    def furnish(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return furnish


def free(size: int) -> dict[str, str]:
    return {"proc/meminfo": f"MemTotal:  99999999 kB\nMemFree:  1 kB\nMemAvailable:  {size // 1024} kB\n"}


def container(limit: str, used: int, cache: int = 0) -> dict[str, str]:
    folder = "sys/fs/cgroup"
    return {
        f"{folder}/memory.max": f"{limit}\n",
        f"{folder}/memory.current": f"{used}\n",
        f"{folder}/memory.stat": f"anon 5\ninactive_file {cache}\nactive_file 7\n",
    }


def old_container(limit: int, used: int) -> dict[str, str]:
    folder = "sys/fs/cgroup/memory"
    return {
        f"{folder}/memory.limit_in_bytes": f"{limit}\n",
        f"{folder}/memory.usage_in_bytes": f"{used}\n",
        f"{folder}/memory.stat": "cache 5\ntotal_inactive_file 0\n",
    }


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, GIB // 2),
        (free(8 * GIB), 2 * GIB),
        (free(64 * GIB), 4 * GIB),
        (free(8 * GIB) | container("max", 3 * GIB), 2 * GIB),
        (free(8 * GIB) | container(str(6 * GIB), 2 * GIB), GIB),
        (free(8 * GIB) | container(str(6 * GIB), 5 * GIB, cache=3 * GIB), GIB),
        (free(8 * GIB) | container(str(64 * GIB), 2 * GIB), 2 * GIB),
        (free(8 * GIB) | container(str(2 * GIB), 3 * GIB), 0),
        (free(8 * GIB) | old_container(6 * GIB, 2 * GIB), GIB),
        (free(8 * GIB) | old_container(2**63 - 4096, 2 * GIB), 2 * GIB),
    ],
)
def test_the_limit_is_a_quarter_of_what_is_free_here_or_in_the_container(machine, files, limit):
    assert memory_limit(machine(files)) == limit


def test_the_limit_of_this_machine_can_be_read(monkeypatch):
    monkeypatch.delenv(LIMIT_VARIABLE, raising=False)
    assert 0 <= memory_limit() <= 4 * GIB


def test_the_environment_variable_sets_the_limit_outright(machine, monkeypatch):
    monkeypatch.setenv(LIMIT_VARIABLE, " 12345 ")
    assert memory_limit(machine(free(GIB))) == 12345 * MIB


@pytest.mark.parametrize("wish", ["lots", "0", "-5", "1.5", "²", "4GiB"])
def test_a_limit_that_is_no_number_is_an_error_that_shows_it(wish, monkeypatch):
    monkeypatch.setenv(LIMIT_VARIABLE, wish)
    with pytest.raises(ValueError) as caught:
        memory_limit()
    assert f"{LIMIT_VARIABLE} must be a whole number of MiB above 0, not {wish!r}" in str(caught.value)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have their own ways")
def test_what_was_freed_between_blocks_that_are_used_goes_back_to_the_system() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    blocks = [bytearray(64 * 1024) for _ in range(1000)]
    kept = blocks[::2]
    full = resident()
    del blocks
    give_back()
    assert len(kept) == 500
    assert resident() < full - 20 * MIB
