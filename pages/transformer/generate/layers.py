"""The view of the logit lens: the prediction that each layer would have made."""

from core.export.asked import LENS
from core.readings.generation import read_last_rows, read_lens
from core.readings.words import percent
from core.text.labels import token_name
from core.topics.generate.along import LensAlong
from core.topics.generate.charts.along_text import lens_data, lens_spec
from core.topics.generate.story import Story
from pages.canvas import Token, TokenButtons
from pages.compute import generation as queries
from pages.shell import Shown, View
from pages.transformer.generate.settings import LOOKED_AT_TOKEN
from pages.transformer.generate.story import once_written
from pages.widgets import Chart, Table, Values, spec


def _show(story: Story, values: Values) -> Shown:
    """Show each layer's prediction after each token that had been read when the selected token was chosen."""
    lens = LensAlong(queries.lens(story.run, story.ids, story.at, story.token.chosen), story.token.piece)
    first, count = lens.stretch

    def picked(index: int) -> dict[str, int]:
        token = story.chosen_after(first + index)
        return {} if token is None else {LOOKED_AT_TOKEN.key: token}

    name = "What each layer would have said"
    return Shown(
        lead="What would the model predict if it ended after this layer? Each row is a token that it has read.",
        click="Click a row to see the token that was chosen there.",
        pictures=[
            _guesses(lens),
            Chart(lens_data(*lens.drawn), spec(lens_spec), key="generate-lens", name=name, sets=picked),
        ],
        takeaway=read_lens(*lens.last, lens.came, lens.labels),
        notes=[read_last_rows(count, lens.read)],
        about="Each layer's stream goes through the last norm and the unembedding: the **logit lens** (nostalgebraist "
        "2020). Column 0 is the embedding alone: before any layer the guess means nothing. Outlined: the row "
        "that chose the token. The table holds each layer's chance for the token that was really next.",
        table=Table("layers", *lens.table, corner="token"),
        source=("core.topics.generate.views.lens",),
    )


def _guesses(lens: LensAlong) -> TokenButtons:
    """Return each layer's best guess after all that was read, from left to right."""
    tokens = [
        Token(piece, f"chance {percent(chance)}", chance, under=f"layer {layer}" if layer else "before any layer")
        for layer, (piece, chance) in enumerate(zip(*lens.last, strict=True))
    ]
    return TokenButtons(
        tokens,
        key="generate-guesses",
        name="Each layer’s best guess",
        caption=f"Each layer’s best guess after {token_name(lens.labels, -1)}. The surer it is, the stronger the "
        "colour.",
        hue="chance",
        item="guess",
        large=True,
    )


VIEW = View("layer by layer", once_written(_show), export=LENS)
