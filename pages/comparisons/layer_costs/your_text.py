"""The view of what each kind of layer does with the visitor's own words: its steps, its reach and its operations."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_spec
from core.charts.style import SIZE
from core.readings.kv_cache import counted
from core.readings.words import plural
from core.topics.layer_costs.charts import operation_bars_data
from core.topics.layer_costs.costs import LayerSizes
from core.topics.layer_costs.own_words import LONGER, OWN_KINDS, LayerReading, own_words
from core.topics.layer_costs.readings import read_own_operations, read_own_steps
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.comparisons.layer_costs.settings import D, K
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Caption, Chart, Columns, Control, Listing, Markdown, Message, Part, Values, control, spec

MAX_WORDS = 40  # words that are drawn in each line
LEAD = (
    "Three ways to mix the words of your text. **Self-attention** and a convolution read all words at once; a "
    "recurrent layer needs the result of one word before it can read the next."
)
HINT = (
    "Below each word: the step in which it is read. Coloured: the words that the last one has heard of after this "
    "one layer."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(D, width=200)
    yield control(K, "more", width=130)


def _show(run: Run, values: Values) -> Shown:
    """Show the text once for each kind of layer, and its operations beside those of a longer text."""
    words = run.text.split()
    if len(words) < 2:
        return Shown(lead=LEAD, pictures=[Message("Write at least two words: one word has none to be mixed with.")])
    found = core_call(own_words, LayerSizes(len(words), int(values[D]), values[K]))
    longer = LONGER * len(words)
    lines = [part for reading in found for part in _line(words, reading)]
    charts = [
        _chart("own", f"Operations for your {plural(len(words), 'word')}", [each.operations for each in found]),
        _chart("longer", f"Operations for a text of {longer:,} words", [each.operations_longer for each in found]),
    ]
    recurrent, _, attention = found
    return Shown(
        lead=LEAD,
        pictures=[*lines, Caption(HINT), Columns([[chart] for chart in charts])],
        takeaway=[
            read_own_steps(len(words)),
            read_own_operations(longer, recurrent.operations_longer, attention.operations_longer),
        ],
        notes=[f"Of your {len(words):,} words the last {MAX_WORDS} are drawn." if len(words) > MAX_WORDS else None],
        about=(
            "Operations are counted, not measured: multiplications, each with its addition, of the matrix products of "
            "a GRU, of one convolution and of one attention head, with a vector of d numbers for each word. The view "
            "“measured” runs the layers themselves and takes the time.",
        ),
        table=Listing(
            "your-text",
            {
                "layer": [each.kind for each in found],
                "steps": [each.steps[-1] for each in found],
                "words reached by the last one": [int(np.sum(each.reached)) for each in found],
                "operations": [each.operations for each in found],
                f"operations for {longer:,} words": [each.operations_longer for each in found],
            },
        ),
        source=(
            "core.topics.layer_costs.own_words.own_words",
            "core.topics.layer_costs.analysis.sequential_steps",
            "core.topics.layer_costs.analysis.layer_operations",
        ),
    )


def _line(words: list[str], reading: LayerReading) -> list[Part]:
    """Return the last words of the text, each with its step, and coloured if the last word has heard of it."""
    drawn = list(zip(words, reading.steps, reading.reached, strict=True))[-MAX_WORDS:]
    tiles = [Token(word, f"step {step}", float(reached), under=f"step {step}") for word, step, reached in drawn]
    key, name = f"layer-costs-words-{reading.kind}", f"The steps of {TITLES[reading.kind].lower()}"
    title = f"{TITLES[reading.kind]}: {plural(reading.steps[-1], 'step')}"
    return [Markdown(f"**{title}**"), TokenButtons(tiles, key=key, name=name, hue="size", item="word", large=True)]


def _chart(key: str, title: str, operations: list[int]) -> Chart:
    drawn = spec(bars_spec, "layer", title, "operations, counted", False, SIZE)
    data = operation_bars_data(OWN_KINDS, operations, [counted(number) for number in operations])
    return Chart(data, drawn, f"layer-costs-operations-{key}", title)


TITLES = {"recurrent": "A recurrent layer", "convolution": "A convolution", "self-attention": "Self-attention"}

VIEW = View("your text", _show, _controls)
