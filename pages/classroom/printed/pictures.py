"""The tables of weights in the picture of a question, as they are printed."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.explore import Matrix
from core.topics.self_attention.records import LookUp
from core.topics.shared.truth import MOST_LABELS
from pages.canvas.bridge.bridge import Bridge
from pages.canvas.lines.lines import TokenLines
from pages.canvas.matrices.matrices import Matrices
from pages.canvas.runtime.drawing import Drawing
from pages.canvas.soft_dictionary.soft_dictionary import SoftDictionary
from pages.shell.parts import drawings_in
from pages.widgets import Part


def tables_in(parts: Sequence[Part]) -> tuple[Matrix, ...]:
    """Return the tables of weights in the drawings among parts, those alone that are small enough for paper."""
    found = [table for drawing in drawings_in(parts) for table in _tables_of(drawing)]
    return tuple(table for table in found if table.rows and table.columns and max(table.values.shape) <= MOST_LABELS)


def _tables_of(drawing: Drawing) -> Iterator[Matrix]:
    """Yield the weights that a drawing shows, with their names; NaN where the mask hides a pair."""
    match drawing:
        case Matrices():
            for panel in drawing.panels:
                if panel.scale == "weight":
                    weights = np.where(np.isfinite(panel.values), panel.values, np.nan)
                    yield Matrix(weights, tuple(panel.rows), tuple(panel.cols), panel.title, panel.largest_value)
        case TokenLines() if len(drawing.weights) == 1:
            yield Matrix(drawing.weights[0], tuple(drawing.queries), tuple(drawing.keys), drawing.caption)
        case SoftDictionary():
            asked = LookUp(drawing.scores, drawing.values, drawing.allowed, drawing.query, tuple(drawing.keys))
            weights = np.where(asked.allowed, asked.weights(drawing.temperature), np.nan)[None]
            yield Matrix(weights, (asked.query,), asked.keys, f"Weights at temperature {drawing.temperature:.4g}")
        case Bridge():
            yield Matrix(drawing.weights, tuple(drawing.written), tuple(drawing.read), drawing.name)
