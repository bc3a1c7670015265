"""The view of two texts of different length in one batch, with the padding hidden and with the padding seen."""

from collections.abc import Iterator

import numpy as np

from core.limits import TEXT_CHARACTERS
from core.readings.words import percent
from core.text.labels import bare, token_name
from core.topics.masks.chosen import batch_seconds_here
from core.topics.masks.readings import ROUNDING, read_batch, read_batch_masks
from core.topics.masks.records import Batched
from core.topics.shared.named_masks import masks_label
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.chosen import chosen_run, mask_controls, pattern_form
from pages.attention.masks.settings import OTHER_MASK, SECOND_TEXT
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.shell import Shown, View
from pages.widgets import Control, Markdown, Message, Part, Table, Values, control, place_controls, plain

LEAD = (
    "Texts that run together in a batch must be equally long, so the shorter one is filled up with the token (pad). A "
    "padding mask hides them as keys. A text's numbers should not depend on its neighbour."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from mask_controls(OTHER_MASK, values)
    yield from place_controls(run, attention=False, stack=run.config.stacks[-1])
    yield control(SECOND_TEXT, width=420, max_chars=TEXT_CHARACTERS, placeholder="the first half of your text")


def _seconds(run: Run, values: Values) -> float:
    masked, _ = chosen_run(run, values, OTHER_MASK)
    return batch_seconds_here(masked, queries.texts(masked, _second(run, values)))


def _show(run: Run, values: Values) -> Shown:
    """Show the shorter text alone and in a batch with the longer one: its weights, and how far its outputs move."""
    (masked, place), second = chosen_run(run, values, OTHER_MASK), _second(run, values)
    first_tokens, second_tokens = queries.texts(masked, second)
    if len(first_tokens) == len(second_tokens):
        equal = "Both texts are equally long, so there is no padding. Take a shorter or longer second text."
        return Shown(lead=LEAD, pictures=[Message(equal)])
    try:
        record = queries.batched(masked, place, second)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    form, switch = pattern_form(values, record.alone, record.hidden, record.seen)
    labels, padded_labels = record.own, record.padded
    alone, hidden, seen = record.drawn
    panels = [
        Panel("alone", "The shorter text alone", alone, labels, labels, *form),
        Panel("hidden", "In the batch, padding hidden", hidden, padded_labels, padded_labels, *form),
        Panel("seen", "In the batch, padding seen", seen, padded_labels, padded_labels, *form),
    ]
    largest_change = max(float(record.moved[0].max()), ROUNDING)
    moved = Panel(
        "moved",
        "How far do its outputs move?",
        *record.moved,
        "padding",
        "output of",
        "size",
        largest_change,
        unit="change",
    )
    return Shown(
        lead=LEAD,
        pictures=[
            *_two_rows(record),
            Matrices(panels, key="mask-batch", name="Padding in a batch", height=300),
            *switch,
            Matrices([moved], key="mask-moved", name="Outputs moved by padding", height=300),
        ],
        takeaway=read_batch(record.moved_hidden, record.moved_seen, record.taken, labels),
        notes=read_batch_masks(masks_label(masked.masks), record.taken),
        table=Table("batch", *record.table, corner="padding"),
        source=("core.model.masks.padding", "core.topics.masks.batch.batched"),
    )


def _two_rows(record: Batched) -> list[Part]:
    """Return what the token that gives most to the padding looks at, without the padding mask and with it."""
    row, labels = record.most_taken, record.padded
    name, (_, hidden, seen) = token_name(labels, row), record.drawn
    rows = {"Without the padding mask": seen[row], "With the padding mask": hidden[row]}
    largest_weight = max(float(weights.max()) for weights in rows.values()) or 1.0
    lines: list[Part] = []
    for number, (title, weights) in enumerate(rows.items()):
        tokens = [
            Token(bare(label), under=percent(weight), shade=weight / largest_weight)
            if np.isfinite(weight)
            else Token(bare(label), "hidden", dim=True)
            for label, weight in zip(labels, weights.tolist(), strict=True)
        ]
        heading = f"{title}, what {name} looks at"
        lines.append(Markdown(f"**{plain(title)}**, what {plain(name)} looks at:"))
        lines.append(TokenButtons(tokens, key=f"mask-padded-{number}", name=heading, selected=row, large=True))
    return lines


def _second(run: Run, values: Values) -> str:
    return run.format.in_case(values[SECOND_TEXT][:TEXT_CHARACTERS])


VIEW = View("padding in a batch", _show, _controls, _seconds)
