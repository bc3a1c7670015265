"""Tables that map the tensors of a model made elsewhere to the parameters of our transformer.

"Theirs" are the tensors of its files, "ours" the parameters of our transformer.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from torch import Tensor

Shape = tuple[int, ...]
Pick = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class TheirTensor:
    """A tensor of the model's files: its shape, and a function to extract each of our parameters in it, by name."""

    shape: Shape
    picks: Mapping[str, Pick]


@dataclass
class WeightTable:
    """The mapping from the tensors of a model's files ("theirs") to our parameters ("ours"), for one config.

    shapes: the shapes of our parameters, by name.
    tensors: their tensors that must be there.
    copies: their tensors that may be there in addition, and must then equal our parameter of the given name.
    constants: their tensors that may be there although they can be computed: the shape, and the function that computes
    them.
    unused: a pattern for the names of tensors that play no part in a run.
    factors: the numbers that multiply our parameters after they are filled, by the name of their layer ("w_q").
    """

    shapes: Mapping[str, Shape]
    tensors: dict[str, TheirTensor] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    constants: dict[str, tuple[Shape, Callable[[], Tensor]]] = field(default_factory=dict)
    unused: re.Pattern[str] = re.compile(r"(?!)")
    factors: Mapping[str, float] = field(default_factory=dict)

    def factor(self, our_name: str) -> float:
        """Return the number that multiplies one of our parameters."""
        return self.factors.get(our_name.rpartition(".")[0].rpartition(".")[2], 1.0)

    def take(self, their_name: str, our_name: str) -> None:
        """Map a file tensor to one of our parameters unchanged."""
        self.tensors[their_name] = TheirTensor(self.shapes[our_name], {our_name: _itself})

    def take_transposed(self, their_name: str, our_name: str) -> None:
        """Map a file's matrix, stored as (inputs, outputs), to one of our parameters, transposed."""
        rows, columns = self.shapes[our_name]
        self.tensors[their_name] = TheirTensor((columns, rows), {our_name: _transposed})

    def take_row(self, their_name: str, our_name: str) -> None:
        """Map a file's matrix of one row to one of our parameters, a vector."""
        self.tensors[their_name] = TheirTensor((1, *self.shapes[our_name]), {our_name: lambda x: x[0]})

    def take_behind(self, their_name: str, our_name: str, skipped: int) -> None:
        """Map a file's matrix to one of our parameters, without its first `skipped` rows."""
        rows, columns = self.shapes[our_name]
        self.tensors[their_name] = TheirTensor((rows + skipped, columns), {our_name: lambda x: x[skipped:]})

    def split(self, their_name: str, our_names: Iterable[str], transposed: bool = False) -> None:
        """Map one file tensor to several of our parameters, which it stacks one below the other.

        transposed: whether the file stores the stack transposed.
        """
        picks: dict[str, Pick] = {}
        start = 0
        for name in our_names:
            end = start + self.shapes[name][0]
            picks[name] = _rows(start, end, transposed)
            start, last = end, name
        shape = (start, *self.shapes[last][1:])
        self.tensors[their_name] = TheirTensor(shape[::-1] if transposed else shape, picks)

    def split_heads(self, their_name: str, our_names: tuple[str, ...], heads: int) -> None:
        """Map one file tensor to several of our parameters, which it interleaves head by head.

        It holds the rows of head 1 for each of our parameters in turn, then those of head 2, and so on.
        """
        rows, *others = self.shapes[our_names[0]]
        picks = {name: _head_rows(heads, len(our_names), number) for number, name in enumerate(our_names)}
        self.tensors[their_name] = TheirTensor((rows * len(our_names), *others), picks)

    def linear(self, their_name: str, our_name: str) -> None:
        """Map the weight of a linear layer or a norm, and its bias if ours has one."""
        for part in ("weight", "bias"):
            if f"{our_name}.{part}" in self.shapes:
                self.take(f"{their_name}.{part}", f"{our_name}.{part}")

    def linears(self, their_prefix: str, our_prefix: str, names: Iterable[tuple[str, str]]) -> None:
        """Map several linear layers or norms, whose names all have one prefix on their side and one on ours."""
        for their_name, our_name in names:
            self.linear(f"{their_prefix}{their_name}", f"{our_prefix}{our_name}")

    def unembedding(self, their_name: str, tied: bool) -> None:
        """Map the matrix that computes the logits; if it is tied, it is a copy of the embeddings."""
        if tied:
            self.copies[their_name] = "embed.weight"
        else:
            self.take(their_name, "unembed.weight")

    def take_copies(self, names_in_files: Collection[str]) -> None:
        """Replace each tied tensor that the files lack by a copy of it that they hold.

        names_in_files: the names of the tensors in the files.
        """
        for missing in [name for name in self.tensors if name not in names_in_files]:
            our_names = tuple(self.tensors[missing].picks)
            copy = next(
                (name for name, our_name in self.copies.items() if (our_name,) == our_names and name in names_in_files),
                None,
            )
            if copy is not None:
                del self.tensors[missing], self.copies[copy]
                self.take(copy, *our_names)


def _itself(x: Tensor) -> Tensor:
    return x


def _transposed(x: Tensor) -> Tensor:
    return x.T


def _rows(start: int, end: int, transposed: bool) -> Pick:
    return lambda x: (x.T if transposed and x.dim() == 2 else x)[start:end]


def _head_rows(heads: int, parts: int, number: int) -> Pick:
    return lambda x: x.unflatten(0, (heads, parts, -1))[:, number].flatten(0, 1)
