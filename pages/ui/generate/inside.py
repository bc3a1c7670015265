"""What the model saw when it chose a token: its layers' guesses, its attention, its mask."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.charts.along_text import lens_data
from core.explorer.generation.setup import generation_mask
from core.explorer.generation.views import lens as lens_verb
from core.explorer.generation.views import look
from core.explorer.shared.places import Place
from core.model.masks import MaskSpec
from core.readings.generation import read_lens, read_newest_row
from core.readings.heads import read_row
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.formulas import SCORES
from pages.ui.generate.clickable import clickable
from pages.ui.generate.numbers import window
from pages.ui.generate.specs import lens_spec
from pages.ui.generate.text import LINES, Story, look_at
from pages.ui.numbers import numbers
from pages.ui.place import choose_place, pick_head
from pages.ui.say import code, formula, notes, reading
from pages.ui.writing import cache

ROWS = 16


def show_layers(story: Story, at: int) -> None:
    """The logit lens: what each layer would have said after each token that was read when token `at` was chosen."""
    st.caption(
        "What would the model have said if it ended after this layer? Each row is a token that it had read. Click a "
        "row to see the token that was chosen there."
    )
    read, chosen = story.ids(at), story.written[at]
    found = cache.lens(story.run, (*read, chosen.chosen)[: story.run.config.max_length])
    first, shown = window(len(read), len(read) - 1, ROWS)
    rows = slice(first, first + shown)
    labels = [f"{n}:{found.pieces[n]}" for n in range(first, first + shown)]
    came = [*found.pieces[1 : len(read)], chosen.piece][rows]
    data = lens_data(labels, [best[rows] for best in found.best], found.probability[:, rows], came, shown - 1)

    def picked(place: int) -> None:
        token = story.chosen_after(first + place)
        if token is not None:
            look_at(token)

    clickable("generate-lens", data, lens_spec(), picked)
    chart_save("generate-lens", name="What each layer would have said")
    if shown < len(read):
        notes([f"These are the last {shown} of {len(read)} tokens; click an earlier token above to see those before."])
    asking = len(read) - 1
    guesses, chances = [best[asking] for best in found.best], [float(row[asking]) for row in found.probability]
    reading(read_lens(guesses, chances, chosen.piece, f"{asking}:{found.pieces[asking]}"))
    st.caption(
        "Each layer's stream goes through the last norm and the unembedding: the **logit lens** (nostalgebraist 2020). "
        "Column 0 is the embedding alone, before any layer. Outlined: the row that chose the token. The table "
        "holds each layer's chance for the token that was really next."
    )
    names = [f"layer {n}" for n in range(len(found.best))]
    table, pieces = found.chosen[:, : len(read)].T, [f"{n}:{p}" for n, p in enumerate(found.pieces[: len(read)])]
    numbers("layers", table, pieces, names, "generate-lens-table", "token")
    code(lens_verb, key="generate-code-lens")


def show_attention(story: Story, at: int) -> None:
    """Where every head looked when the token was chosen, and one of them large."""
    run, ids = story.run, story.ids(at)
    st.caption(
        "The last token read asks, every token can answer: each head shares out a **weight** of 1 among them. "
        "Layer and head pick one of the rows below."
    )
    place = choose_place(run)
    seen = cache.attentions(run, ids)
    rows = seen.decoder[:, :, -1]  # (N, H, K)
    heads = run.config.heads
    names = [f"L{n // heads + 1} H{n % heads + 1}" for n in range(rows.shape[0] * heads)]
    labels = [f"{n}:{piece}" for n, piece in enumerate(seen.pieces)]
    mine = rows[place.layer, place.head]
    most = float(mine.max()) or 1.0
    TokenButtons(
        [Token(piece, f"weight {weight:.3f}", weight / most) for piece, weight in zip(seen.pieces, mine, strict=True)],
        key="generate-looked",
        name=f"Where layer {place.layer + 1} head {place.head + 1} looks",
        selected=len(ids) - 1,
        caption=f"Layer {place.layer + 1}, head {place.head + 1}: the stronger the colour, the more weight, up to "
        f"{most:.3f} here. Outlined: the last token, which asks.",
        lines=LINES,
    ).draw()
    panel = Panel(
        "heads",
        f"Every head's weights when token {at} was chosen",
        rows.reshape(-1, rows.shape[2]),
        names,
        labels,
        "head",
        "token looked at",
        scale="weight",
        outlines=[(place.layer * heads + place.head, None)],
    )
    Matrices(
        [panel],
        key="generate-heads",
        name="Attention of the last token, every head",
        height=560,
        sets=lambda _, row, column: pick_head(row // heads, row % heads),
    ).draw()
    st.caption("Click a row to see that head above.")
    reading(f"{_name(place)}: {read_row(mine, labels[-1], labels)}")
    width = run.config.key_width
    formula(
        rf"a = \mathrm{{softmax}}\Big({SCORES[run.config.score]}\Big) \qquad d_k = {width} \qquad "
        rf"q: 1 \times {width} \qquad K: {len(ids)} \times {width}"
    )
    numbers("attention", rows.reshape(-1, rows.shape[2]), names, labels, "generate-attention", "head")
    code(look, key="generate-code-look")


def show_mask(story: Story, at: int) -> None:
    """The pattern of one head as it grows row by row, with what the causal mask hides crossed out."""
    run, ids = story.run, story.ids(at)
    place = choose_place(run)
    seen = cache.attentions(run, ids)
    pattern = seen.decoder[place.layer, place.head]
    may = generation_mask(run, len(ids))
    labels = [f"{n}:{piece}" for n, piece in enumerate(seen.pieces)]
    panel = Panel(
        "pattern",
        f"{_name(place)}: one row more with every token",
        np.where(may, pattern, -np.inf),
        labels,
        labels,
        "queries",
        "keys",
        scale="weight",
        outlines=[(len(ids) - 1, None)],
    )
    Matrices([panel], key="generate-mask", name="The growing pattern", height=560).draw()
    st.caption(
        "Striped: hidden by the mask. A token may look at itself and at what came before, never ahead. Press **Step** "
        "above: each new token adds a row and a column."
    )
    reading(read_newest_row(may, float(pattern[-1, -1]), labels[-1]))
    formula(
        rf"\underset{{{len(ids)} \times {len(ids)}}}{{M}} \qquad"
        r"M_{ij} = -\infty \text{ where hidden, as for } j > i \qquad A = \mathrm{softmax}(S + M)"
    )
    numbers("pattern", pattern, labels, labels, "generate-pattern")
    code(generation_mask, MaskSpec.build, key="generate-code-mask")


def _name(place: Place) -> str:
    where = replace(place, cross=False)
    return f"Layer {where.layer + 1}, head {where.head + 1}"
