"""Reads and writes JSON files of numbers measured in advance, because measuring takes too long while a visitor waits.

Each file describes its own content.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.limits import MEASURED_MIB
from core.memory import MIB
from core.text.bounded_read import bounded_bytes, strict_json
from core.text.broken_file import BrokenFile

MEASURED_FOLDER = Path(__file__).parents[2] / "assets" / "measured"


def write_measured(path: Path, values: Mapping[str, Any]) -> None:
    """Write a file of measured numbers, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def rebuild_measured(name: str) -> str:
    """Return the command that measures the numbers of a file again.

    name: the file's name without its ending.
    """
    kind, _, model = name.partition("-")
    if name == "neuron-texts":
        kind, model = "neurons", ""
    data = "" if kind in {"heads", "pronouns"} else " --data DIR"
    return f"python -m core.training {kind}{data}" + (f" --model {model}" if model else "")


def load_measured(name: str, folder: Path = MEASURED_FOLDER) -> Mapping[str, Any]:
    """Read the numbers of ``name.json``.

    Raises BrokenFile if the file is missing or damaged.
    """
    again = rebuild_measured(name)
    try:
        values = strict_json(bounded_bytes(folder / f"{name}.json", MEASURED_MIB * MIB))
    except FileNotFoundError:
        raise BrokenFile(f"The file {name}.json is missing.", again) from None
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else error  # an OSError's own text holds the path
        raise BrokenFile(f"The file {name}.json cannot be read ({why}).", again) from error
    if not isinstance(values, dict):
        raise BrokenFile(f"The file {name}.json holds no object.", again)
    return values
