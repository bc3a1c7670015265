"""The eight stops of the journey, each a card with a sentence and small pictures of its tensors."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, tokens_bars_spec
from core.explorer.journey import words
from core.explorer.journey.pictures import picture
from core.explorer.journey.records import Journey
from core.explorer.journey.stops import stops
from core.tracing.run import Run
from pages.canvas import Strip, Tile, TokenChips
from pages.shell import Shown
from pages.start.journey import queries
from pages.start.journey.settings import TENSOR
from pages.widgets import (
    ATTENTION,
    Button,
    Cards,
    Chart,
    Control,
    Link,
    Markdown,
    Part,
    Table,
    Values,
    control,
    head_picked,
    place_controls,
    place_of,
    spec,
)

ONWARD = {
    3: ("The projections, number by number", "1 project"),
    4: ("The scores, step by step", "2 score"),
    5: ("The mix, cell by cell", "6 mix"),
}


def stages_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    record = queries.journey(run, place_of(run, values))
    yield control(TENSOR, "below", width=260, options=[name for name in TENSOR.options if name in record.stages])


def show_journey(run: Run, values: Values) -> Shown:
    """One text through all stages of one layer, with one head in close-up."""
    record = queries.journey(run, place_of(run, values))
    return Shown(
        pictures=[Cards(_cards(run, record), key="journey-cards")],
        takeaway=record.readings,
        notes=[words.windows(record)],
        formula=words.attention_formula(run, record),
        table=_tensor(record, values[TENSOR]),
        source=(
            "core.model.transformer.Transformer.run_stack",
            "core.model.layers.Block.forward",
            "core.model.attention.attention",
        ),
    )


def _cards(run: Run, record: Journey) -> list[list[Part]]:
    cards: list[list[Part]] = []
    for number, stop in enumerate(stops(run, record), 1):
        tiles = [Tile(**vars(each)) for each in stop.pictures]
        name, sets = f"journey {number} {stop.heading}", lambda head: head_picked(record.place.layer, int(head))
        shown: Part = Strip(tiles, key=f"journey-{number}", name=name, sets=sets) if tiles else _chips(record)
        cards.append([Markdown(f"##### {number} · {stop.heading}\n{stop.sentence}"), shown])
        if number in ONWARD:
            label, step = ONWARD[number]
            cards[-1].append(Link(label, "self-attention", {"self-attention-step": step}))
    cards[5] += [Link("All heads side by side", "heads"), *_on_to_cross(run, record)]
    cards[7] += _next_tokens(record)
    return cards


def _chips(record: Journey) -> TokenChips:
    row = record.tokens
    return TokenChips(row.pieces, row.ids, row.words, row.word_labels, key="journey-tokens", name="tokens of your text")


def _on_to_cross(run: Run, record: Journey) -> list[Part]:
    place = record.place
    if len(run.config.stacks) < 2 or place.stack == "encoder" or place.cross:
        return []
    label, icon = "Next in this layer: cross-attention", ":material/arrow_forward:"
    return [Button(label, "journey-cross", lambda: {ATTENTION.key: "cross"}, icon, "secondary")]


def _next_tokens(record: Journey) -> list[Part]:
    if not record.next_pieces:
        return []
    pieces, chances = zip(*record.next_pieces, strict=True)
    data = bars_data(np.array(chances), [f"{rank}: {piece}" for rank, piece in enumerate(pieces, 1)], decimals=4)
    drawn = spec(tokens_bars_spec, "What comes next?", "probability")
    return [Chart(data, drawn, key="journey-next", name="likeliest next tokens")]


def _tensor(record: Journey, name: str) -> Table:
    """One tensor of the journey as a table; the weights where this run has no such tensor."""
    name = name if name in record.stages else TENSOR.default
    shown = picture(record, name)
    columns = shown.cols or [str(number) for number in range(shown.values.shape[1])]
    return Table(f"journey-{name}", shown.values, shown.rows, columns, corner=shown.axes[0])
