"""Numbers that were measured once, too slow to find while somebody waits: JSON files that say what they are."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MEASURED_FOLDER = Path(__file__).parents[2] / "assets" / "measured"


def write_measured(path: Path, values: Mapping[str, Any]) -> None:
    """Writes a file of measured numbers, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


def load_measured(name: str, folder: Path = MEASURED_FOLDER) -> Mapping[str, Any]:
    """The numbers of ``name.json``. ValueError where they are missing or damaged."""
    try:
        values = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"The file {name}.json is missing.") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"The file {name}.json cannot be read ({error}).") from error
    if not isinstance(values, dict):
        raise ValueError(f"The file {name}.json holds no object.")
    return values
