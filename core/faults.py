"""Turn failures of this machine into sentences: no memory, a full disk, too many open files, a failed device."""

import errno
import gc
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from core.device import disable, responds, why_given_up
from core.memory import trim_heap

NO_MEMORY = (
    "This machine has not enough free memory for that just now. Take a shorter text or a smaller model, or try again "
    "in a moment."
)
NO_GPU_MEMORY = NO_MEMORY.replace("This machine", "The GPU")
DISK_FULL = "The disk of this machine is full, and this needs a file for a moment. What needs none works as before."
NO_WRITING = (
    "This machine lets the app write no files, and this needs one for a moment. What needs none works as before."
)
NO_OPENING = "This machine does not let the app open a file that this needs."
BUSY_MESSAGE = "This machine has too many files open just now. Try again in a moment."
DEVICE_FAILED = "The device failed at this run and works again: try once more, or another size."
# In the messages of torch's RuntimeErrors, which have no classes of their own.
MEMORY_WORDS = ("allocate memory", "out of memory", "not enough memory", "bad_alloc", "STATUS_ALLOC_FAILED")
DEVICE_WORDS = {"cuda": ("CUDA error", "CUDA driver", "CUDA-capable", "cuDNN error", "NVIDIA driver"), "mps": ("MPS",)}
TOO_MANY = (errno.EMFILE, errno.ENFILE)
FULL_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ACCESS_ERRORS = (errno.EACCES, errno.EPERM)


class MachineFault(ValueError):
    """A failure of this machine, with a message that the visitor can read."""


class NoMemory(MachineFault):
    """This machine, or its GPU, has not enough free memory."""


@contextmanager
def machine_faults() -> Iterator[None]:
    """Raise failures of this machine within this context as `MachineFault`, and other errors unchanged.

    After a failure the tensors of the failed run are freed. A device that does not answer is not used again.
    """
    try:
        yield
    except Exception as error:
        fault = read_fault(error)
        if fault is None:
            raise
        traceback.clear_frames(error.__traceback__)  # their tensors
    else:
        return
    gc.collect()
    trim_heap()
    raise fault


def read_fault(error: Exception) -> MachineFault | None:
    """Return the failure of this machine that caused an error; None if there was none, or for a `MachineFault`."""
    words = str(error)
    if isinstance(error, MachineFault):
        return None
    if isinstance(error, torch.OutOfMemoryError) or "MPS backend out of memory" in words:
        return NoMemory(NO_GPU_MEMORY)
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return NoMemory(NO_MEMORY)
    if isinstance(error, OSError):
        return _read_disk(error)
    if not isinstance(error, RuntimeError) or isinstance(error, NotImplementedError):
        return None
    if any(phrase in words for phrase in MEMORY_WORDS):
        return NoMemory(NO_MEMORY)
    named = (device for device, marks in DEVICE_WORDS.items() if any(mark in words for mark in marks))
    if device := next(named, "cuda" if isinstance(error, torch.AcceleratorError) else ""):
        return _read_device(device)
    return None


def _read_device(device: str) -> MachineFault:
    """Return the failure of a device, and disable the device unless it works again."""
    if responds(device):
        return MachineFault(DEVICE_FAILED)
    disable(device)
    return MachineFault(why_given_up())


def _read_disk(error: OSError) -> MachineFault | None:
    if error.errno in FULL_DISK_ERRORS:
        return MachineFault(DISK_FULL)
    if error.errno in TOO_MANY:
        return MachineFault(BUSY_MESSAGE)
    if error.errno in ACCESS_ERRORS:
        return MachineFault(NO_OPENING)
    nowhere = isinstance(error, FileNotFoundError) and "temporary directory" in str(error)  # of tempfile
    return MachineFault(NO_WRITING) if nowhere or error.errno == errno.EROFS else None
