"""Two texts of different length in one batch, with the padding hidden and with the padding seen."""

from collections.abc import Iterator

import numpy as np

from core.explorer.masks.records import Batched
from core.readings.masks import ROUNDING, read_batch
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.chosen import chosen_other, darkest, mask_controls, scale_switch
from pages.attention.masks.settings import OTHER, SECOND
from pages.canvas import Matrices, Panel
from pages.queries.models import trained
from pages.shell import Shown
from pages.widgets import Control, Message, Table, Values, control, place_controls

MOST_CHARACTERS = 4000
ROWS = ("hidden", "seen")
LEAD = (
    "Texts that run together in a batch must be equally long, so the shorter one is filled up with <pad> tokens. A "
    "padding mask hides them as keys. What should not happen: that a text's numbers depend on its neighbour."
)


def batch_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from mask_controls(OTHER, values)
    yield from place_controls(run, attention=False)
    yield control(SECOND, width=420, placeholder="the first half of your text")


def batch_seconds(run: Run, values: Values) -> float:
    mask = chosen_other(run, values)
    size, longest = sorted(map(len, queries.texts(mask.run, _second(run, values))))
    return queries.estimated_seconds(mask.run, longest, 2 + size / longest) if size < longest else 0.0


def show_batch(run: Run, values: Values) -> Shown:
    """The shorter text alone, and in a batch with the longer one: its weights, and how far its outputs move."""
    mask, second = chosen_other(run, values), _second(run, values)
    size, longest = sorted(map(len, queries.texts(mask.run, second)))
    if size == longest:
        equal = "Both texts are equally long, so there is no padding. Take a shorter or longer second text."
        return Shown(lead=LEAD, pictures=[Message(equal)])
    record = queries.batched(mask.run, mask.place, second)
    patterns, own = (record.alone, record.hidden, record.seen), record.rows[record.short].labels[:size]
    moved = np.stack([record.moved_hidden, record.moved_seen])
    taken = record.seen[:size, size:].sum(1)
    acts = f"The other mask, {mask.name}, acts in all three."
    unseen = "Choose “none” as the other mask, and tokens see what stands behind them."
    return Shown(
        lead=LEAD,
        pictures=[
            _weights(record, own, darkest(values, *patterns)),
            *scale_switch(*patterns),
            _outputs(moved, own),
        ],
        takeaway=read_batch(record.moved_hidden, record.moved_seen, taken, own),
        notes=[None if mask.preset == "none" else acts, None if taken.any() else unseen],
        table=Table("batch", moved, ROWS, own, corner="padding"),
        source=("core.model.masks.padding", "core.explorer.masks.batch.batched"),
    )


def _second(run: Run, values: Values) -> str:
    text = values[SECOND][:MOST_CHARACTERS]
    name = run.checkpoint.partition("/")[0]
    return text.lower() if name and trained(name).lower else text


def _weights(record: Batched, own: tuple[str, ...], limit: float | None) -> Matrices:
    labels, form = record.rows[record.short].labels, ("queries", "keys", "weight", limit)
    panels = [
        Panel("alone", "The shorter text alone", record.alone, own, own, *form),
        Panel("hidden", "In the batch, padding hidden", record.hidden, labels, labels, *form),
        Panel("seen", "In the batch, padding seen", record.seen, labels, labels, *form),
    ]
    return Matrices(panels, key="mask-batch", name="Padding in a batch", height=300)


def _outputs(moved: np.ndarray, own: tuple[str, ...]) -> Matrices:
    limit = max(float(moved.max()), ROUNDING)
    change = Panel("moved", "How far do its outputs move?", moved, ROWS, own, "padding", "output of", "size", limit)
    return Matrices([change], key="mask-moved", name="Outputs moved by padding", height=300)
