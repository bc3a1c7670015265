"""Several texts that were drawn at once: the start that they share, and the likeliest of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from core.topics.generate.records import Sample
from core.topics.generate.texts import per_token
from core.topics.shared.labels import Labelled


@dataclass(frozen=True)
class DrawnTexts:
    """Texts drawn from the model after the same beginning; the first one is text 0."""

    samples: tuple[Sample, ...]

    @property
    def several(self) -> bool:
        return len(self.samples) > 1

    @property
    def shared(self) -> int:
        """The number of leading tokens that all texts share; 0 for a single text."""
        return shared_start(self.samples) if self.several else 0

    @property
    def bits(self) -> list[float]:
        """The model's own surprisal of each text, in bits per token."""
        return [-per_token(sample.log_probability, len(sample.ids)) for sample in self.samples]

    @property
    def likeliest(self) -> int | None:
        """The text with the fewest bits per token; None for a single text."""
        return int(np.argmin(self.bits)) if self.several else None

    @property
    def table(self) -> Labelled:
        """A table with a row for each text, (T, 3)."""
        pairs = list(zip(self.bits, self.samples, strict=True))
        numbers = np.array([[bits, sample.log_probability, len(sample.ids)] for bits, sample in pairs])
        rows = [f"{number}: {sample.text}" for number, sample in enumerate(self.samples)]
        return Labelled(numbers, rows, ("bits per token", "log-probability, nats", "tokens"))


def shared_start(samples: Sequence[Sample]) -> int:
    """Return the number of leading tokens that all samples share."""
    places = zip(*(sample.ids for sample in samples), strict=False)
    return sum(1 for _ in takewhile(lambda tokens: len(set(tokens)) == 1, places))
