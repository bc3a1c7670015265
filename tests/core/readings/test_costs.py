"""The sum of a run's memory in words."""

from core.analysis.costs import MemoryEstimate
from core.memory import MIB
from core.readings.costs import read_memory


def test_the_sum_is_shown_with_its_parts():
    estimate = MemoryEstimate(3 * MIB, 2000 * MIB, 7 * MIB)
    assert estimate.total == 2010 * MIB
    assert read_memory(estimate) == "weights 3 + recorded tensors 2,000 + working room 7 = 2,010 MiB"
