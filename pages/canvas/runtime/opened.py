"""The cell that settings open in matrices, so that drawings follow another choice without the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Index = None | int | str | Sequence[int]  # all, one, "row" or "col" of the open cell, or a number for each column
Mark = tuple[str, Index, Index]  # a matrix, and the row and the column that are outlined in it


@dataclass(frozen=True)
class OpenMatrix:
    """A matrix of which a cell can be open.

    row: the row that opens by itself.
    cols: for each row, the column that opens by itself.
    width: how many columns there are.
    marks: the parts of matrices from which each cell was made.
    """

    row: int
    cols: Sequence[int]
    width: int
    marks: Sequence[Mark] = ()


@dataclass(frozen=True)
class Opened:
    """The cell of a matrix that three settings choose.

    keys: of the settings: the matrix, its row and its column; no matrix if there is only one.
    at: their values now; None for the row or the column that opens by itself.
    matrices: by their names.
    default: the matrix that is open if the chosen one is none of them.
    """

    keys: tuple[str | None, str, str]
    at: tuple[Any, Any, Any]
    matrices: Mapping[str, OpenMatrix]
    default: str

    @property
    def follows(self) -> frozenset[str]:
        """The keys of the settings."""
        return frozenset(key for key in self.keys if key is not None)

    def sets(self, matrix: str, row: int, col: int) -> dict[str, Any]:
        """Return the settings that a click on a cell changes: only the row, if no cell of the matrix can be open."""
        of_matrix, of_row, of_col = self.keys
        if matrix not in self.matrices:
            return {of_row: row}
        return ({of_matrix: matrix} if of_matrix else {}) | {of_row: row, of_col: col}

    def elsewhere(self) -> dict[str, Any]:
        """Return the settings that open the next cell, in another row and another column where there is one."""
        of_matrix, of_row, of_col = self.at
        matrix = of_matrix if of_matrix in self.matrices else self.default
        here = self.matrices[matrix]
        row = min(here.row if of_row is None else of_row, len(here.cols) - 1)
        col = here.cols[row] if of_col is None else of_col
        return self.sets(matrix, (row + 1) % len(here.cols), (col + 1) % here.width)

    def described(self) -> dict[str, Any]:
        """Return what opened.js reads: all of this as JSON values."""
        matrices = {
            name: {"row": each.row, "cols": list(each.cols), "width": each.width, "marks": list(map(list, each.marks))}
            for name, each in self.matrices.items()
        }
        return {"keys": list(self.keys), "at": list(self.at), "matrices": matrices, "default": self.default}
