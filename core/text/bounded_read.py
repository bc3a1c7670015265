"""Read whole files, which may not exceed a given size, and parse strict JSON."""

import json
from pathlib import Path
from typing import Any, NoReturn


def bounded_bytes(path: Path, max_bytes: int) -> bytes:
    """Return a file's bytes.

    Raises ValueError if it has more than `max_bytes`, before any is read, and OSError if it cannot be read.
    """
    if (size := path.stat().st_size) > max_bytes:
        raise ValueError(f"{path.name} has {size:,} bytes, and {max_bytes:,} are the most.")
    return path.read_bytes()


def strict_json(raw: bytes) -> Any:
    """Return the value in the bytes of a JSON file.

    Raises ValueError if they are not JSON or contain NaN or Infinity, and RecursionError if they are nested too deeply.
    """
    return json.loads(raw.decode("utf-8"), parse_constant=_not_a_number)


def _not_a_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
