"""The view of one norm at one token: the mean subtracted, the deviation divided out, gain and bias."""

from collections.abc import Iterator

import numpy as np

from core.text.labels import token_name
from core.topics.block.charts.norm_strips import norm_strips_data, norm_strips_spec
from core.topics.block.norms import LAST_NORM, NormRecord, norm_names
from core.topics.block.readings import norms as say
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
from pages.transformer.block.settings import NORM, NUMBER
from pages.widgets import Chart, Control, Table, Values, control, layer_of, place_controls, spec

LEAD = (
    "A **norm** works on one token alone: LayerNorm takes the mean of its numbers away and divides by their "
    "deviation. A learned gain then stretches each number, and a learned bias shifts it."
)
ABOUT = (
    "All lines have one scale, so the norm shows as a line that gets wider or narrower: behind it the numbers of every "
    "token spread by 1. The gain is another for each number. Orange: the mean, and one standard deviation to either "
    "side."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from block_controls(run, values, layer=False)
    stack = stack_of(run, values)
    names = norm_names(run, stack)
    yield control(NORM, options=names, default=names[-1])
    if _which(run, values) != LAST_NORM:  # there is only one last norm for all layers
        yield from place_controls(run, attention=False, head=False, stack=stack)
    yield token_control(run, values)
    yield control(NUMBER, "below", high=run.config.d_model - 1, width=160)


def _show(run: Run, values: Values) -> Shown:
    """Show the numbers before and after as ticks, and as rows in which one number can be opened."""
    stack, which = stack_of(run, values), _which(run, values)
    layer = layer_of(run, values, stack)
    record = queries.norm(run, stack, layer, which, token_at(run, values))
    stages = _stages(record)
    index = min(values[NUMBER], run.config.d_model - 1)
    where = f"the last norm of the {stack}" if which == LAST_NORM else f"the norm of {which} {layer + 1}"
    token = token_name(record.labels, record.token)
    means = {name: say.write_spread(numbers) for name, numbers in stages.items()}
    return Shown(
        lead=LEAD,
        pictures=[
            token_row_of(run, values, "block-norm-tokens"),
            Chart(norm_strips_data(stages, means), spec(norm_strips_spec), "block-norm-lines", f"{where} at one token"),
            Matrices(
                [_numbers(stages, index)], key="block-norm-numbers", name=where, height=NUMBERS_PIXELS, sets=_open
            ),
        ],
        arithmetic=say.write_number(record.kind, record.own, index, record.made),
        takeaway=say.read_norm(token, where, record.kind, record.own, record.cosine, record.made is not None),
        notes=[say.note_no_norm(run.config.norm) if record.made is None else None],
        formula=say.write_norm(record.kind, record.own),
        about=ABOUT,
        table=Table(
            "norm",
            np.stack([*stages.values(), record.own.gain, record.own.bias]).T,
            [str(number) for number in range(run.config.d_model)],
            (*stages, "gain", "bias"),
            "number",
        ),
        source=("core.analysis.norms.layer_norm_terms", "core.analysis.norms.rms_norm_terms"),
    )


def _which(run: Run, values: Values) -> str:
    names = norm_names(run, stack_of(run, values))
    return values[NORM] if values[NORM] in names else names[-1]


def _stages(record: NormRecord) -> dict[str, np.ndarray]:
    """Return the vector at each stage: as it comes, normalised, with gain and bias, and normalised by the other norm.

    RMSNorm has no bias.
    """
    norm_name, other_name = (say.NAMES[kind] for kind in (record.kind, say.other_kind(record.kind)))
    with_gain = "× gain" if record.kind == "rmsnorm" else "× gain + bias"
    return {
        "as it comes": record.own.x,
        norm_name: record.own.normalised,
        with_gain: record.own.out,
        f"{other_name} instead": record.other.normalised,
    }


def _numbers(stages: dict[str, np.ndarray], index: int) -> Panel:
    """Return a panel with every number of the vector at each stage, the opened one outlined."""
    rows, title = np.stack(list(stages.values())), f"each of the {len(stages['as it comes']):,} numbers"
    return Panel("numbers", title, rows, tuple(stages), (), "", "number", unit="number", outlines=[(None, index)])


def _open(panel: str, row: int, column: int) -> dict[str, int]:
    return {NUMBER.key: column}


VIEW = View("norm", _show, _controls)
