"""The tap protocol, by which a caller observes or changes a model's tensors while it runs.

Model code writes `q = tap("q", q)`: the tap may record the tensor, and the model continues with the tensor that the tap
returns. The caller passes the tap in for one call; nothing is stored on the model. `core.tracing.taps` has the tap that
records and edits.
"""

from collections.abc import Callable
from typing import Protocol

from torch import Tensor

Check = Callable[[], None]  # called during long work, which it cancels by raising an exception


class Tap(Protocol):
    """The object that a model calls at each of its sites."""

    def __call__(self, name: str, x: Tensor) -> Tensor:
        """Receive the tensor of a site and return the tensor to continue with, of the same shape."""
        ...

    def touches(self, name: str) -> bool:
        """Return whether this site is recorded or edited; if not, the model may skip computing it."""
        ...

    def scope(self, name: str) -> "Tap":
        """Return this tap with `name` added in front of every site's name.

        `tap.scope("decoder").scope("2")` sees the sites decoder.2.…
        """
        ...


class IdentityTap:
    """A tap that records nothing and changes nothing."""

    def __call__(self, name: str, x: Tensor) -> Tensor:
        return x

    def touches(self, name: str) -> bool:
        return False

    def scope(self, name: str) -> "IdentityTap":
        return self


IDENTITY: Tap = IdentityTap()


class CancelTap:
    """A tap that calls `check` at the input of each block, to cancel a pass, and passes every site on to `tap`."""

    def __init__(self, check: Check, tap: Tap) -> None:
        self.check, self.tap = check, tap

    def __call__(self, name: str, x: Tensor) -> Tensor:
        if name == "resid_pre":
            self.check()
        return self.tap(name, x)

    def touches(self, name: str) -> bool:
        return self.tap.touches(name)

    def scope(self, name: str) -> "CancelTap":
        return CancelTap(self.check, self.tap.scope(name))
