"""Choose the device that a model runs on and the number format that it computes in."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread

import torch

from core.limits import GPU_SPARE_MIB, PROCESSORS
from core.memory import MIB, memory_ceiling, memory_limit

DEVICES = ("auto", "cpu", "cuda", "mps")
NAMES = {"cpu": "the CPU", "cuda": "CUDA", "mps": "MPS"}
MEMORIES = {"cpu": "this machine's memory", "cuda": "the GPU's memory", "mps": "the GPU's memory"}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
_GIVEN_UP: dict[str, None] = {}  # devices that have failed since this process began; it can use none of them again


@dataclass(frozen=True)
class Placement:
    """A device, a number format, and why they were chosen.

    device: "cpu", "cuda" or "mps".
    dtype: a key of DTYPES.
    reason: for people to read. Placements that differ in it alone are equal, so they share what is cached.
    """

    device: str
    dtype: str
    reason: str = field(default="", compare=False, repr=False)

    @property
    def torch_dtype(self) -> torch.dtype:
        return DTYPES[self.dtype]


def available() -> tuple[str, ...]:
    """Return the devices of this machine that have not failed, the fastest first."""
    devices = []
    if torch.cuda.is_available():
        devices.append("cuda")
    if torch.backends.mps.is_available():
        devices.append("mps")
    return (*(device for device in devices if device not in _GIVEN_UP), "cpu")


def disable(device: str) -> None:
    """Stop using a device that has failed, until this process ends. The CPU cannot be disabled."""
    if device != "cpu":
        _GIVEN_UP.setdefault(device)


def responds(device: str) -> bool:
    """Return whether a device works: it computes a sum of two numbers, or has no memory left for it."""
    try:
        return float(torch.ones(1, device=device).add(1).cpu()) == 2
    except torch.OutOfMemoryError:
        return True
    except (RuntimeError, AssertionError):  # it is lost; torch was built without it
        return False


def is_given_up(device: str) -> bool:
    """Return whether a device has been disabled."""
    return device in _GIVEN_UP


def why_given_up() -> str:
    """Return a sentence with the devices that have failed and the one used instead; "" if none has failed."""
    if not _GIVEN_UP:
        return ""
    failed = " and ".join(tuple(_GIVEN_UP))
    return f"{failed} failed on this machine, so {available()[0]} computes until the server restarts."


def formats(device: str) -> tuple[str, ...]:
    """Return the number formats that a device computes in, float32 first.

    Raises RuntimeError if its driver does not answer.
    """
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
    """Return the placement that is nearest to what is asked for.

    A device or format that this machine does not have is replaced, and the reason says so.

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
    """Return how many processors a heavy run may use here."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, PROCESSORS)


def memory_of(device: str, emptied: bool = False) -> int:
    """Return the bytes of a device's memory that one run may use: on a GPU what is free, less GPU_SPARE_MIB.

    Memory that PyTorch keeps for its next tensors is free. A GPU that does not say is judged as this machine is.

    emptied: whether the tensors that are on the GPU now, such as other models, go to make room.
    """
    try:
        if device == "cuda":
            free, held = torch.cuda.mem_get_info()[0] + torch.cuda.memory_reserved(), torch.cuda.memory_allocated()
        elif device == "mps":
            free, held = torch.mps.recommended_max_memory(), torch.mps.current_allocated_memory()
            free = min(free, memory_limit()) if memory_ceiling() else free  # its memory is the machine's
        else:
            return memory_limit()
    except (AttributeError, AssertionError, RuntimeError):  # PyTorch asserts that it was built for such a GPU
        return memory_limit()
    return max(0, free - (0 if emptied else held) - GPU_SPARE_MIB * MIB)


def largest_memory() -> tuple[int, str]:
    """Return the bytes that one run may use in the memory here that has most room, and the name of that memory."""
    return max((memory_of(device), MEMORIES[device]) for device in available())


@contextmanager
def many_threads() -> Iterator[None]:
    """Let torch compute on all `processors()` in the calling thread, within this context.

    Other threads compute as before: sums are rounded differently on two processors than on one. Torch keeps the number
    of processors for each thread, and gives the last number that was set to each thread that has not computed yet. So
    another thread sets the old number again at once.
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
