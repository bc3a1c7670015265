"""Two texts of different length in one batch, with the padding hidden and with the padding seen."""

import numpy as np
import streamlit as st

from core.analysis.mask_readings import read_batch
from core.explorer.mask_batch import batched
from core.model.masks import padding
from pages.ui.cache import trained
from pages.ui.canvas.matrices import Panel, matrices
from pages.ui.masks import cache
from pages.ui.masks.choices import SECOND
from pages.ui.masks.chosen import Chosen
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, reading
from pages.ui.settings import ask

ROWS = ("padding hidden", "padding seen")


def show_batch(chosen: Chosen) -> None:
    """The shorter text alone, and in the batch: its weights, and how far its outputs move."""
    second = (ask(SECOND, placeholder="the first half of your text") or "")[:4000]
    checkpoint = chosen.run.checkpoint.partition("/")[0]
    if checkpoint and trained(checkpoint).lower:
        second = second.lower()
    st.caption(
        "Texts that run together in a batch must be equally long, so the shorter one is filled up with <pad> tokens. "
        "A padding mask hides them as keys. What should not happen: that a text's numbers depend on its neighbour."
    )
    record = cache.batched(chosen.run, chosen.place, second)
    labels, size = record.rows[record.short].labels, len(record.moved_seen)
    if size == len(labels):
        st.info(f"Both texts have {size} tokens, so there is no padding. Take a shorter or longer second text.")
        return
    own = labels[:size]
    moved = np.stack([record.moved_hidden, record.moved_seen])
    mark = [(None, key) for key in range(size, len(labels))] if len(labels) - size < 9 else []
    matrices(
        [
            Panel("alone", "Alone", record.alone, own, own, "queries", "keys", "weight"),
            Panel("hidden", "In the batch, padding hidden", record.hidden, labels, labels, "queries", "keys", "weight"),
            Panel(
                "seen",
                "In the batch, padding seen",
                record.seen,
                labels,
                labels,
                "queries",
                "keys",
                "weight",
                outlines=mark,
            ),
            Panel("moved", "How far do its outputs move?", moved, ROWS, own, "", "output of", "size"),
        ],
        key="mask-batch",
        name="Padding in a batch",
        height=300,
    )
    taken = record.seen[:size, size:].sum(1)
    reading(read_batch(record.moved_hidden, record.moved_seen, taken, own))
    notes(
        [
            f"The other mask, {chosen.preset}, acts in all three."
            if chosen.preset not in ("none", "padding")
            else None,
            "What is painted does not act here." if chosen.painting else None,
            None if taken.any() else "Choose “none” above to let tokens see what stands behind them.",
        ]
    )
    numbers("batch", moved, ROWS, own, "mask-batch", "run")
    code(padding, batched, key="mask-code-batch")
