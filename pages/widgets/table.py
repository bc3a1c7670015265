"""The numbers of a picture as a table and as CSV."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
import streamlit as st

from pages.widgets.parts import Part

SHOWN_ROWS = 200
FORMULA = ("=", "+", "-", "@", "\t", "\r")
Cell = str | int | float


class AnyTable(Protocol):
    """A table that the layout can show with its CSV."""

    @property
    def name(self) -> str: ...

    @property
    def unfolded(self) -> bool: ...

    def frame(self) -> pd.DataFrame: ...

    def note(self) -> str: ...


@dataclass(frozen=True, eq=False)
class Table:
    """One matrix of numbers (R, C), NaN for a cell without a number, with its row and column labels.

    name: its CSV is called name.csv.
    corner: name of the rows, which heads the column of their labels.
    unfolded: whether it is shown at once, because the table is the picture.
    """

    name: str
    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]
    corner: str = "query"
    unfolded: bool = False

    def frame(self) -> pd.DataFrame:
        """Return the whole table, with the row labels in the first column, headed `corner`."""
        names = [name if name != self.corner else f"{name} " for name in self.columns]
        frame = pd.DataFrame(np.asarray(self.values), columns=names)
        frame.insert(0, self.corner, list(self.rows))
        return frame

    def note(self) -> str:
        """Return a sentence about the part that the screen leaves out; "" if there is none."""
        if max(self.values.shape) <= SHOWN_ROWS:
            return ""
        return f"The table shows the first {SHOWN_ROWS} rows and columns; the CSV has all {self.values.shape}."


@dataclass(frozen=True)
class Listing:
    """A table that holds words beside numbers, as columns by their names."""

    name: str
    columns: Mapping[str, Sequence[Cell]]
    unfolded: bool = False

    def frame(self) -> pd.DataFrame:
        return pd.DataFrame({name: list(cells) for name, cells in self.columns.items()})

    def note(self) -> str:
        return ""


@dataclass(frozen=True)
class Numbers(Part):
    """A table among the pictures, as `data_table` draws it."""

    table: AnyTable
    key: str

    def draw(self) -> None:
        data_table(self.table, self.key)


def data_table(table: AnyTable, key: str, several: bool = False) -> None:
    """Draw the table, folded unless it says otherwise, and a button that downloads all of it.

    several: whether other tables stand beside it, so that its fold has to say which one it is.
    """
    if table.unfolded:
        _draw(table, key)
    else:
        label = f"The numbers: {table.name.replace('-', ' ')}" if several else "The numbers"
        panel = st.expander(label, icon=":material/table:", key=f"{key}-table", on_change="rerun")
        if panel.open:
            with panel:
                _draw(table, key)
    csv_button(table.name, lambda: csv(table.frame()), key)


BYTE_ORDER_MARK = "\ufeff"  # tells spreadsheets that the file is in UTF-8


def csv_button(name: str, make: Callable[[], str], key: str) -> None:
    """Draw a button that downloads the text from `make()` as `name`.csv."""
    st.download_button(
        "CSV",
        lambda: BYTE_ORDER_MARK + make(),
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        key=f"{key}-csv",
        on_click="ignore",
        type="tertiary",
    )


def csv(frame: pd.DataFrame) -> str:
    """Return the table as CSV.

    Text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    guarded = frame.map(_guarded)
    guarded.columns = pd.Index([_guarded(name) for name in frame.columns])
    return guarded.to_csv(index=False)


def _guarded(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _draw(table: AnyTable, key: str) -> None:
    shown = table.frame().iloc[:SHOWN_ROWS, : SHOWN_ROWS + 1]
    st.dataframe(shown, key=f"{key}-frame", hide_index=True, placeholder="–")
    if note := table.note():
        st.caption(note)
