"""A table of numbers and words, for saved pages; the app itself shows tables by Streamlit."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import pandas as pd

from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.pack import pack

MAX_EXACT_INTEGER = 2**24  # whole numbers up to this are the same in float32


@dataclass(frozen=True)
class NumberTable(CanvasDrawing):
    """A table whose first column names the rows.

    frame: its columns, of numbers or of words; a number that is NaN is drawn as "–".
    note: a sentence below it.
    name: its name.
    """

    frame: pd.DataFrame
    note: str = ""
    _: KW_ONLY
    key: str
    name: str

    clicks = ()

    def packed(self) -> bytes:
        """Return the table as bytes for number_table.js: columns of words in the meta, the others in one array."""
        words: dict[str, list[str]] = {}
        numbers: list[np.ndarray[Any, Any]] = []
        for place, name in enumerate(self.frame.columns):
            column = self.frame[name].to_numpy()
            if _is_exact(column):
                numbers.append(column.astype(np.float32))
            else:
                words[str(place)] = [str(cell) for cell in column]
        values = np.stack(numbers, axis=1) if numbers else np.zeros((len(self.frame), 0), np.float32)  # (rows, columns)
        meta = {"name": self.name, "note": self.note, "columns": [str(name) for name in self.frame.columns]}
        return pack(meta | {"words": words}, {"values": values})


def _is_exact(column: np.ndarray[Any, Any]) -> bool:
    """Return whether a column holds numbers that float32 can hold as well as the screen shows them."""
    if column.dtype.kind == "f":
        return True
    return column.dtype.kind in "iu" and (not column.size or int(np.abs(column).max()) <= MAX_EXACT_INTEGER)
