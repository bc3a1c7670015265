"""`tap`: the one way to look inside a model and to interfere. `Trace`: what a tap has seen.

Model code says `q = tap("q", q)`. A tap records the sites that it was asked for and applies the edits that it was
given; the identity tap does nothing. A tap belongs to one call: nothing is left on the model.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import torch
from torch import Tensor

from core.tracing.edits import Edit
from core.tracing.sites import parse

ALL = ("*",)
Keep: TypeAlias = Callable[[Tensor], Tensor]


class IdentityTap:
    """Records nothing, changes nothing."""

    def __call__(self, name: str, x: Tensor) -> Tensor:
        return x

    def touches(self, name: str) -> bool:
        return False

    def scope(self, name: str) -> "IdentityTap":
        return self


IDENTITY = IdentityTap()


class Tap:
    """Records chosen sites and applies edits during one forward pass.

    record: site names ("pattern": wherever it occurs), keys ("decoder.2.pattern": only there), or ALL. reduce: for
    a site name or a key, what to keep of its tensor (a thumbnail, say) instead of the tensor. An unknown site is a
    ValueError that lists the right ones.
    """

    def __init__(
        self, record: Iterable[str] = (), edits: Sequence[Edit] = (), reduce: Mapping[str, Keep] | None = None
    ) -> None:
        self.prefix = ""
        record = tuple(record)
        self.everything = record == ALL
        self.record = frozenset(() if self.everything else record)
        for key in (*self.record, *(reduce or {})):
            parse(key)
        self.edits: dict[str, list[Edit]] = {}
        for edit in edits:
            self.edits.setdefault(edit.key, []).append(edit)
        self.reduce = dict(reduce or {})
        self.seen: dict[str, Tensor] = {}
        self.done: set[str] = set()

    def scope(self, name: str) -> "Tap":
        """The same tap, one room further in: scope("decoder").scope("2") sees decoder.2.…"""
        inner = object.__new__(Tap)
        inner.__dict__.update(self.__dict__, prefix=f"{self.prefix}{name}.")
        return inner

    def touches(self, name: str) -> bool:
        """Whether this site is recorded or edited here; if not, the model may skip making it."""
        key = self.prefix + name
        return self.records(key) or key in self.edits

    def records(self, key: str) -> bool:
        """Whether the site at this full key is recorded."""
        return self.everything or key in self.record or key.rpartition(".")[2] in self.record

    def __call__(self, name: str, x: Tensor) -> Tensor:
        key = self.prefix + name
        for edit in self.edits.get(key, ()):
            x = edit.apply(x)
            self.done.add(key)
        if self.records(key):
            keep = self.reduce.get(key, self.reduce.get(name))
            self.seen[key] = x if keep is None else keep(x)
        return x

    def missed(self) -> list[str]:
        """Edits and full keys that the run never passed."""
        wanted = {key for key in self.record if "." in key}
        return sorted((wanted - self.seen.keys()) | (self.edits.keys() - self.done))


AnyTap: TypeAlias = Tap | IdentityTap


class Trace(Mapping[str, Tensor]):
    """The named tensors of one forward pass, by key, in the order in which they were made."""

    def __init__(self, tensors: Mapping[str, Tensor], output: Tensor) -> None:
        self._tensors = dict(tensors)
        self.output = output

    def __getitem__(self, key: str) -> Tensor:
        if key not in self._tensors:
            parse(key)
            raise KeyError(f"{key} was not recorded; recorded are {', '.join(self._tensors) or 'no sites'}")
        return self._tensors[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def stack(self, name: str, stack: str, cross: bool = False) -> Tensor:
        """(N, …): one site of every layer of a stack, on top of each other."""
        layers = {}
        for key, tensor in self._tensors.items():
            place, layer, crossing, site = parse(key)
            if (place, crossing, site.name) == (stack, cross, name) and layer is not None:
                layers[layer] = tensor
        if not layers:
            raise KeyError(f"{name} was not recorded in the {stack}")
        return torch.stack([layers[number] for number in sorted(layers)])


def trace(
    model: Callable[..., Tensor],
    *inputs: object,
    record: Iterable[str] = ALL,
    edits: Sequence[Edit] = (),
    reduce: Mapping[str, Keep] | None = None,
    **options: object,
) -> Trace:
    """Run `model(*inputs, **options)` without gradients and hand back what its tap saw.

    A recorded key or an edit that this model never passes is a ValueError.
    """
    tap = Tap(record, edits, reduce)
    with torch.inference_mode():
        output = model(*inputs, tap=tap, **options)
    if missed := tap.missed():
        raise ValueError(f"this model has no {', '.join(missed)}")
    return Trace(tap.seen, output)
