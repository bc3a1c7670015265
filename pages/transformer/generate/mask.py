"""The pattern of one head as it grows row by row, with what the causal mask hides crossed out."""

import numpy as np

from core.explorer.generation.setup import generation_mask
from core.readings.generation import read_newest_row
from pages.canvas import Matrices, Panel
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.generate.attention import head_name
from pages.transformer.generate.story import Story
from pages.widgets import Table, Values, place_of


def show_mask(story: Story, values: Values) -> Shown:
    """The weights of all tokens that were read when the token looked at was chosen."""
    place, seen = place_of(story.run, values), queries.attentions(story.run, story.ids)
    pattern = seen.decoder[place.layer, place.head]  # (L, L)
    length = len(pattern)
    may = generation_mask(story.run, length)
    labels = [f"{n}:{piece}" for n, piece in enumerate(seen.pieces)]
    panel = Panel(
        "pattern",
        f"{head_name(place)}: one row more with every token",
        np.where(may, pattern, -np.inf),
        labels,
        labels,
        "queries",
        "keys",
        scale="weight",
        outlines=[(length - 1, None)],
    )
    return Shown(
        pictures=[Matrices([panel], key="generate-mask", name="The growing pattern", height=560)],
        takeaway=read_newest_row(may, float(pattern[-1, -1]), labels[-1]),
        formula=rf"\underset{{{length} \times {length}}}{{M}} \qquad"
        r"M_{ij} = -\infty \text{ where hidden, as for } j > i \qquad A = \mathrm{softmax}(S + M)",
        about="Striped: hidden by the mask. A token may look at itself and at what came before, never ahead. Press "
        "**Step** above: each new token adds a row and a column.",
        table=Table("pattern", pattern, labels, labels),
        source=("core.explorer.generation.setup.generation_mask", "core.model.masks.MaskSpec.build"),
    )
