"""The view of how unsure the model was before each token, and how surprised by it."""

from collections.abc import Callable

from core.readings.generation import read_along, read_stretch, write_bits
from core.readings.words import percent
from core.topics.generate.along import BitsAlong
from core.topics.generate.charts.along_text import along_text_data, along_text_spec
from core.topics.generate.story import Story
from pages.canvas import Token, TokenButtons
from pages.shell import Shown, View
from pages.transformer.generate.settings import LOOKED_AT_TOKEN
from pages.transformer.generate.story import once_written
from pages.widgets import Chart, Table, Values, spec


def _show(story: Story, values: Values) -> Shown:
    """Show the entropy and the surprisal of every token that was written."""
    bits, token = BitsAlong(story.written, story.at), story.token
    first, count = bits.stretch

    def looked_at(index: int) -> dict[str, int]:
        return {LOOKED_AT_TOKEN.key: index}

    chart = Chart(
        along_text_data(*bits.drawn),
        spec(along_text_spec),
        key="generate-along",
        name="Entropy and surprisal along the text",
        sets=lambda index: looked_at(first + index),
    )
    return Shown(
        lead="**Surprisal** is high where the model gave the written token a small chance. **Entropy** is the "
        "surprisal that was to be expected: high where many tokens were about equally likely.",
        click="Click a word or a bar.",
        pictures=[_surprises(bits, looked_at), chart],
        takeaway=read_along(bits.pieces, bits.surprisal, bits.entropy, story.at),
        notes=[read_stretch(first, count, len(story.written))],
        formula=write_bits(token.own, token.surprisal),
        table=Table("along", *bits.table, corner="token"),
        source=("core.topics.generate.texts.generate",),
    )


def _surprises(bits: BitsAlong, looked_at: Callable[[int], dict[str, int]]) -> TokenButtons:
    """Return the written tokens with the model's chance of each below it, coloured by how much it surprised."""
    most = max(bits.surprisal) or 1.0
    tokens = [
        Token(piece, f"surprisal {surprisal:.2f} bits", surprisal / most, under=percent(2**-surprisal))
        for piece, surprisal in zip(bits.pieces, bits.surprisal, strict=True)
    ]
    return TokenButtons(
        tokens,
        key="generate-surprises",
        name="How much each written token surprised the model",
        selected=bits.at,
        caption="Below each token: the chance that the model gave it. The smaller the chance, the stronger the colour.",
        hue="chance",
        large=True,
        sets=looked_at,
    )


VIEW = View("along the text", once_written(_show))
