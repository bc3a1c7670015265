"""The view of the positions that a trained model learnt, beside the sinusoids."""

from collections.abc import Sequence

import numpy as np

from core.charts.positions_lines import lines_along
from core.topics.positions.learned import RelativeBiases
from core.topics.positions.readings.learned import read_learnt, read_relative, read_strongest
from core.topics.shared.labels import Labelled, numbered, with_labels
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import line_chart
from pages.canvas import Matrices, Panel
from pages.compute.cache import model_title
from pages.shell import Shown, View
from pages.widgets import Message, Table, Values

AXES = ("positions", "dimensions")
COSINES = {"before training": "start-cosines", "learnt": "learnt-cosines", "sinusoidal": "waves-cosines"}  # panel keys


def _show(run: Run, values: Values) -> Shown:
    """Show how alike every two positions are, as a square and by distance, and the tables of both encodings.

    For a model with relative positions, show the numbers that it adds to the scores.
    """
    if biases := queries.own_biases(run):
        return _show_biases(biases)
    name = queries.learner(run)
    if name is None:
        return Shown(pictures=[Message("No trained model here has learned positions.")])
    learned_table, title = queries.learned_table(name), model_title(name)
    tables, lines, titles = learned_table.cosines, learned_table.by_distance, {"learnt": f"learnt by {title}"}
    shown_note = (
        f"; the first {shown:,} are shown" if (shown := len(learned_table.learnt)) < learned_table.longest else ""
    )
    return Shown(
        lead="A model can learn one vector for each position, as it learns one for each token. Nothing tells it which "
        "positions are neighbours; whatever order there is comes from the texts.",
        pictures=[
            Matrices(
                [
                    _cosines(key, titles.get(encoding, encoding), tables[encoding])
                    for encoding, key in COSINES.items()
                    if encoding in tables
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
                    Panel("learnt", titles["learnt"], *with_labels(learned_table.learnt), *AXES, unit="encoding"),
                    Panel("sinusoids", "sinusoidal", *with_labels(learned_table.sinusoids), *AXES, unit="encoding"),
                ],
                key="positions-learnt",
                name="the table that was learnt, and the sinusoids",
                height=420,
            ),
        ],
        takeaway=read_learnt(title, lines),
        formula=r"\cos(p, q) = \frac{p \cdot q}{\lVert p \rVert \, \lVert q \rVert}",
        about="A row of a table is what is added to the token at that position. Sinusoids are computed, so they go on "
        "for ever; a learned table ends at the longest text that it was made for, "
        f"{learned_table.longest:,} tokens{shown_note}.",
        table=Table("learned-positions", *with_labels(learned_table.learnt), corner="position"),
        source=("core.analysis.word_maps.alike", "core.model.positions.sinusoidal"),
    )


def _cosines(name: str, title: str, values: np.ndarray) -> Panel:
    return Panel(name, title, *with_labels(values), "position", "position", "signed", limit=1, unit="cosine")


def _show_biases(biases: Sequence[RelativeBiases]) -> Shown:
    """Show the number that was learned for each head and distance, with a row for each head."""
    panels = [
        Panel(
            stack_biases.stack,
            f"Added to the scores of the {stack_biases.stack}",
            stack_biases.values,
            [f"head {head + 1}" for head in range(len(stack_biases.values))],
            [f"{step:+d}" if step else "0" for step in stack_biases.steps],
            "",
            "how far the key stands behind the query",
            "signed",
            unit="added",
        )
        for stack_biases in biases
    ]
    return Shown(
        lead="This model learned one number for each head and distance, and adds it to the **score** of every key at "
        "that distance. Near keys have a number each; far ones share theirs.",
        pictures=[Matrices(panels, key="positions-biases", name="what relative positions add", height=400)],
        takeaway=[
            read_strongest(biases[0].stack, *biases[0].strongest[:2]),
            *(read_relative(stack_biases.stack, *stack_biases.strongest) for stack_biases in biases),
        ],
        formula=r"S_{ij} = q_i \cdot k_j + b_{\text{bucket}(j - i)}",
        about="All layers of a stack have the same numbers (Raffel et al. 2020, section 2.1). Below 0, keys before the "
        "query; in a decoder there are no others.",
        table=[
            Table(f"biases-{stack_biases.stack}", *_labelled(stack_biases), corner="head") for stack_biases in biases
        ],
        source=(
            "core.model.attention_positions.RelativeBias.forward",
            "core.model.attention_positions.relative_bucket",
        ),
    )


def _labelled(stack_biases: RelativeBiases) -> Labelled:
    return Labelled(stack_biases.values, numbered(len(stack_biases.values)), [str(step) for step in stack_biases.steps])


VIEW = View("learned", _show, reads_text=False, reads_mask=False)
