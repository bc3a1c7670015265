"""Opens safetensors files, and tells a damaged file apart from a machine that cannot open any file at the moment."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from safetensors import SafetensorError, safe_open

from core.limits import JSON_MIB
from core.memory import MIB
from core.text.bounded_read import strict_json

LENGTH = 8  # bytes that hold the length of the header
BUSY_ERRORS = (errno.ENOMEM, errno.EMFILE, errno.ENFILE)


@contextmanager
def open_tensors(path: Path, framework: str) -> Iterator[Any]:
    """Open a safetensors file with `safe_open`, after checking that the file is as long as its header says.

    framework: the kind of tensors that `safe_open` returns, such as "pt".

    Raises SafetensorError if the file is damaged or has another length, FileNotFoundError, and PermissionError. If the
    machine lacks memory or file handles, its MemoryError or OSError is passed on. safetensors itself reports any file
    that it cannot open as missing; therefore this function first opens the file itself, to learn the real error.
    """
    try:
        with path.open("rb") as file:
            _check_length(file)
    except (FileNotFoundError, PermissionError):
        raise
    except OSError as error:
        if error.errno in BUSY_ERRORS:
            raise
        raise SafetensorError(error.strerror) from error
    with safe_open(path, framework=framework) as opened:
        yield opened


def _check_length(file: BinaryIO) -> None:
    """Raise SafetensorError unless the header can be read and describes exactly the bytes of the file."""
    size, length = os.fstat(file.fileno()).st_size, int.from_bytes(file.read(LENGTH), "little")
    if length > JSON_MIB * MIB:
        raise SafetensorError("header too large")
    if LENGTH + length > size:
        raise SafetensorError("header cut off")
    try:
        header = strict_json(file.read(length))
        ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
        described = LENGTH + length + max(ends, default=0)
    except (ValueError, RecursionError, AttributeError, TypeError, KeyError, IndexError) as error:
        raise SafetensorError("header cannot be read") from error
    if described != size:
        raise SafetensorError(f"its header is that of a file of another size than {size:,} bytes")
