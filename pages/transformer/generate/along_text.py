"""How unsure the model was before each token, and how surprised by it."""

import numpy as np

from core.charts.along_text import along_text_spec
from core.readings.generation import read_along
from pages.shell import Shown
from pages.transformer.generate.settings import LOOKED
from pages.transformer.generate.story import Story
from pages.transformer.generate.tables import along, window
from pages.widgets import Chart, Table, Values, spec


def show_along(story: Story, values: Values) -> Shown:
    """Entropy and surprisal of every token that was written."""
    written, here = story.written, story.token
    first, count = window(len(written), story.at)
    pieces = [each.piece for each in written]
    numbers = np.array([[each.surprisal, each.entropy, each.own, each.probability] for each in written])
    last = first + count - 1
    cut = f"These are tokens {first} to {last} of {len(written)}; click one above to move on."
    return Shown(
        lead="**Surprisal** is high where the model gave the written token a small chance. **Entropy** is the "
        "surprisal that was to be expected: high where many tokens were about equally likely. Click a bar to look at "
        "its token.",
        pictures=[
            Chart(
                along(written, story.at),
                spec(along_text_spec),
                key="generate-along",
                name="Entropy and surprisal along the text",
                sets=lambda place: {LOOKED.key: first + place},
            )
        ],
        takeaway=read_along(pieces, numbers[:, 0].tolist(), numbers[:, 1].tolist(), story.at),
        notes=[cut if count < len(written) else None],
        formula=r"\text{surprisal} = -\log_2 p_{\text{chosen}} \qquad \text{entropy} = -\sum_i p_i \log_2 p_i"
        rf"\qquad -\log_2 {here.own:.4f} = {here.surprisal:.3f}",
        table=Table(
            "along",
            numbers,
            [f"{n}:{piece}" for n, piece in enumerate(pieces)],
            ("surprisal, bits", "entropy, bits", "own chance", "chance at the draw"),
            corner="token",
        ),
        source=("core.explorer.generation.texts.generate",),
    )
