"""Tables of the page Translate that hold words beside numbers, each with its CSV."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.ui.numbers import csv_button

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def listed(name: str, columns: dict[str, Sequence[str | int | float]], key: str) -> None:
    """A table on screen and all of it as a file `name`.csv."""
    st.dataframe(columns, hide_index=True, key=key)
    csv_button(name, lambda: csv(columns), key)


def csv(columns: dict[str, Sequence[str | int | float]]) -> str:
    """The table as CSV. Text that a spreadsheet would take for a formula gets an apostrophe in front."""
    return pd.DataFrame({name: [_guarded(cell) for cell in cells] for name, cells in columns.items()}).to_csv(
        index=False
    )


def _guarded(cell: str | int | float) -> str | int | float:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
