"""How the angles of rotary positions are changed for texts longer than those of training."""

from dataclasses import dataclass
from math import inf

KINDS = ("linear", "ntk", "llama3")


@dataclass(frozen=True)
class RotaryScaling:
    """A change of the angles by `factor`, as plain numbers.

    kind "linear": all angles divided by the factor (Chen et al. 2023); "ntk": the base times factor^(W / (W − 2)), W
    numbers of a head being turned, so that the slowest wave is `factor` times as long and the fastest stays; "llama3":
    waves longer than original_length / low_frequency_factor are slowed by the factor, those shorter than
    original_length / high_frequency_factor stay, and those between go over smoothly (Llama Team 2024). The other
    kinds do not use the last three.

    Raises ValueError, with the numbers in it, for one that cannot be.
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
