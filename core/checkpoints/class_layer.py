"""The last layer of a classifier, from its encoder's output to one logit for each class."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class ClassLayer:
    """The layers of a classifier after its encoder.

    labels: the names of its C classes.
    linear: the layer from D numbers to C logits, float32 on the CPU.
    dense: a layer before it, as BERT and its relatives have; None if there is none.
    activation: the function between the two layers.
    first: whether the first token's output is read; otherwise the mean over all tokens is.
    followed: the class whose probability is reported, against all others together.
    """

    labels: tuple[str, ...]
    linear: nn.Linear
    dense: nn.Linear | None = None
    activation: Callable[[Tensor], Tensor] = torch.tanh
    first: bool = False
    followed: int = 1

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides of the verdict: against the followed class, and for it.

        With two classes these are their names; with more they are "not X" and "X".
        """
        name = self.labels[self.followed]
        return (self.labels[1 - self.followed] if len(self.labels) == 2 else f"not {name}"), name

    @property
    def praise(self) -> int | None:
        """The number of the class that is praise; None if the classes' names do not show it.

        They show it if there are two and one begins with "neg", the other with "pos", in capitals or not ("negative",
        "POS").
        """
        starts = [label[:3].lower() for label in self.labels]
        return starts.index("pos") if sorted(starts) == ["neg", "pos"] else None

    @property
    def parameters(self) -> int:
        layers = [self.linear] if self.dense is None else [self.dense, self.linear]
        return sum(weights.numel() for layer in layers for weights in layer.parameters())

    def following(self, number: int) -> "ClassLayer":
        """Return a copy of this layer that follows the probability of another class."""
        return replace(self, followed=number)

    def logits(self, rows: Tensor, lengths: Sequence[int] | None = None) -> Tensor:
        """Return the logits of the classes (…, C) for an encoder's output (…, S, D).

        lengths: for (B, S, D), the number of rows of each text that are read; the others are padding. None to read all
        of them.
        """
        pooled = self._pooled(rows.float().cpu(), lengths)
        if self.dense is not None:
            pooled = self.activation(self.dense(pooled))
        logits: Tensor = self.linear(pooled)
        return logits

    def margin(self, logits: Tensor) -> Tensor:
        """Return the log-odds (…,) of the followed class: its logit minus the log of the others' summed exponentials.

        For two classes that is the difference of their logits. Its sigmoid is the probability that softmax gives the
        class.
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
