"""Where a model runs and in which number format: chosen once, with the reason."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread

import torch

from core.limits import PROCESSORS

DEVICES = ("auto", "cpu", "cuda", "mps")
NAMES = {"cpu": "the CPU", "cuda": "CUDA", "mps": "MPS"}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
_GIVEN_UP: dict[str, None] = {}  # devices that have failed since this process began; it can use none of them again


@dataclass(frozen=True)
class Placement:
    """A device and a number format, in plain words. reason: why they were chosen, by which placements do not differ:
    what was made or computed for one is there for the other."""

    device: str
    dtype: str
    reason: str = field(default="", compare=False, repr=False)

    @property
    def torch_dtype(self) -> torch.dtype:
        return DTYPES[self.dtype]


def available() -> tuple[str, ...]:
    """The devices of this machine that have not failed, the fastest first."""
    devices = []
    if torch.cuda.is_available():
        devices.append("cuda")
    if torch.backends.mps.is_available():
        devices.append("mps")
    return (*(device for device in devices if device not in _GIVEN_UP), "cpu")


def disable(device: str) -> None:
    """Use a device no more that has failed, until this process ends."""
    if device != "cpu":
        _GIVEN_UP.setdefault(device)


def responds(device: str) -> bool:
    """Whether a device computes something small just now, or is only full."""
    try:
        return float(torch.ones(1, device=device).add(1).cpu()) == 2
    except torch.OutOfMemoryError:
        return True
    except (RuntimeError, AssertionError):  # it is lost; torch was built without it
        return False


def is_given_up(device: str) -> bool:
    """Whether a device has failed."""
    return device in _GIVEN_UP


def why_given_up() -> str:
    """That devices have failed and what is used in their place; "" where none has."""
    if not _GIVEN_UP:
        return ""
    failed = " and ".join(tuple(_GIVEN_UP))
    return f"{failed} failed on this machine, so {available()[0]} computes until the server restarts."


def formats(device: str) -> tuple[str, ...]:
    """The number formats that `device` computes in, float32 first."""
    if device == "cuda":
        return ("float32", "bfloat16", "float16") if torch.cuda.is_bf16_supported() else ("float32", "float16")
    return ("float32", "float16") if device == "mps" else ("float32", "bfloat16")


def usable_formats() -> tuple[str, ...]:
    """Return the number formats in which any device here computes, float32 first."""
    usable: set[str] = set()
    for device in available():
        try:
            usable.update(formats(device))
        except RuntimeError:  # its driver does not answer
            disable(device)
    return tuple(dtype for dtype in DTYPES if dtype in usable)


def why_no_device(device: str) -> str | None:
    """Return why a device cannot be used here; "" if it can, None for something that is no device."""
    if device not in DEVICES:
        return None
    if device in ("auto", *(here := available())):
        return ""
    return (
        why_given_up()
        if is_given_up(device)
        else f"There is no {device.upper()} device here; {NAMES[here[0]]} computes."
    )


def why_no_format(dtype: str) -> str | None:
    """Return why a number format cannot be used here; "" if it can, None for something that is no format."""
    if dtype not in DTYPES:
        return None
    return "" if dtype in usable_formats() else f"No device here computes in {dtype}; float32 is used."


def choose(device: str = "auto", dtype: str = "float32") -> Placement:
    """The placement for a wish; what this machine cannot do is replaced, and the reason says so.

    Raises ValueError for a device or format that does not exist at all.
    """
    if device not in DEVICES:
        raise ValueError(f"device {device!r} is not one of {', '.join(DEVICES)}")
    if dtype not in DTYPES:
        raise ValueError(f"number format {dtype!r} is not one of {', '.join(DTYPES)}")
    devices = available()
    if device == "auto":
        chosen = devices[0]
        reason = "the only device here" if len(devices) == 1 else f"the fastest of {', '.join(devices)}"
    elif device in devices:
        chosen, reason = device, "as you chose"
    else:
        chosen, reason = devices[0], f"{device} failed here" if is_given_up(device) else f"this machine has no {device}"
    try:
        able = formats(chosen)
    except RuntimeError:  # its driver does not answer
        disable(chosen)
        return choose(device, dtype)
    if dtype not in able:
        return Placement(chosen, "float32", f"{reason}; {chosen} does not compute in {dtype}, so float32")
    return Placement(chosen, dtype, reason)


def processors() -> int:
    """How many processors a heavy run may use here."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, PROCESSORS)


@contextmanager
def many_threads() -> Iterator[None]:
    """Within it torch computes on all `processors()` in the calling thread, and in every other as before.

    torch keeps the number for each thread, and the last one that was set for threads that have not computed yet: that
    is set back by another thread, for sums are rounded otherwise on two processors than on one.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(max(before, processors()))
    thread = Thread(target=torch.set_num_threads, args=(before,))
    thread.start()
    thread.join()
    try:
        yield
    finally:
        torch.set_num_threads(before)
