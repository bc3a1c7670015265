"""How much memory a run may use on this machine, and giving back what is used no more."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path

from core import limits

MIB = 2**20
HOSTED, HOSTED_MIB = "mount/src", 900  # where Streamlit Cloud keeps the apps that it runs, and what each may take
M_ARENA_MAX, HEAPS = -8, 2  # the number of glibc's malloc.h, and how many heaps
M_MMAP_THRESHOLD, OF_ITS_OWN = -3, 256 * 2**10  # bytes from which a piece of memory lies outside the heaps
# Control groups, version 2 and 1: folder, limit, use, and the part of the use that the system gives back on demand.
CGROUPS = (
    ("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def memory_ceiling(root: Path = Path("/")) -> int:
    """Bytes that this server may take in all; 0 where nobody has stated it."""
    return (limits.MEMORY_MIB or (HOSTED_MIB if (root / HOSTED).is_dir() else 0)) * MIB


def resident() -> int:
    """Bytes that this process has in memory now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def memory_limit(root: Path = Path("/")) -> int:
    """Bytes that one run may use on this machine.

    Where the server's own ceiling is stated, by ATTENTION_EXPLORER_MEMORY_MIB or by the host, what it leaves beside the
    app; else a quarter of the memory that is free (in the container, where there is one), at most 4 GiB. root: where
    the system's /proc and /sys lie.
    """
    if ceiling := memory_ceiling(root):
        return max(0, ceiling - limits.APP_MIB * MIB)
    return min(4 * 1024 * MIB, _free_memory(root) // 4)


def limit_arenas() -> None:
    """Let all threads of this process take their memory from two heaps, and large tensors from none of them, where the
    system's library can do that.

    By itself glibc keeps up to eight for each processor, each with gaps of its own that no other thread fills. What is
    large lies outside the heaps only until the first such piece is freed; inside, what is small keeps it from going
    back to the system.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, HEAPS)
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, OF_ITS_OWN)


def trim_heap() -> None:
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
            available = int((root / folder / limit).read_text())
            available -= int((root / folder / used).read_text()) - _field(root / folder / "memory.stat", cache)
        except (OSError, StopIteration, ValueError):  # no such container, or a limit of "max"
            continue
        free = min(free, max(0, available))
    return free


def _field(path: Path, name: str) -> int:
    """The number after a name in a file of lines such as "MemAvailable:  1234 kB"."""
    rows = (line.split() for line in path.read_text().splitlines())
    return next(int(row[1]) for row in rows if row[0] == name)
