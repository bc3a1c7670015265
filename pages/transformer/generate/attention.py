"""Where every head looked when the token was chosen, and one of them large."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.explorer.shared.places import Place
from core.readings.heads import read_row
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.generate.story import Story
from pages.transformer.generate.text import LINES
from pages.widgets import SCORES, Caption, Control, Table, Values, head_picked, place_controls, place_of


def attention_controls(story: Story, values: Values) -> Iterator[Control]:
    yield from place_controls(story.run)


def show_attention(story: Story, values: Values) -> Shown:
    """The weights of the last token that was read when the token looked at was chosen."""
    config, place = story.run.config, place_of(story.run, values)
    seen = queries.attentions(story.run, story.ids)
    rows = seen.decoder[:, :, -1]  # (N, H, K)
    labels = [f"{n}:{piece}" for n, piece in enumerate(seen.pieces)]
    names = [f"L{n // config.heads + 1} H{n % config.heads + 1}" for n in range(config.layers * config.heads)]
    table, mine = rows.reshape(-1, rows.shape[2]), rows[place.layer, place.head]
    panel = Panel(
        "heads",
        f"Every head's weights when token {story.at} was chosen",
        table,
        names,
        labels,
        "head",
        "token looked at",
        scale="weight",
        outlines=[(place.layer * config.heads + place.head, None)],
    )
    every = Matrices(
        [panel],
        key="generate-heads",
        name="Attention of the last token, every head",
        height=560,
        sets=lambda _, row, column: head_picked(row // config.heads, row % config.heads),
    )
    width = config.key_width
    return Shown(
        lead="The last token read asks, every token can answer: each head shares out a **weight** of 1 among them. "
        "Layer and head pick one of the rows below.",
        pictures=[_one_head(place, seen.pieces, mine), every, Caption("Click a row to see that head above.")],
        takeaway=f"{head_name(place)}: {read_row(mine, labels[-1], labels)}",
        formula=rf"a = \mathrm{{softmax}}\Big({SCORES[config.score]}\Big) \qquad d_k = {width} \qquad "
        rf"q: 1 \times {width} \qquad K: {len(labels)} \times {width}",
        table=Table("attention", table, names, labels, corner="head"),
        source=("core.explorer.generation.views.look",),
    )


def _one_head(place: Place, pieces: Sequence[str], weights: np.ndarray) -> TokenButtons:
    most = float(weights.max()) or 1.0
    return TokenButtons(
        [Token(piece, f"weight {weight:.3f}", weight / most) for piece, weight in zip(pieces, weights, strict=True)],
        key="generate-weights",
        name=f"Where layer {place.layer + 1} head {place.head + 1} looks",
        selected=len(pieces) - 1,
        caption=f"{head_name(place)}: the stronger the colour, the more weight, up to {most:.3f} here. Outlined: the "
        "last token, which asks.",
        lines=LINES,
    )


def head_name(place: Place) -> str:
    return f"Layer {place.layer + 1}, head {place.head + 1}"
