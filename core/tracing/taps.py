"""The tap that records chosen sites and applies edits while a model runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self, TypeAlias

from torch import Tensor

from core.tracing.edits import Edit
from core.tracing.sites import parse

ALL = ("*",)
Reduce: TypeAlias = Callable[[Tensor], Tensor]


class RecordingTap:
    """A tap that records chosen sites and applies edits during one forward pass.

    record: site names ("pattern": wherever it occurs), keys ("decoder.2.pattern": only there), or ALL.
    reduce: by site name or key, a function whose result (a thumbnail, for example) is kept instead of the tensor; one
        for a key takes precedence.

    Raises ValueError, which lists the known sites, for an unknown one.
    """

    def __init__(
        self, record: Iterable[str] = (), edits: Sequence[Edit] = (), reduce: Mapping[str, Reduce] | None = None
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

    def scope(self, name: str) -> Self:
        """Return this tap with `name` added to its prefix: scope("decoder").scope("2") sees the keys decoder.2.…."""
        inner = object.__new__(type(self))
        inner.__dict__.update(self.__dict__, prefix=f"{self.prefix}{name}.")
        return inner

    def touches(self, name: str) -> bool:
        """Return whether this site is recorded or edited at this level."""
        key = self.prefix + name
        return self.records(key) or key in self.edits

    def records(self, key: str) -> bool:
        """Return whether the site at this full key is recorded."""
        return self.everything or key in self.record or key.rpartition(".")[2] in self.record

    def __call__(self, name: str, x: Tensor) -> Tensor:
        key = self.prefix + name
        for edit in self.edits.get(key, ()):
            x = edit.apply(x)
            self.done.add(key)
        if self.records(key):
            reduce = self.reduce.get(key, self.reduce.get(name))
            self.seen[key] = x if reduce is None else reduce(x)
        return x

    def missed(self) -> list[str]:
        """Return the site names and keys to record, and the keys of edits, that the model never reached."""
        passed = self.seen.keys() | {key.rpartition(".")[2] for key in self.seen}
        return sorted((self.record - passed) | (self.edits.keys() - self.done))
