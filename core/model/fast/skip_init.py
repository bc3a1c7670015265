"""Building modules without drawing random weights, to count their parameters or to fill them in afterwards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

DRAWS = ("normal_", "uniform_", "kaiming_uniform_", "kaiming_normal_", "xavier_uniform_", "xavier_normal_")


@contextmanager
def skip_init(device: str = "meta") -> Iterator[None]:
    """Draw no weights for modules that are built inside the context.

    device: on PyTorch's "meta" device weights have shapes only. A draw there would change nothing, but the first one
        imports PyTorch's compiler, as `Module.to_empty` does: 70 MiB.
    """
    with torch.device(device), _NoDraws():
        yield


class _NoDraws(TorchFunctionMode):
    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        given = dict(kwargs or {})
        if func.__name__ in DRAWS:
            return args[0] if args else given["tensor"]
        return func(*args, **given)
