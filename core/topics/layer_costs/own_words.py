"""What three kinds of layer do with each word of one text: the step that reads it, and what the last word has heard."""

from dataclasses import dataclass, replace

import numpy as np

from core.model.layer_kinds import LayerSizes
from core.topics.layer_costs.analysis import layer_operations, sequential_steps

OWN_KINDS = ("recurrent", "convolution", "self-attention")
LONGER = 100  # times as many words, for the comparison with a long text


@dataclass(frozen=True, eq=False)
class LayerReading:
    """One layer of a kind on a text of n words.

    steps (n,): the step, from 1, in which each word is read; words with the same step are read at once.
    reached (n,): whether the last output depends on the word.
    operations, operations_longer: multiply-adds for this text, and for one that is LONGER times as long.
    """

    kind: str
    steps: tuple[int, ...]
    reached: np.ndarray
    operations: int
    operations_longer: int


def own_words(sizes: LayerSizes) -> tuple[LayerReading, ...]:
    """Return what each of OWN_KINDS does with a text of these sizes."""
    return tuple(_reading(kind, sizes) for kind in OWN_KINDS)


def _reading(kind: str, sizes: LayerSizes) -> LayerReading:
    n, longer = sizes.n, replace(sizes, n=LONGER * sizes.n)
    last = sequential_steps(kind, sizes)  # n, or 1 if all words are read at once
    steps = tuple(range(1, n + 1)) if last == n else (last,) * n
    reached = np.arange(n) >= (n - sizes.k if kind == "convolution" else 0)
    operations, more = (sum(layer_operations(kind, each).values()) for each in (sizes, longer))
    return LayerReading(kind, steps, reached, operations, more)
