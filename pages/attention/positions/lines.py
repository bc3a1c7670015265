"""Lines along positions or distances, as the views of this page show them."""

from collections.abc import Sequence

from core.charts.positions_lines import Line, lines_data, lines_spec
from pages.widgets import Chart, spec

LIMIT = "model's length"


def line_chart(
    key: str, name: str, lines: Sequence[Line], words: tuple[str, str, str], log: bool = False, limit: int | None = None
) -> Chart:
    """words: the title, and what goes to the right and up. limit: where the model's length ends, if it is marked."""
    marked = "" if limit is None else LIMIT
    return Chart(lines_data(lines, limit, log), spec(lines_spec, *words, log, marked), key, name)
