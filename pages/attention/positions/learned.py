"""The positions that a trained model learnt, beside the sinusoids."""

import numpy as np

from core.charts.positions_lines import lines_along
from core.explorer.positions.tables import with_labels
from core.readings.learned_positions import read_learnt
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import line_chart
from pages.canvas import Matrices, Panel
from pages.queries.models import model_title
from pages.shell import Shown
from pages.widgets import Message, Table, Values

AXES = ("positions", "dimensions")


def show_learned(run: Run, values: Values) -> Shown:
    """How alike every two positions are, as a square and by distance, and both tables."""
    name = queries.learner(run)
    if name is None:
        return Shown(pictures=[Message("No trained model here has learned positions.")])
    found, title = queries.learned_table(name), model_title(name)
    tables, lines = found.cosines, found.by_distance
    return Shown(
        lead="A model can learn one vector for each position, as it learns one for each token. Nothing tells it which "
        "positions are neighbours; whatever order there is comes from the texts.",
        pictures=[
            Matrices(
                [
                    _cosines("start-cosines", "before training", tables["before training"]),
                    _cosines("learnt-cosines", f"learnt by {title}", tables["learnt"]),
                    _cosines("waves-cosines", "sinusoidal", tables["sinusoidal"]),
                ],
                key="positions-alike",
                name="how alike every two positions are",
                height=420,
            ),
            line_chart(
                "positions-learnt-distance",
                "mean cosine by distance",
                lines_along(lines),
                ("How alike are two positions?", "distance |p − q|", "mean cosine"),
            ),
            Matrices(
                [
                    Panel("learnt", f"learnt by {title}", *with_labels(found.learnt), *AXES, unit="encoding"),
                    Panel("sinusoids", "sinusoidal", *with_labels(found.sinusoids), *AXES, unit="encoding"),
                ],
                key="positions-learnt",
                name="the table that was learnt, and the sinusoids",
                height=420,
            ),
        ],
        takeaway=read_learnt(title, lines),
        formula=r"\cos(p, q) = \frac{p \cdot q}{\lVert p \rVert \, \lVert q \rVert}",
        about="A row of a table is what is added to the token at that position. Sinusoids are computed, so they go on "
        "for ever; a learned table ends at the longest text that the model was trained on, "
        f"{len(found.learnt):,} tokens.",
        table=Table("learned-positions", *with_labels(found.learnt), corner="position"),
        source=("core.analysis.word_maps.alike", "core.model.positions.sinusoidal"),
    )


def _cosines(name: str, title: str, values: np.ndarray) -> Panel:
    return Panel(name, title, *with_labels(values), "position", "position", "signed", limit=1, unit="cosine")
