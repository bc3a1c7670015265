"""What a run costs in memory, added up before it is made."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from pathlib import Path

from core.model.config import TransformerConfig
from core.model.transformer import parameter_count
from core.tracing.sites import keys_of, parse, sizes
from core.tracing.taps import RecordingTap

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
MIB = 2**20
LIMIT_VARIABLE = "ATTENTION_EXPLORER_MEMORY_MIB"
# Control groups, version 2 and 1: folder, limit, use, and the part of the use that the system gives back on demand.
CGROUPS = (
    ("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes that a run needs, part by part."""

    parameters: int
    recorded: int
    working: int

    @property
    def total(self) -> int:
        return self.parameters + self.recorded + self.working

    def sentence(self) -> str:
        """The sum, in mebibytes."""
        parts = (self.parameters, self.recorded, self.working, self.total)
        weights, recorded, working, total = (f"{part / MIB:,.0f}" for part in parts)
        return f"weights {weights} + recorded tensors {recorded} + working room {working} = {total} MiB"


def memory_estimate(
    config: TransformerConfig, length: int, record: Iterable[str], target_length: int = 0, dtype: str = "float32"
) -> MemoryEstimate:
    """The memory of one run over `length` tokens that records the named sites or keys, or ALL.

    target_length: the decoder's tokens in an encoder-decoder; 0 means as many as the encoder's. While a model is
    built its weights stand in float32 once. Working room: what the widest step holds at a time, the scores, their
    mask and the pattern of one layer, its feed-forward layer and the logits.
    """
    width = BYTES[dtype]
    parameters = parameter_count(config)
    recorded = _recorded(config, length, target_length or length, record)
    longest = max(length, target_length)
    step = 3 * config.heads * longest**2
    step += longest * (config.hidden_width + 4 * config.d_model)
    if "decoder" in config.stacks:
        step += longest * config.vocab_size
    return MemoryEstimate(parameters * (width if width == 4 else width + 4), recorded * width, step * width)


def _recorded(config: TransformerConfig, source: int, target: int, record: Iterable[str]) -> int:
    """How many numbers the recorded sites hold."""
    records = RecordingTap(record).records
    total = 0
    for key, site in keys_of(config):
        if records(key):
            stack, _, cross, _ = parse(key)
            queries = target if stack != "encoder" and "encoder" in config.stacks else source
            table = sizes(config, queries, source if cross else queries)
            total += prod(table[axis] for axis in site.axes)
    return total


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
