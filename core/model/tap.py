"""The tap protocol: how a model shows its tensors while it runs, and lets them be changed.

Model code says `q = tap("q", q)`: the tap may keep the tensor, and the model goes on with what the tap returns. It is
passed in by the caller and belongs to one call: nothing is left on the model. `core.tracing.taps` has the one that
records and edits.
"""

from typing import Protocol

from torch import Tensor


class Tap(Protocol):
    """What a model calls at each of its sites."""

    def __call__(self, name: str, x: Tensor) -> Tensor:
        """Sees the tensor of a site, and returns the one to go on with, of the same shape."""
        ...

    def touches(self, name: str) -> bool:
        """Whether this site is recorded or edited here; if not, the model may skip making it."""
        ...

    def scope(self, name: str) -> "Tap":
        """The same tap, one level further in: scope("decoder").scope("2") sees decoder.2.…"""
        ...


class IdentityTap:
    """Records nothing, changes nothing."""

    def __call__(self, name: str, x: Tensor) -> Tensor:
        return x

    def touches(self, name: str) -> bool:
        return False

    def scope(self, name: str) -> "IdentityTap":
        return self


IDENTITY: Tap = IdentityTap()
