"""What a run costs in memory, added up before it is made."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from pathlib import Path

from core.model.config import TransformerConfig
from core.model.transformer import parameter_count
from core.sites import keys_of, parse, sizes

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
MIB = 2**20


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
    """The memory of one run over `length` tokens that records the named sites or keys.

    While a model is built its weights stand in float32 once. Working room: what the widest step holds at a time,
    the scores, their mask and the pattern of one layer, its feed-forward layer and the logits.
    """
    width = BYTES[dtype]
    parameters = parameter_count(config)
    queries = max(length, target_length)
    table = sizes(config, queries, max(length, target_length))
    recorded = sum(
        prod(table[axis] for axis in site.axes)
        for key, site in keys_of(config)
        if any(key == wanted or site.name == wanted for wanted in record)
    )
    step = 3 * prod(table[axis] for axis in parse("pattern")[3].axes)
    step += queries * (config.hidden_width + 4 * config.d_model)
    if "decoder" in config.stacks:
        step += queries * config.vocab_size
    return MemoryEstimate(parameters * (width if width == 4 else width + 4), recorded * width, step * width)


def memory_limit() -> int:
    """Bytes that one run may use on this machine.

    A quarter of the memory that is free (in the container, where there is one), at most 4 GiB; the environment
    variable ATTENTION_EXPLORER_MEMORY_MIB sets it outright.
    """
    if wish := os.environ.get("ATTENTION_EXPLORER_MEMORY_MIB"):
        return int(wish) * MIB
    return min(4 * 1024 * MIB, _free_memory() // 4)


def _free_memory() -> int:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return 2 * 1024 * MIB
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
    except OSError:
        return free
    return free if limit == "max" else max(0, min(free, int(limit) - used))
