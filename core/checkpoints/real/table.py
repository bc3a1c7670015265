"""Which of our parameters is made of which of their tensors."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from torch import Tensor

Shape = tuple[int, ...]
Pick = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class TheirTensor:
    """One tensor of theirs: its shape, and for each of our parameters that it holds how that is taken out of it."""

    shape: Shape
    picks: Mapping[str, Pick]


@dataclass
class WeightTable:
    """A family's tensors for one config.

    shapes: of our parameters, by name. tensors: theirs that must be there. copies: theirs that may be there beside
    them, and must then equal our parameter of that name. constants: theirs that may be there though they can be
    computed: their shape, and what makes them. unused: a pattern of names that are no part of what is run.
    """

    shapes: Mapping[str, Shape]
    tensors: dict[str, TheirTensor] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    constants: dict[str, tuple[Shape, Callable[[], Tensor]]] = field(default_factory=dict)
    unused: re.Pattern[str] = re.compile(r"(?!)")

    def take(self, theirs: str, ours: str) -> None:
        """Theirs is ours."""
        self.tensors[theirs] = TheirTensor(self.shapes[ours], {ours: _itself})

    def take_transposed(self, theirs: str, ours: str) -> None:
        """A matrix that they keep as (inputs, outputs)."""
        rows, columns = self.shapes[ours]
        self.tensors[theirs] = TheirTensor((columns, rows), {ours: _transposed})

    def take_row(self, theirs: str, ours: str) -> None:
        """A vector that they keep as a matrix of one row."""
        self.tensors[theirs] = TheirTensor((1, *self.shapes[ours]), {ours: lambda x: x[0]})

    def take_behind(self, theirs: str, ours: str, skipped: int) -> None:
        """Take a table without its first rows, of which so many are skipped."""
        rows, columns = self.shapes[ours]
        self.tensors[theirs] = TheirTensor((rows + skipped, columns), {ours: lambda x: x[skipped:]})

    def split(self, theirs: str, ours: Iterable[str], transposed: bool = False) -> None:
        """Several of ours, one below the other."""
        picks: dict[str, Pick] = {}
        start = 0
        for name in ours:
            end = start + self.shapes[name][0]
            picks[name] = _rows(start, end, transposed)
            start, last = end, name
        shape = (start, *self.shapes[last][1:])
        self.tensors[theirs] = TheirTensor(shape[::-1] if transposed else shape, picks)

    def split_heads(self, theirs: str, ours: tuple[str, ...], heads: int) -> None:
        """Several of ours, head by head: the rows of the first head for each of them, then those of the second."""
        rows, *others = self.shapes[ours[0]]
        picks = {name: _head_rows(heads, len(ours), number) for number, name in enumerate(ours)}
        self.tensors[theirs] = TheirTensor((rows * len(ours), *others), picks)

    def linear(self, theirs: str, ours: str) -> None:
        """The weight of a linear layer or a norm, and its bias where ours has one."""
        for part in ("weight", "bias"):
            if f"{ours}.{part}" in self.shapes:
                self.take(f"{theirs}.{part}", f"{ours}.{part}")

    def linears(self, theirs: str, ours: str, names: Iterable[tuple[str, str]]) -> None:
        """Several of them, behind one prefix of theirs and of ours."""
        for their_name, our_name in names:
            self.linear(f"{theirs}{their_name}", f"{ours}{our_name}")

    def unembedding(self, theirs: str, tied: bool) -> None:
        """What gives every piece its logit: the embeddings once more, where both are tied."""
        if tied:
            self.copies[theirs] = "embed.weight"
        else:
            self.take(theirs, "unembed.weight")

    def take_copies(self, there: Collection[str]) -> None:
        """Take a tied tensor by another of its names where the usual one is missing. there: the names in the files."""
        for missing in [name for name in self.tensors if name not in there]:
            ours = tuple(self.tensors[missing].picks)
            other = next((name for name, own in self.copies.items() if (own,) == ours and name in there), None)
            if other is not None:
                del self.tensors[missing], self.copies[other]
                self.take(other, *ours)


def _itself(x: Tensor) -> Tensor:
    return x


def _transposed(x: Tensor) -> Tensor:
    return x.T


def _rows(start: int, end: int, transposed: bool) -> Pick:
    return lambda x: (x.T if transposed and x.dim() == 2 else x)[start:end]


def _head_rows(heads: int, parts: int, number: int) -> Pick:
    return lambda x: x.unflatten(0, (heads, parts, -1))[:, number].flatten(0, 1)
