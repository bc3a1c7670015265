"""The views of every head's weights when the token was chosen, and of one head's pattern as it grows row by row."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.readings.generation import name_head, read_newest_row, write_causal_mask, write_newest_query
from core.readings.heads import read_look, read_row
from core.readings.scores import SCORE_FORMULAS
from core.readings.words import capital
from core.text.labels import bare, head_label, token_name
from core.topics.generate.along import GrowingPattern, growing_pattern
from core.topics.generate.story import Story
from core.topics.shared.places import HeadAddress
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.generate.story import LINES, once_written
from pages.widgets import Caption, Control, Table, Values, head_picked, place_controls, place_of


def _attention_controls(story: Story, values: Values) -> Iterator[Control]:
    yield from place_controls(story.run)


SINK = " and a learned number that belongs to no token"


def _show_attention(story: Story, values: Values) -> Shown:
    """Show every head's weights at the choice of the selected token: those of the last token read before it."""
    config, layer_head = story.run.config, place_of(story.run, values)
    attentions, heads = queries.attentions(story.run, story.ids), config.heads
    weights = attentions.decoder[layer_head.layer, layer_head.head, -1]  # (K,)
    name = capital(head_label(layer_head.layer, layer_head.head))
    title, axes = f"Every head's weights when “{story.token.piece}” was chosen", ("head", "token looked at")
    outlines = [(layer_head.layer * heads + layer_head.head, None)]
    every = Matrices(
        [Panel("heads", title, *attentions.newest_rows, *axes, scale="weight", outlines=outlines)],
        key="generate-heads",
        name="Attention of the last token, every head",
        height=560,
        sets=lambda _, row, column: head_picked(row // heads, row % heads),
    )
    return Shown(
        lead="The last token is the **query**, and every token so far is a **key**: each head shares out a **weight** "
        f"of 1 among them{SINK if config.sink_logits else ''}. Each row of the matrix is one head.",
        pictures=[
            _one_head(layer_head, attentions.pieces, weights),
            every,
            Caption("Click a row to see that head above."),
        ],
        takeaway=[
            f"{name}: {read_look(weights, attentions.labels, -1, attentions.labels)}",
            f"{name}: {read_row(weights, attentions.labels, -1, attentions.labels)}",
        ],
        formula=write_newest_query(SCORE_FORMULAS[config.score], config.key_width, len(weights), config.sink_logits),
        table=Table("attention", *attentions.newest_rows, corner="head"),
        source=("core.topics.generate.views.look",),
    )


def _one_head(layer_head: HeadAddress, pieces: Sequence[str], weights: np.ndarray) -> TokenButtons:
    largest_weight = float(weights.max()) or 1.0
    return TokenButtons(
        [
            Token(piece, f"weight {weight:.3f}", weight / largest_weight)
            for piece, weight in zip(pieces, weights, strict=True)
        ],
        key="generate-weights",
        name=f"Where layer {layer_head.layer + 1} head {layer_head.head + 1} looks",
        selected=len(pieces) - 1,
        caption=f"{name_head(layer_head.layer, layer_head.head)}: the stronger the colour, the more weight, up to "
        f"{largest_weight:.3f} here. Outlined: the last token, the query.",
        lines=LINES,
    )


def _show_mask(story: Story, values: Values) -> Shown:
    """Show one head's weights of all tokens that had been read when the selected token was chosen."""
    layer_head = place_of(story.run, values)
    pattern = growing_pattern(story.run, queries.attentions(story.run, story.ids), layer_head)
    length, earlier = len(pattern.weights), pattern.earlier(len(story.start) - 1)
    title = f"{name_head(layer_head.layer, layer_head.head)}: one row more with every token"
    outlines = [(length - 1, None)]
    panel = Panel("pattern", title, *pattern.drawn, "queries", "keys", scale="weight", outlines=outlines)
    return Shown(
        pictures=[
            *(_seen(pattern, row) for row in sorted({earlier, length - 1})),
            Matrices([panel], key="generate-mask", name="The growing pattern", height=560),
        ],
        takeaway=read_newest_row(pattern.allowed, float(pattern.weights[-1, -1]), pattern.labels, earlier),
        formula=write_causal_mask(length, story.run.config.sink_logits),
        about="Striped: hidden by the mask. A token may look at itself and at what came before, never ahead: when the "
        "model writes, what comes next does not exist yet. Press “Step” above: each new token adds a row and a column.",
        table=Table("pattern", *pattern.table),
        pattern=panel,
        source=("core.topics.generate.setup.generation_mask", "core.model.masks.build_mask"),
    )


def _seen(pattern: GrowingPattern, row: int) -> TokenButtons:
    """Return the tokens as the one of this row sees them: those that the mask hides from it are pale."""
    weights, allowed, name = pattern.weights[row], pattern.allowed[row], token_name(pattern.labels, row)
    tokens = [
        Token(bare(label), f"weight {weight:.3f}" if sees else "hidden", float(weight), dim=not sees)
        for label, weight, sees in zip(pattern.labels, weights, allowed, strict=True)
    ]
    return TokenButtons(
        tokens,
        key=f"generate-seen-{row}",
        name=f"What {name} can look at",
        selected=row,
        caption=f"What {name} can look at: the stronger the colour, the more weight, 1 at most. Pale: hidden by the "
        "mask.",
        large=True,
    )


ATTENTION_VIEW = View("attention", once_written(_show_attention), _attention_controls)
MASK_VIEW = View("mask", once_written(_show_mask), _attention_controls)
