"""Numbers, shares and labels as sentences write them."""

from core.analysis.arithmetic import number
from core.readings.patterns import head_label, percent, quoted

__all__ = ["head_label", "number", "percent", "quoted"]
