"""The view of one token's vector from the embedding to the end: the addition of each part."""

from collections.abc import Iterator

import numpy as np

from core.text.labels import token_name
from core.topics.block.charts.stream_rows import stream_rows_data, stream_rows_spec
from core.topics.block.readings import stream as say
from core.topics.block.stream import Stream, StreamStep, step_count
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.transformer.block import queries
from pages.transformer.block.parts import (
    NUMBERS_PIXELS,
    block_controls,
    stack_of,
    token_at,
    token_control,
    token_row_of,
)
from pages.transformer.block.settings import STEP
from pages.widgets import Chart, Control, Table, Values, control, spec

LEAD = (
    "Each token keeps one vector, the **residual stream**. No part of a **block** replaces it: attention and the "
    "feed-forward layer read it and add to it."
)
REPLACED_LEAD = (
    "Each token has one vector. In this model nothing carries it past a part of a **block** (no **residual "
    "connection**): what attention or the feed-forward layer makes replaces it."
)
ABOUT = (
    "Bar: the length of the vector that a part adds. Upright line: the length of the stream after it. Arrow: the "
    "angle between what is added and the stream before it; to the right it makes the stream longer, upwards it adds "
    "something new, to the left it takes away."
)
LENS_NOTE = (
    "The last column is the **logit lens**: the last norm and the unembedding applied to the stream after this step, "
    "as if the model ended there."
)


NO_FEED_FORWARD = "This model has no feed-forward layer: attention is the only part of its blocks."


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from block_controls(run, values, layer=False)
    yield token_control(run, values)
    yield control(STEP, "below", high=step_count(run, stack_of(run, values)) - 1, width=160)


def _show(run: Run, values: Values) -> Shown:
    """Show a row for each part of each block, and the numbers of the selected one."""
    stack = stack_of(run, values)
    stream = queries.stream(run, stack, token_at(run, values))
    steps = stream.steps
    selected = _looked_at(stream, values)
    labels = [step.label for step in steps]
    sizes, angles = [step.size for step in steps], [step.angle for step in steps]
    lengths = [step.length for step in steps]
    data = stream_rows_data(labels, [step.part for step in steps], sizes, lengths, angles, stream.heard, selected)
    dimensions = tuple(str(dimension) for dimension in range(run.config.d_model))
    first = next(index for index, step in enumerate(steps) if step.layer == 0)
    token = token_name(stream.labels, stream.token)
    sentences = say.read_turns(token, labels, stream.heard, stack == "decoder")
    return Shown(
        lead=LEAD if run.config.residual else REPLACED_LEAD,
        click="Click a step to see its numbers.",
        pictures=[
            token_row_of(run, values, "block-stream-tokens"),
            Chart(data, spec(stream_rows_spec, bool(stream.heard)), "block-stream", "residual stream", _look_at),
            Matrices(
                [_numbers(steps, selected)],
                key="block-stream-step",
                name=f"{labels[selected]} in numbers",
                height=NUMBERS_PIXELS,
            ),
        ],
        arithmetic=_arithmetic(run, steps, selected),
        takeaway=[*sentences, *say.read_stream(token, labels[first:], sizes[first:], angles[first:])],
        notes=[None if run.config.hidden_width else NO_FEED_FORWARD],
        formula=say.write_stream(
            run.config.d_model,
            run.config.depth(stack),
            run.config.norm_position,
            run.config.residual,
            stack == "decoder" and run.config.has_two_stacks,
            run.config.hidden_width > 0,
        ),
        about=[ABOUT, LENS_NOTE] if stream.heard else ABOUT,
        table=[
            Table("steps", np.array([sizes, lengths, angles]).T, labels, ("length added", "stream", "angle"), "step"),
            Table("numbers added", np.stack([step.added for step in steps]), labels, dimensions, corner="step"),
        ],
        source=("core.topics.block.stream.stream", "core.model.layers.Block.forward"),
    )


def _looked_at(stream: Stream, values: Values) -> int:
    """Return the chosen step; if none is chosen, the largest addition of the blocks."""
    if values[STEP] is not None:
        return int(min(values[STEP], len(stream.steps) - 1))
    return max(range(len(stream.steps)), key=lambda index: (stream.steps[index].layer >= 0) * stream.steps[index].size)


def _look_at(index: int) -> dict[str, int]:
    return {STEP.key: index}


def _numbers(steps: tuple[StreamStep, ...], selected: int) -> Panel:
    """Return a panel with the stream before a step, the vector that is added, and the stream after it."""
    step = steps[selected]
    rows = {
        "before": steps[selected - 1].after if selected else np.zeros_like(step.added),
        "added": step.added,
        "after": step.after,
    }
    title = f"{step.label}: each of the {len(step.added):,} numbers"
    return Panel("step", title, np.stack(list(rows.values())), tuple(rows), (), "stream", "number", unit="number")


def _arithmetic(run: Run, steps: tuple[StreamStep, ...], selected: int) -> str:
    step, normed = steps[selected], run.config.norm_position == "post" and steps[selected].layer >= 0
    before = steps[selected - 1].length if selected else 0.0
    return say.write_addition(step.label, step.size, before, step.length, step.angle, normed)


VIEW = View("residual stream", _show, _controls)
