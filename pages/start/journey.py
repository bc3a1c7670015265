"""One sentence carried through every stage of a transformer, each stage a small picture of its tensors."""

from collections.abc import Callable, Sequence
from functools import cache as cached
from typing import Any

import numpy as np
import streamlit as st

from core.charts.bars import bars_data, tokens_bars_spec
from core.explorer.journey.records import Journey
from core.explorer.shared.places import Place
from core.model.attention import attention
from core.model.layers import Block
from core.model.transformer import Transformer
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.strip.strip import Strip, Tile
from pages.canvas.token_chips.token_chips import TokenChips
from pages.ui import cache
from pages.ui import journey_tiles as tiles
from pages.ui import journey_words as words
from pages.ui.choices import TENSOR
from pages.ui.frame import current_run, model_note
from pages.ui.numbers import numbers
from pages.ui.place import ATTENTION, choose_place, pick_head
from pages.ui.say import code, formula, notes, opening, reading, shielded
from pages.ui.settings import ask

STEPS, HEADS = "pages/attention/self_attention.py", "pages/attention/heads.py"


@st.fragment
def journey() -> None:
    run = current_run()
    place = choose_place(run)
    with shielded():
        record = cache.journey(run, place)
        notes([words.windows(record)])
        cards(run, record)
        formula(words.attention_formula(run, record))
        for sentence in record.readings:
            reading(sentence)
        model_note()
        tensors(record)
        code(Transformer.run_stack, Block.forward, attention, key="journey-code")


def cards(run: Run, record: Journey) -> None:
    place = record.place
    grid = st.grid("auto", min_column_width=360, border=True, key="stages")
    with grid.cell():
        say(1, "Text becomes tokens", words.tokens(run, record))
        row = record.tokens
        chips = row.pieces, row.ids, row.words, row.word_labels
        TokenChips(*chips, key="journey-tokens", name="tokens of your text").draw()
    with grid.cell():
        stage(2, "Tokens become vectors", words.vectors(run, record), tiles.entering(record, run.config))
    with grid.cell():
        stage(3, "Query, key and value", words.projections(run, record), tiles.projecting(record))
        link("The projections, number by number", STEPS, step="1 project")
    with grid.cell():
        stage(4, "Queries meet keys", words.scores(run, record), tiles.scoring(record, run.config))
        link("The scores, step by step", STEPS, step="2 score")
    with grid.cell():
        stage(5, "Values are mixed", words.mix(record), tiles.mixing(record))
        link("The mix, cell by cell", STEPS, step="6 mix")
    with grid.cell():
        follow = _follow(place)
        stage(6, "The heads join", words.joined(run, record), tiles.joining(record, run.config), follow)
        link("All heads side by side", HEADS)
        if len(run.config.stacks) == 2 and place.stack == "decoder" and not place.cross:
            st.button("Next in this layer: cross-attention", icon=":material/arrow_forward:", on_click=_cross)
    with grid.cell():
        stage(7, "Each token on its own", words.feed_forward(run, record), tiles.thinking(record, run.config))
    with grid.cell():
        stage(8, "What comes out", words.output(run, record), tiles.leaving(record))
        if record.next_pieces:
            next_tokens(record)


def say(number: int, heading: str, sentence: str) -> None:
    st.markdown(f"##### {number} · {heading}\n{sentence}")


def stage(
    number: int, heading: str, sentence: str, shown: Sequence[Tile], on_pick: Callable[[str], None] | None = None
) -> None:
    say(number, heading, sentence)
    Strip(shown, key=f"journey-{number}", name=f"journey {number} {heading}", sets=on_pick).draw()


def link(label: str, page: str, **where: str) -> None:
    """A link to another page. Every setting goes along by itself; `where` names some that only that page has."""
    st.page_link(page, label=label, icon=":material/arrow_forward:", query_params=where or None)


def _follow(place: Place) -> Callable[[str], None]:
    return lambda tile: pick_head(place.layer, int(tile)) if tile.isdecimal() else None


def _cross() -> None:
    st.session_state[ATTENTION.key] = "cross"


def next_tokens(record: Journey) -> None:
    pieces, chances = zip(*record.next_pieces, strict=True)
    labels = [f"{rank}: {piece}" for rank, piece in enumerate(pieces, 1)]
    with st.container(key="journey-next"):
        st.vega_lite_chart(bars_data(np.array(chances), labels, decimals=4), next_spec())
    chart_save("journey-next", name="likeliest next tokens")


@cached
def next_spec() -> dict[str, Any]:
    return tokens_bars_spec("What comes next?", "probability")


def tensors(record: Journey) -> None:
    """One tensor of the journey as a table."""
    name = ask(TENSOR, width=260, options=[name for name in TENSOR.options if name in record.stages])
    shown = record.stages[name]
    tile = tiles.tile(record, name, name)
    columns = tile.cols or [str(number) for number in range(shown.values.shape[1])]
    numbers(f"journey-{name}", shown.values, tile.rows, columns, key="journey", corner=tile.axes[0])


opening(
    "What happens to your sentence?",
    "A **transformer** turns text into rows of numbers, one row for each piece of text, and lets the rows look at each "
    "other: that looking is **attention**. Below, your own sentence goes through every stage. Each picture is a real "
    "table of numbers (a **tensor**) of this run: point at a cell to read it.",
)
journey()
