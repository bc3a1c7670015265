"""Scaling of the rotary angles for texts longer than those of training."""

from dataclasses import dataclass
from math import inf

KINDS = ("linear", "ntk", "llama3")


@dataclass(frozen=True)
class RotaryScaling:
    """A scaling of the rotary angles by `factor`, as plain values.

    kind: one of three:
        "linear": all angles are divided by the factor (Chen et al. 2023).
        "ntk": the base is multiplied by factor^(W / (W − 2)), W being the number of dimensions of a head that are
            rotated, so that the slowest wave becomes `factor` times as long and the fastest stays the same.
        "llama3": waves longer than original_length / low_frequency_factor are slowed by the factor, waves shorter than
            original_length / high_frequency_factor stay the same, and those between change gradually (Llama Team 2024).
    low_frequency_factor, high_frequency_factor, original_length: used by "llama3" only.

    Raises ValueError, with the numbers in it, for values that are not possible.
    """

    kind: str
    factor: float
    low_frequency_factor: float = 1.0
    high_frequency_factor: float = 4.0
    original_length: int = 8192

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"rotary scaling {self.kind!r} is not one of {', '.join(KINDS)}")
        if not 1 <= self.factor < inf:
            raise ValueError(f"the factor of rotary scaling must be at least 1 and finite, not {self.factor}")
        low, high = self.low_frequency_factor, self.high_frequency_factor
        if not 0 < low < high < inf:
            raise ValueError(f"low_frequency_factor must be above 0 and below high_frequency_factor: {low} and {high}")
        if self.original_length < 1:
            raise ValueError(f"original_length must be at least 1, not {self.original_length}")
