"""The numbers of a picture as a table and as CSV."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import streamlit as st

SHOWN = 200


def numbers(
    name: str,
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    key: str,
    corner: str = "query",
    unfolded: bool = False,
) -> None:
    """A folded (or `unfolded`) table of one matrix, with a download of all of it.

    values (R, C), NaN where there is none, shown as "–"; the table on screen stops at 200 rows and columns, the CSV
    never does.
    """
    if unfolded:
        _frame(values, rows, columns, key, corner)
    else:
        panel = st.expander("The numbers", icon=":material/table:", key=f"{key}-table", on_change="rerun")
        if panel.open:
            with panel:
                _frame(values, rows, columns, key, corner)
    csv_button(name, lambda: csv(values, rows, columns, corner), key)


def csv_button(name: str, make: Callable[[], str], key: str) -> None:
    """A button that downloads what `make()` gives as `name`.csv."""
    st.download_button(
        "CSV",
        make,
        file_name=f"{name}.csv",
        mime="text/csv",
        icon=":material/download:",
        key=f"{key}-csv",
        on_click="ignore",
        type="tertiary",
    )


def _frame(values: np.ndarray, rows: Sequence[str], columns: Sequence[str], key: str, corner: str) -> None:
    shown = table(values[:SHOWN, :SHOWN], rows[:SHOWN], columns[:SHOWN], corner)
    st.dataframe(shown, key=f"{key}-frame", hide_index=True, placeholder="–")
    if max(values.shape) > SHOWN:
        st.caption(f"The table shows the first {SHOWN} rows and columns; the CSV has all {values.shape}.")


def table(values: np.ndarray, rows: Sequence[str], columns: Sequence[str], corner: str = "query") -> pd.DataFrame:
    """(R, C) numbers with the row labels in the first column, which is headed `corner`."""
    names = [name if name != corner else f"{name} " for name in columns]
    frame = pd.DataFrame(np.asarray(values), columns=names)
    frame.insert(0, corner, list(rows))
    return frame


def csv(values: np.ndarray, rows: Sequence[str], columns: Sequence[str], corner: str = "query") -> str:
    """The same as CSV. A label that a spreadsheet would take for a formula gets an apostrophe in front."""
    guard = [f"'{label}" if label[:1] in "=+-@\t\r" else label for label in rows]
    heads = [f"'{label}" if label[:1] in "=+-@\t\r" else label for label in columns]
    return table(values, guard, heads, corner).to_csv(index=False)
