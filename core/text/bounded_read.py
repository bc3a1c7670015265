"""Files that are read whole, none longer than such a file can be, and the JSON that is in them."""

import json
from pathlib import Path
from typing import Any, NoReturn


def bounded_bytes(path: Path, most: int) -> bytes:
    """A file's bytes. ValueError where it has more than `most`, before any is read; OSError where it cannot be read."""
    if (size := path.stat().st_size) > most:
        raise ValueError(f"{path.name} has {size:,} bytes, and {most:,} are the most.")
    return path.read_bytes()


def strict_json(raw: bytes) -> Any:
    """What a JSON file holds. ValueError where it is none or holds NaN or Infinity, RecursionError where it is deep."""
    return json.loads(raw.decode("utf-8"), parse_constant=_not_a_number)


def _not_a_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
