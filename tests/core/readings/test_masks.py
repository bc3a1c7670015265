"""The arithmetic of an empty row."""

import numpy as np

from core.readings.masks import empty_row_arithmetic


def test_an_empty_row_is_worked_out_with_its_own_numbers() -> None:
    text = empty_row_arithmetic(2, np.full(4, np.nan), np.zeros(4), 3.14159)
    lines = text.splitlines()
    assert lines[0].startswith("row 2") and lines[1].endswith("[nan, nan, nan, …]")
    assert lines[2] == "this model     weights [0, 0, 0, …], so z = 0" and lines[3].endswith("output: 3.142")
    assert "…" not in empty_row_arithmetic(0, np.full(2, np.nan), np.zeros(2), 1.0)
