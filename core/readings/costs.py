"""The memory of a run, in words."""

from core.analysis.costs import MemoryEstimate
from core.memory import MIB


def read_memory(estimate: MemoryEstimate) -> str:
    """Say the parts of a run's memory and their sum, in mebibytes."""
    parts = (estimate.parameters, estimate.recorded, estimate.working, estimate.total)
    weights, recorded, working, total = (f"{part / MIB:,.0f}" for part in parts)
    return f"weights {weights} + recorded tensors {recorded} + working room {working} = {total} MiB"
