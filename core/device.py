"""Where a model runs and in which number format: chosen once, with the reason."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
MOST_PROCESSORS = 4


@dataclass(frozen=True)
class Placement:
    """A device and a number format, in plain words, and why they were chosen."""

    device: str
    dtype: str
    reason: str

    @property
    def torch_dtype(self) -> torch.dtype:
        return DTYPES[self.dtype]


def available() -> tuple[str, ...]:
    """The devices of this machine, the fastest first."""
    found = []
    if torch.cuda.is_available():
        found.append("cuda")
    if torch.backends.mps.is_available():
        found.append("mps")
    return (*found, "cpu")


def formats(device: str) -> tuple[str, ...]:
    """The number formats that `device` computes in, float32 first."""
    if device == "cuda":
        return ("float32", "bfloat16", "float16") if torch.cuda.is_bf16_supported() else ("float32", "float16")
    return ("float32", "float16") if device == "mps" else ("float32", "bfloat16")


def choose(device: str = "auto", dtype: str = "float32") -> Placement:
    """The placement for a wish; what this machine cannot do is replaced, and the reason says so.

    Raises ValueError for a device or format that does not exist at all.
    """
    if device not in DEVICES:
        raise ValueError(f"device {device!r} is not one of {', '.join(DEVICES)}")
    if dtype not in DTYPES:
        raise ValueError(f"number format {dtype!r} is not one of {', '.join(DTYPES)}")
    here = available()
    if device == "auto":
        chosen = here[0]
        reason = "the only device here" if len(here) == 1 else f"the fastest of {', '.join(here)}"
    elif device in here:
        chosen, reason = device, "as you chose"
    else:
        chosen, reason = here[0], f"this machine has no {device}"
    if dtype not in formats(chosen):
        return Placement(chosen, "float32", f"{reason}; {chosen} does not compute in {dtype}, so float32")
    return Placement(chosen, dtype, reason)


def processors() -> int:
    """How many processors a heavy run may use here, at most 4."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(here, MOST_PROCESSORS)


@contextmanager
def many_threads() -> Iterator[None]:
    """Within it torch computes on all `processors()` in the calling thread.

    Threads that have computed before keep their number; one that first computes meanwhile takes this one.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(max(before, processors()))
    try:
        yield
    finally:
        torch.set_num_threads(before)
