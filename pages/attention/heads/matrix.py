"""One head's pattern, large, as a matrix."""

from collections.abc import Iterator
from dataclasses import replace

from core.tracing.run import Run
from pages.attention.heads.grid import title
from pages.attention.heads.pattern import pattern_at, pattern_controls
from pages.attention.heads.settings import LEAST
from pages.canvas import Matrices
from pages.shell import Shown
from pages.widgets import Control, Link, Values, place_controls

LEAD = (
    "Each small square is one **head** of the model. Rows are the tokens that look (**queries**), columns the tokens "
    "looked at (**keys**): the stronger the colour, the more **attention**."
)


def matrix_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield from pattern_controls()


def show_matrix(run: Run, values: Values) -> Shown:
    """All heads small and one large; a click on a row pins its query, and a second click lets it go."""
    at = pattern_at(run, values)
    shown, row, name = at.treated(at.place.head, values[LEAST] / 100), at.row, title(at.place)
    rows, columns = shown.pattern.shape
    panel = at.panel(shown)
    picture = Matrices(
        [panel],
        key="heads-matrix",
        name=f"{name} pattern, {rows} queries × {columns} keys",
        height=520,
        sets=lambda _, clicked, column: at.pin(None if clicked == row else clicked),
    )
    link = Link("Take this head apart, step by step", "self-attention", icon=":material/stairs:")
    return replace(at.shown([picture, link], shown, panel), lead=LEAD)
