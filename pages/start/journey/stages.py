"""The eight stages of the journey, each a card with a sentence and a small picture of its tensors."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.bars import bars_data, tokens_bars_spec
from core.explorer.journey import words
from core.explorer.journey.records import Journey
from core.tracing.run import Run
from pages.canvas import Strip, Tile, TokenChips
from pages.shell import Shown
from pages.start.journey import queries, tiles
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
    row, place = record.tokens, record.place
    chips = TokenChips(
        row.pieces, row.ids, row.words, row.word_labels, key="journey-tokens", name="tokens of your text"
    )

    def follow(tile: str) -> dict[str, str]:
        return head_picked(place.layer, int(tile))

    heads = Strip(tiles.joining(run, record), key="journey-6", name="journey 6 The heads join", sets=follow)
    return [
        [_words(1, "Text becomes tokens", words.tokens(run, record)), chips],
        _stage(2, "Tokens become vectors", words.vectors(run, record), tiles.entering(run, record)),
        [
            *_stage(3, "Query, key and value", words.projection_words(run, record), tiles.projecting(record)),
            _step("The projections, number by number", "1 project"),
        ],
        [
            *_stage(4, "Queries meet keys", words.scores(run, record), tiles.scoring(run, record)),
            _step("The scores, step by step", "2 score"),
        ],
        [
            *_stage(5, "Values are mixed", words.mix(record), tiles.mixing_tiles(record)),
            _step("The mix, cell by cell", "6 mix"),
        ],
        [
            _words(6, "The heads join", words.joined(run, record)),
            heads,
            Link("All heads side by side", "heads"),
            *_on_to_cross(run, record),
        ],
        _stage(7, "Each token on its own", words.feed_forward(run, record), tiles.thinking(run, record)),
        [*_stage(8, "What comes out", words.output(run, record), tiles.leaving(record)), *_next_tokens(record)],
    ]


def _stage(number: int, heading: str, sentence: str, shown: Sequence[Tile]) -> list[Part]:
    strip = Strip(shown, key=f"journey-{number}", name=f"journey {number} {heading}")
    return [_words(number, heading, sentence), strip]


def _words(number: int, heading: str, sentence: str) -> Markdown:
    return Markdown(f"##### {number} · {heading}\n{sentence}")


def _step(label: str, step: str) -> Link:
    return Link(label, "self-attention", {"self-attention-step": step})


def _on_to_cross(run: Run, record: Journey) -> list[Part]:
    place = record.place
    if len(run.config.stacks) < 2 or place.stack == "encoder" or place.cross:
        return []
    return [
        Button(
            "Next in this layer: cross-attention",
            key="journey-cross",
            sets=lambda: {ATTENTION.key: "cross"},
            icon=":material/arrow_forward:",
            type="secondary",
        )
    ]


def _next_tokens(record: Journey) -> list[Part]:
    if not record.next_pieces:
        return []
    pieces, chances = zip(*record.next_pieces, strict=True)
    labels = [f"{rank}: {piece}" for rank, piece in enumerate(pieces, 1)]
    data = bars_data(np.array(chances), labels, decimals=4)
    drawn = spec(tokens_bars_spec, "What comes next?", "probability")
    return [Chart(data, drawn, key="journey-next", name="likeliest next tokens")]


def _tensor(record: Journey, name: str) -> Table:
    """One tensor of the journey as a table; the weights where this run has no such tensor."""
    name = name if name in record.stages else TENSOR.default
    tile = tiles.tile(record, name, name)
    columns = tile.cols or [str(number) for number in range(record.stages[name].values.shape[1])]
    return Table(f"journey-{name}", record.stages[name].values, tile.rows, columns, corner=tile.axes[0])
