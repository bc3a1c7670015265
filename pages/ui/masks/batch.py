"""Two texts of different length in one batch, with the padding hidden and with the padding seen."""

import numpy as np
import streamlit as st

from core.explorer.masks.batch import batched
from core.model.masks import padding
from core.readings.masks import ROUNDING, read_batch
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.cache import trained
from pages.ui.masks import cache
from pages.ui.masks.choices import SECOND
from pages.ui.masks.chosen import RUNNING, Chosen, ask_scale, darkest, worth
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, reading
from pages.ui.settings import ask

ROWS = ("hidden", "seen")


def show_batch(chosen: Chosen) -> None:
    """The shorter text alone, and in a batch with the longer one: its weights, and how far its outputs move."""
    controls = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
    with controls:
        second = (ask(SECOND, width=420, placeholder="the first half of your text") or "")[:4000]
    checkpoint = chosen.run.checkpoint.partition("/")[0]
    if checkpoint and trained(checkpoint).lower:
        second = second.lower()
    st.caption(
        "Texts that run together in a batch must be equally long, so the shorter one is filled up with <pad> tokens. "
        "A padding mask hides them as keys. What should not happen: that a text's numbers depend on its neighbour."
    )
    size, longest = sorted(len(text) for text in cache.texts(chosen.run, second))
    if size == longest:
        st.info("Both texts are equally long, so there is no padding. Take a shorter or longer second text.")
        return
    if not worth(chosen.run.config, longest, 2 + size / longest):
        return
    with st.spinner(RUNNING, show_time=True):
        record = cache.batched(chosen.run, chosen.place, second)
    labels = record.rows[record.short].labels
    own = labels[:size]
    moved = np.stack([record.moved_hidden, record.moved_seen])
    ask_scale(controls, record.alone, record.hidden, record.seen)
    form = ("queries", "keys", "weight", darkest(record.alone, record.hidden, record.seen))
    panels = [
        Panel("alone", "The shorter text alone", record.alone, own, own, *form),
        Panel("hidden", "In the batch, padding hidden", record.hidden, labels, labels, *form),
        Panel("seen", "In the batch, padding seen", record.seen, labels, labels, *form),
    ]
    Matrices(panels, key="mask-batch", name="Padding in a batch", height=300).draw()
    limit = max(float(moved.max()), ROUNDING)
    change = Panel("moved", "How far do its outputs move?", moved, ROWS, own, "padding", "output of", "size", limit)
    Matrices([change], key="mask-moved", name="Outputs moved by padding", height=300).draw()
    taken = record.seen[:size, size:].sum(1)
    reading(read_batch(record.moved_hidden, record.moved_seen, taken, own))
    notes(
        [
            None if chosen.preset == "none" else f"The other mask, {chosen.name}, acts in all three.",
            None if taken.any() else "Choose “none” as the other mask, and tokens see what stands behind them.",
        ]
    )
    numbers("batch", moved, ROWS, own, "mask-batch", "padding")
    code(padding, batched, key="mask-code-batch")
