"""The logit lens: what each layer would have said."""

from core.charts.along_text import lens_data, lens_spec
from core.readings.generation import read_lens
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.generate.settings import LOOKED
from pages.transformer.generate.story import Story
from pages.transformer.generate.tables import window
from pages.widgets import Chart, Table, Values, spec

ROWS = 16


def show_lens(story: Story, values: Values) -> Shown:
    """What each layer would have said after each token that was read when the token looked at was chosen."""
    read, chosen = len(story.ids), story.token
    found = queries.lens(story.run, (*story.ids, chosen.chosen)[: story.run.config.max_length])
    first, shown = window(read, read - 1, ROWS)
    rows = slice(first, first + shown)
    labels = [f"{place}:{piece}" for place, piece in enumerate(found.pieces[:read])]
    came = [*found.pieces[1:read], chosen.piece][rows]
    data = lens_data(labels[rows], [best[rows] for best in found.best], found.probability[:, rows], came, shown - 1)

    def picked(place: int) -> dict[str, int]:
        token = story.chosen_after(first + place)
        return {} if token is None else {LOOKED.key: token}

    guesses, chances = [best[read - 1] for best in found.best], found.probability[:, read - 1].tolist()
    cut = f"These are the last {shown} of {read} tokens; click an earlier token above to see those before."
    return Shown(
        lead="What would the model have said if it ended after this layer? Each row is a token that it had read. "
        "Click a row to see the token that was chosen there.",
        pictures=[
            Chart(data, spec(lens_spec), key="generate-lens", name="What each layer would have said", sets=picked)
        ],
        takeaway=read_lens(guesses, chances, chosen.piece, labels[-1]),
        notes=[cut if shown < read else None],
        about="Each layer's stream goes through the last norm and the unembedding: the **logit lens** (nostalgebraist "
        "2020). Column 0 is the embedding alone, before any layer. Outlined: the row that chose the token. The table "
        "holds each layer's chance for the token that was really next.",
        table=Table(
            "layers", found.chosen[:, :read].T, labels, [f"layer {n}" for n in range(len(found.best))], corner="token"
        ),
        source=("core.explorer.generation.views.lens",),
    )
