"""How much memory a run may use on this machine, and giving back what is used no more."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path

MIB = 2**20
LIMIT_VARIABLE = "ATTENTION_EXPLORER_MEMORY_MIB"
M_ARENA_MAX, HEAPS = -8, 2  # the number of glibc's malloc.h, and how many heaps
# Control groups, version 2 and 1: folder, limit, use, and the part of the use that the system gives back on demand.
CGROUPS = (
    ("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def memory_limit(root: Path = Path("/")) -> int:
    """Bytes that one run may use on this machine.

    A quarter of the memory that is free (in the container, where there is one), at most 4 GiB; the environment
    variable ATTENTION_EXPLORER_MEMORY_MIB sets it outright, and is a ValueError where it is no number above 0.
    root: where the system's /proc and /sys lie.
    """
    if wish := os.environ.get(LIMIT_VARIABLE):
        if not wish.strip().isdecimal() or not int(wish):
            raise ValueError(f"{LIMIT_VARIABLE} must be a whole number of MiB above 0, not {wish!r}")
        return int(wish) * MIB
    return min(4 * 1024 * MIB, _free_memory(root) // 4)


def share_heaps() -> None:
    """Let all threads of this process take their memory from two heaps, where the system's library can do that.

    By itself glibc keeps up to eight for each processor, each with gaps of its own that no other thread fills.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, HEAPS)


def give_back() -> None:
    """Give the system back what was freed in the middle of a heap, where its library can do that."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _free_memory(root: Path) -> int:
    """Bytes free on this machine, or in its container where that has less; 2 GiB where nothing says so."""
    try:
        free = _field(root / "proc/meminfo", "MemAvailable:") * 1024
    except (OSError, StopIteration):
        return 2 * 1024 * MIB
    for folder, limit, used, cache in CGROUPS:
        try:
            room = int((root / folder / limit).read_text())
            room -= int((root / folder / used).read_text()) - _field(root / folder / "memory.stat", cache)
        except (OSError, StopIteration, ValueError):  # no such container, or a limit of "max"
            continue
        free = min(free, max(0, room))
    return free


def _field(path: Path, name: str) -> int:
    """The number after a name in a file of lines such as "MemAvailable:  1234 kB"."""
    rows = (line.split() for line in path.read_text().splitlines())
    return next(int(row[1]) for row in rows if row[0] == name)
