"""What the model saw when it chose a token: its layers' guesses, its attention, its mask."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.analysis.head_readings import read_row
from core.charts.along_text import lens_data
from core.explorer.generation_views import lens as lens_verb
from core.explorer.records import Place
from core.explorer.writing import visible
from core.model.masks import MaskSpec
from pages.ui.canvas.chart_save import chart_save
from pages.ui.canvas.matrices import Panel, matrices
from pages.ui.canvas.token_buttons import Token, token_buttons
from pages.ui.generate.numbers import window
from pages.ui.generate.specs import lens_spec
from pages.ui.generate.text import Story
from pages.ui.numbers import numbers
from pages.ui.place import choose_place, pick_head
from pages.ui.say import code, formula, reading
from pages.ui.writing import cache

ROWS = 16


def show_layers(story: Story, at: int) -> None:
    """The logit lens: what each layer would have said after each token."""
    ids = (*story.ids(at), story.written[at].id)[: story.run.config.max_length]
    found = cache.lens(story.run, ids)
    first, shown = window(len(ids), len(ids) - 1, ROWS)
    labels = [f"{n}:{found.pieces[n]}" for n in range(first, first + shown)]
    best = [row[first : first + shown] for row in found.best]
    with st.container(key="generate-lens"):
        st.vega_lite_chart(
            lens_data(labels, best, found.probability[:, first : first + shown]), lens_spec(), width="stretch"
        )
    chart_save("generate-lens", name="What each layer would have said")
    row = len(story.ids(at)) - 1
    agreed = next(n for n in range(len(found.best)) if all(each[row] == found.best[-1][row] for each in found.best[n:]))
    reading(
        f"After {row}:{found.pieces[row]} the model's guess is “{found.best[-1][row]}”; "
        + (f"from layer {agreed} on every layer says so." if agreed else "every layer says so.")
    )
    st.caption(
        "Each layer's stream goes through the last norm and the unembedding, as if the model ended there "
        "(the logit lens, nostalgebraist 2020). Column 0 is the embedding alone."
    )
    table = found.chosen[:, : len(ids) - 1].T
    names = [f"layer {n}" for n in range(len(found.best))]
    numbers(
        "layers", table, [f"{n}:{p}" for n, p in enumerate(found.pieces[:-1])], names, "generate-lens-table", "token"
    )
    code(lens_verb, key="generate-code-lens")


def show_attention(story: Story, at: int) -> None:
    """Where every head looked when the token was chosen, and one of them large."""
    run, ids = story.run, story.ids(at)
    place = choose_place(run)
    seen = cache.attentions(run, ids)
    rows = seen.decoder[:, :, -1]  # (N, H, K)
    heads = run.config.heads
    names = [f"L{n // heads + 1} H{n % heads + 1}" for n in range(rows.shape[0] * heads)]
    labels = [f"{n}:{piece}" for n, piece in enumerate(seen.pieces)]
    mine = rows[place.layer, place.head]
    token_buttons(
        [Token(piece, f"weight {weight:.3f}", float(weight)) for piece, weight in zip(seen.pieces, mine, strict=True)],
        key="generate-looked",
        name=f"Where layer {place.layer + 1} head {place.head + 1} looks",
        selected=len(ids) - 1,
        caption=f"Layer {place.layer + 1}, head {place.head + 1}: the darker, the more weight. "
        "Outlined: the last token, which asks.",
    )
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
    matrices(
        [panel],
        key="generate-heads",
        name="Attention of the last token, every head",
        height=560,
        on_pick=lambda _, row, column: pick_head(row // heads, row % heads),
    )
    reading(read_row(mine, labels[-1], labels))
    numbers("attention", rows.reshape(-1, rows.shape[2]), names, labels, "generate-attention", "head")


def show_mask(story: Story, at: int) -> None:
    """The pattern of one head as it grows row by row, with what the causal mask hides crossed out."""
    run, ids = story.run, story.ids(at)
    place = choose_place(run)
    seen = cache.attentions(run, ids)
    pattern = seen.decoder[place.layer, place.head]
    may = visible(run, len(ids))
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
    matrices([panel], key="generate-mask", name="The growing pattern", height=560)
    hidden, near = int((~may).sum()), int(may[-1].sum())
    reading(
        f"To choose token {at} only row {len(ids) - 1} is new; the rows above it stay as they were, because the mask "
        f"hides {hidden:,} of {may.size:,} pairs: no token sees a later one"
        + ("." if near == len(ids) else f", and the newest row sees {near} of its {len(ids)}.")
    )
    formula(
        rf"\underset{{{len(ids)} \times {len(ids)}}}{{M}}:\; M_{{ij}} = -\infty \text{{ where hidden, as for }} j > i"
        r"\qquad A = \mathrm{softmax}(S + M)"
    )
    numbers("pattern", pattern, labels, labels, "generate-pattern")
    code(visible, MaskSpec.build, key="generate-code-mask")


def _name(place: Place) -> str:
    where = replace(place, cross=False)
    return f"Layer {where.layer + 1}, head {where.head + 1}"
