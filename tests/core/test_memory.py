"""The limit of memory against made-up machines."""

import os
import platform
from pathlib import Path

import pytest

from core import limits
from core.memory import MIB, memory_ceiling, memory_limit, resident, trim_heap

GIB = 1024 * MIB


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A made-up /proc and /sys: machine({path: text}) gives their root."""
    monkeypatch.setattr(limits, "MEMORY_MIB", 0)

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
    monkeypatch.setattr(limits, "MEMORY_MIB", 0)
    assert 0 <= memory_limit() <= 4 * GIB
    assert 10 * MIB < resident() < 100 * GIB


@pytest.mark.parametrize(("stated", "left"), [(12_345, 12_345 - limits.APP_MIB), (limits.APP_MIB, 0), (100, 0)])
def test_of_a_stated_ceiling_a_run_may_use_what_the_app_leaves(machine, monkeypatch, stated, left):
    monkeypatch.setattr(limits, "MEMORY_MIB", stated)
    root = machine(free(GIB))
    assert (memory_ceiling(root), memory_limit(root)) == (stated * MIB, left * MIB)


def test_on_streamlit_cloud_the_ceiling_is_900_mib(machine):
    root = machine(free(64 * GIB))
    assert memory_ceiling(root) == 0
    (root / "mount/src").mkdir(parents=True)
    assert memory_ceiling(root) == 900 * MIB
    assert memory_limit(root) == (900 - limits.APP_MIB) * MIB


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have their own ways")
def test_what_was_freed_between_blocks_that_are_used_goes_back_to_the_system() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    blocks = [bytearray(64 * 1024) for _ in range(1000)]
    kept = blocks[::2]
    full = resident()
    del blocks
    trim_heap()
    assert len(kept) == 500
    assert resident() < full - 20 * MIB
