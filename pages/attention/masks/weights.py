"""The views of a mask's effect on one head's weights: before and after, two wrong ways, and rows without any key."""

from functools import partial

import numpy as np

from core.readings.patterns import read_masked_rows
from core.text.labels import head_label, token_name
from core.topics.masks import readings as say
from core.topics.masks.charts import NAMES, masks_row_data, masks_row_spec, masks_total_data, masks_total_spec
from core.topics.masks.chosen import ChosenMask
from core.topics.masks.presets import under
from core.topics.masks.records import COMPARED_WAYS, Emptied
from core.topics.shared.places import require_no_sink
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.brush import brush, settings_after
from pages.attention.masks.chosen import chosen, head_controls, pattern_form, pick_row, seconds
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import Button, Chart, Columns, Notes, Part, Table, Values, plain, spec

MAX_BARS = 24
OUTLINED_ROWS = 6
SPREADS = "NaN times 0 is NaN, so even a word that is hidden spoils the others."


def _show_effect(run: Run, values: Values) -> Shown:
    """Show the patterns without and with the mask, side by side; a click on one chooses a row."""
    require_no_sink(run)
    mask = chosen(run, values)
    free = queries.masked(under(mask.run, "none"), mask.place, "").pattern
    record = queries.masked(mask.run, mask.place, mask.painting)
    pattern = record.pattern
    form, switch = pattern_form(values, free, pattern)
    labels, name = mask.labels, head_label(mask.place.layer, mask.place.head).capitalize()
    outlines, hatched = [(mask.row, None)], np.where(record.mask, pattern, -np.inf)
    panels = [
        Panel("before", f"{name}, no mask", free, labels, labels, *form, outlines=outlines),
        Panel("after", f"{name}, {mask.name}", hatched, labels, labels, *form, before="→", outlines=outlines),
    ]
    picture_name = f"{name} without and with the mask"
    layers_note = "Both are whole runs of the model: the mask also acts in the layers below."
    return Shown(
        lead="Striped squares of the **mask** are hidden: the row's word may not look at the column's word. Beside it "
        "stand one head's **attention weights**, without the mask and with it.",
        pictures=[Matrices(panels, key="mask-effect", name=picture_name, height=400, sets=pick_row), *switch],
        takeaway=say.read_effect(free, pattern, mask.painted.mask, labels),
        notes=[read_masked_rows(pattern, labels), layers_note if mask.place.layer else None],
        formula=say.write_masked_softmax(len(labels)),
        table=[
            Table("pattern", pattern, labels, labels),
            Table(
                "hidden", say.weight_on_hidden(free, mask.painted.mask)[None], ["weight on hidden keys before"], labels
            ),
        ],
        source=(
            "core.model.attention.apply_mask",
            "core.model.attention.masked_softmax",
            "core.topics.masks.analysis.painting.paint",
        ),
        pattern=panels[-1],
    )


def _show_ways(run: Run, values: Values) -> Shown:
    """Show one row made in three ways from the same scores, and the three whole patterns.

    A click on a pattern chooses a row.
    """
    mask = chosen(run, values)
    record, row, labels = queries.ways(mask.run, mask.place, mask.painting), mask.row, mask.labels
    form, switch = pattern_form(values, *record.patterns)
    panels = [
        Panel(way, title, pattern, labels, labels, *form, outlines=[(row, None)])
        for way, title, pattern in zip(COMPARED_WAYS, NAMES, record.drawn, strict=True)
    ]
    bars = masks_row_data(*record.bars(row, MAX_BARS))
    totals = masks_total_data(list(record.row(row).values()), record.mask[row])
    cut = f"Of {len(labels)} keys the bars show the first hidden ones and those with the largest weights."
    return Shown(
        lead="A mask can be put on in three ways; two are mistakes that people make. Each bar is all of one word's "
        "attention: where does it go?",
        pictures=[
            Chart(totals, spec(masks_total_spec), key="mask-total-chart", name="all of a row's attention three ways"),
            Chart(bars, spec(masks_row_spec), key="mask-row-chart", name="one row three ways"),
            *switch,
            Matrices(panels, key="mask-ways", name="Three ways to mask", height=300, sets=pick_row),
        ],
        arithmetic=say.row_arithmetic(record.scores[row], record.mask[row], row),
        takeaway=say.read_ways(record.row(row), record.mask[row], labels, row),
        notes=[cut if len(labels) > MAX_BARS else None],
        about="All three start from this head's own scores. A softmax turns scores into weights that sum to 1: each "
        "weight is e^score, divided by the sum of all. −∞ takes a key out of that sum; the other two leave it in. "
        "“Weights set to 0 afterwards” could be mended by dividing each row by its sum: that gives the weights of −∞ "
        "again. "
        "Without it the output shrinks by a factor that depends on hidden keys, so hidden words still leak.",
        table=Table("ways", *record.row_table(row), corner="key"),
        source=("core.topics.masks.analysis.masks.weights",),
    )


def _show_empty(run: Run, values: Values) -> Shown:
    """Show the head's weights, and which vectors would be NaN.

    If no row is empty, the chosen one is emptied as a trial.
    """
    mask = chosen(run, values)
    record = queries.emptied(mask.run, mask.place, mask.with_empty_row)
    labels, first_row = mask.labels, record.rows[0]
    form, switch = pattern_form(values, record.pattern)
    outlines = [(row, None) for row in record.rows[:OUTLINED_ROWS]]
    panels = [
        Panel(
            "broken",
            "Plain softmax: which words are spoilt?",
            *record.by_layer,
            "",
            "vector of",
            "size",
            1.0,
            unit="spoilt",
        ),
        Panel("pattern", "This model: a row of zeros", record.drawn, labels, labels, *form, outlines=outlines),
    ]
    picture = Matrices(
        panels,
        key="mask-empty",
        name="Rows with nothing to attend",
        height=360,
        sets=lambda name, row, col: pick_row(name, row if name == "pattern" else col, col),
    )
    return Shown(
        pictures=[picture if mask.painted.empty_rows else Columns([[*_trial_words(mask), picture]]), *switch],
        arithmetic=say.empty_row_arithmetic(
            first_row, record.naive[first_row], record.pattern[first_row], record.largest
        ),
        takeaway=[*say.read_broken(record.broken, record.rows, labels, not mask.painted.empty_rows), *_spreads(record)],
        about="NaN, *not a number*, is what 0 ÷ 0 gives. From the next layer on a "
        "hidden key with NaN in its value spoils every row, masked or not. Rows like this arise in practice when "
        "padding tokens are queries, or when two masks leave nothing in common.",
        table=Table("naive", record.naive, labels, labels),
        source=("core.topics.masks.analysis.masks.weights",),
    )


def _spreads(record: Emptied) -> list[str]:
    """Say why a hidden word spoils others too, if more are spoilt after the last layer than after the first."""
    return [SPREADS] if record.broken[-1].sum() > record.broken[1].sum() else []


def _trial_words(mask: ChosenMask) -> list[Part]:
    name = token_name(mask.labels, mask.row)
    sentence = f"No row is empty under this mask. Below, every key is hidden from {name} as a trial."
    keep = plain(f"Keep it: paint the row of {name}")
    button = Button(keep, "masks-keep", lambda: settings_after(*mask.with_row_hidden), ":material/brush:")
    return [Notes([sentence]), button]


WITH_ROW = partial(brush, outlined=True)
EFFECT_VIEW = View("before and after", _show_effect, head_controls, partial(seconds, passes=2, to_head=True), WITH_ROW)
WAYS_VIEW = View("wrong ways", _show_ways, head_controls, partial(seconds, passes=1, to_head=True), WITH_ROW)
EMPTY_VIEW = View("empty rows", _show_empty, head_controls, partial(seconds, passes=2), WITH_ROW)
