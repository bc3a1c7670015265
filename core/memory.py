"""Find how much memory a run may use on this machine, and return freed memory to the system."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path

from core import limits

MIB = 2**20
# Where Streamlit Cloud keeps the apps that it runs, and what each may take.
HOSTED_FOLDER, HOSTED_MIB = "mount/src", 900
M_ARENA_MAX, MAX_HEAPS = -8, 2  # the number of glibc's malloc.h, and how many heaps
M_MMAP_THRESHOLD, OF_ITS_OWN = -3, 256 * 2**10  # bytes from which a piece of memory lies outside the heaps
# Control groups, version 2 and 1: folder, limit, use, and the part of the use that the system gives back on demand.
CGROUPS = (
    ("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def memory_ceiling(root: Path = Path("/")) -> int:
    """Return the bytes that this server may use altogether; 0 if no limit is stated."""
    return (limits.MEMORY_MIB or (HOSTED_MIB if (root / HOSTED_FOLDER).is_dir() else 0)) * MIB


def resident() -> int:
    """Return the bytes of memory that this process uses now; 0 if the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def memory_limit(root: Path = Path("/")) -> int:
    """Return the bytes that one run may use on this machine.

    If the server's limit is stated, by ATTENTION_EXPLORER_MEMORY_MIB or by the host, it is that limit less the memory
    of the app itself. Otherwise it is a quarter of the free memory of the container or the machine, at most 4 GiB.

    root: the folder that holds the system's /proc and /sys.
    """
    if ceiling := memory_ceiling(root):
        return max(0, ceiling - limits.APP_MIB * MIB)
    return min(4 * 1024 * MIB, _free_memory(root) // 4)


def limit_arenas() -> None:
    """Restrict glibc to two heaps for all threads of this process, and keep large tensors outside them.

    By default glibc keeps up to eight heaps a processor, and no thread fills the gaps in another thread's heap. Large
    pieces lie outside the heaps only until the first of them is freed; inside a heap, small pieces beside them keep
    their memory from going back to the system. Does nothing where the system's library is not glibc.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, MAX_HEAPS)
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, OF_ITS_OWN)


def trim_heap() -> None:
    """Return memory that was freed in the middle of a heap to the system. Does nothing without glibc."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _free_memory(root: Path) -> int:
    """Return the free bytes of this machine, or of its container if that has less; 2 GiB if nothing says so."""
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
    """Return the number after a name in a file of lines such as "MemAvailable:  1234 kB"."""
    rows = (line.split() for line in path.read_text().splitlines())
    return next(int(row[1]) for row in rows if row[0] == name)
