"""The last layer of a classifier: from its encoder's output to one number for each class."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class ClassLayer:
    """What a classifier makes of its encoder's output.

    labels: the names of its C classes.
    linear: D numbers to C logits, float32 on the CPU.
    dense, activation: a layer before it, as BERT and its relatives have; None where there is none.
    first: whether the layer reads the first token's output; otherwise it reads the mean of all.
    followed: the class whose probability is looked at, against all others.
    """

    labels: tuple[str, ...]
    linear: nn.Linear
    dense: nn.Linear | None = None
    activation: Callable[[Tensor], Tensor] = torch.tanh
    first: bool = False
    followed: int = 1

    @property
    def sides(self) -> tuple[str, str]:
        """The names of what is not followed and of what is: of two classes theirs, of more "not X" and "X"."""
        name = self.labels[self.followed]
        return (self.labels[1 - self.followed] if len(self.labels) == 2 else f"not {name}"), name

    @property
    def praise(self) -> int | None:
        """Which of two classes is praise, by their names ("negative", "POS"); None where they do not say it."""
        starts = [label[:3].lower() for label in self.labels]
        return starts.index("pos") if sorted(starts) == ["neg", "pos"] else None

    @property
    def parameters(self) -> int:
        layers = [self.linear] if self.dense is None else [self.dense, self.linear]
        return sum(weights.numel() for layer in layers for weights in layer.parameters())

    def following(self, number: int) -> "ClassLayer":
        """The same layer, looking at the probability of another class."""
        return replace(self, followed=number)

    def logits(self, rows: Tensor, lengths: Sequence[int] | None = None) -> Tensor:
        """(…, C) one number for each class, of an encoder's output (…, S, D).

        lengths: of (B, S, D), how many rows of each text are read; the others are padding. None: all of them.
        """
        pooled = self._pooled(rows.float().cpu(), lengths)
        if self.dense is not None:
            pooled = self.activation(self.dense(pooled))
        found: Tensor = self.linear(pooled)
        return found

    def margin(self, logits: Tensor) -> Tensor:
        """(…,) the log-odds of the followed class: its logit less the log of the others' summed exponentials.

        Of two classes that is the difference of their logits. Its sigmoid is the softmax's probability.
        """
        others = [number for number in range(len(self.labels)) if number != self.followed]
        return logits[..., self.followed] - logits[..., others].logsumexp(-1)

    def _pooled(self, rows: Tensor, lengths: Sequence[int] | None) -> Tensor:
        if self.first:
            return rows[..., 0, :]
        if lengths is None:
            return rows.mean(-2)
        counts = torch.tensor(lengths)[:, None]
        padding = torch.arange(rows.shape[-2]) >= counts
        return rows.masked_fill(padding[..., None], 0.0).sum(-2) / counts
