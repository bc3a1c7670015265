"""The eight stops of the journey, each a card with a sentence and small pictures of its tensors."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from core.text.labels import head_label
from core.topics.journey import words
from core.topics.journey.records import Journey
from core.topics.journey.scales import scales
from core.topics.journey.stops import stops
from core.tracing.run import Run, TokenRow
from pages.canvas import Panel, Strip, TokenChips
from pages.shell import Shown, View
from pages.start.journey import queries
from pages.start.journey.ending import EndingResult, ending
from pages.start.journey.openings import in_step, opening_of
from pages.start.journey.settings import TENSOR
from pages.start.journey.tiles import SIZE_WORDS, tiles_of
from pages.widgets import (
    ATTENTION,
    Button,
    Caption,
    Cards,
    Control,
    Link,
    Markdown,
    Part,
    Table,
    ToPage,
    Values,
    control,
    head_picked,
    place_controls,
    place_of,
)

CARD_WIDTH = 460  # pixels: two cards side by side on a laptop
TALL_CARDS = (2,)  # the card of queries, keys and values has the most pictures
ONWARD_LINKS = {
    3: ("The projections, number by number", in_step("1 project")),
    4: ("The scores, step by step", in_step("2 score")),
    5: ("The mix, cell by cell", in_step("6 mix")),
}


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    record = queries.journey(run, place_of(run, values))
    yield control(TENSOR, "below", width=260, options=[name for name in TENSOR.options if name in record.stages])


def _show(run: Run, values: Values) -> Shown:
    """Show one text through all stages of one layer, with one head in close-up."""
    record = queries.journey(run, place_of(run, values))
    return Shown(
        lead="Eight stages take your text from letters to what the model makes of it. Each picture is a table of "
        "numbers of this run: point at a cell to read it.",
        pictures=[Cards(_cards(run, record), key="journey-cards", width=CARD_WIDTH, tall=TALL_CARDS)],
        takeaway=words.read_head(record),
        notes=[words.windows(record)],
        formula=words.attention_formula(run, record),
        about=words.shapes(run),
        table=_tensor(record, values[TENSOR]),
        pattern=_pattern(record),
        source=(
            "core.model.transformer.Transformer.run_stack",
            "core.model.layers.Block.forward",
            "core.model.attention.attention",
        ),
    )


def _cards(run: Run, record: Journey) -> list[list[Part]]:
    answer = EndingResult(queries.judged(run), queries.guessed(run))
    journey_stops = stops(run, record, answer.use)
    shared = scales((picture for stop in journey_stops for picture in stop.pictures), record)
    cards: list[list[Part]] = []
    for number, stop in enumerate(journey_stops, 1):
        tiles, name = tiles_of(run, record, number, stop.pictures, shared), f"journey {number} {stop.heading}"
        sets = partial(_clicked, run, record, number)
        shown = [Strip(tiles, key=f"journey-{number}", name=name, sets=sets)] if tiles else _chips(record)
        cards.append([Markdown(f"##### {number} · {stop.heading}\n{stop.sentence}"), *shown])
        if number in ONWARD_LINKS:
            label, onward = ONWARD_LINKS[number]
            cards[-1].append(Link(label, onward.address, onward.where))
    cards[5] += [Link("All heads side by side", "heads"), *_on_to_cross(run, record)]
    cards[7] += ending(run, record, answer)
    return cards


def _clicked(run: Run, record: Journey, stop: int, name: str, row: int, col: int) -> Mapping[str, Any] | ToPage | None:
    """Return the settings that a click changes, or the action that it starts.

    A click on a head follows it; a click on any other picture opens it on its page, at the cell.
    """
    if name.isdecimal():
        return head_picked(record.place.layer, int(name))
    opening = opening_of(run, record, stop, name)
    return opening.clicked(row, col) if opening else None


def _chips(record: Journey) -> list[Part]:
    """Return the query tokens and, in cross-attention, the key tokens, coloured as the first sentence says."""
    followed = words.followed_query(record)
    weights = record.weights[followed].clip(0, 1).tolist()
    query_chips = _row(record.tokens, record.place.stack, "journey-tokens", "tokens of your text")
    query_chips = replace(query_chips, framed=followed)
    look = Caption("The stronger the colour, the more of its attention the framed token gives to it, in this head.")
    if not record.place.cross:
        return [replace(query_chips, shades=weights), look]
    key_chips = _row(record.keys, "encoder", "journey-keys", "tokens of the encoder's text")
    keys = replace(key_chips, shades=weights)
    return [query_chips, Caption("The encoder's text, where keys and values come from:"), keys, look]


def _row(row: TokenRow, text: str, key: str, name: str) -> TokenChips:
    return TokenChips(row.pieces, row.ids, row.words, row.word_labels, key=key, name=name, text=text)


def _on_to_cross(run: Run, record: Journey) -> list[Part]:
    layer_head = record.place
    if not run.config.has_two_stacks or layer_head.stack == "encoder" or layer_head.cross:
        return []
    label, icon = "Next in this layer: cross-attention", ":material/arrow_forward:"
    return [Button(label, "journey-cross", lambda: {ATTENTION.key: "cross"}, icon, "secondary")]


def _pattern(record: Journey) -> Panel:
    """Return the attention weights of the followed head."""
    weights = record.drawn(record.stages["pattern"].values)
    rows, columns = (record.labels(axis, count) for axis, count in zip("QK", weights.shape, strict=True))
    named = head_label(record.place.layer, record.place.head).capitalize()
    return Panel("pattern", named, weights, rows, columns, "queries", "keys", "weight")


def _tensor(record: Journey, name: str) -> Table:
    """Return one tensor of the journey as a table; the weights if this run has no such tensor."""
    name = name if name in record.stages else TENSOR.default
    stage = record.stages[name]
    (row, col), (height, width) = stage.axes, stage.values.shape
    columns = record.labels(col, width) or [str(number) for number in range(width)]
    return Table(f"journey-{name}", stage.values, record.labels(row, height), columns, corner=SIZE_WORDS[row])


VIEW = View("stages", _show, _controls)
