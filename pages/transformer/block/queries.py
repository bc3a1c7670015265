"""What the page keeps: one token's stream, its norms, and what becomes of a run without a part of its model."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.explorer.block import held_out, norms, take_away
from core.explorer.block import stream as streams
from core.explorer.block.answers import LastStep
from core.explorer.block.take_away import Outcome, Without
from core.tracing.run import Run
from pages.queries.models import BY_REPR, class_layer, compute, kept, reader, small_record, tells_hidden

stream = kept(streams.stream, small_record)
norm = kept(norms.norm, small_record)
Taken = tuple[Without | None, float | None]
_variants = st.cache_data(max_entries=512, max_size="12MB", show_spinner=False, hash_funcs=BY_REPR)


def last_step(run: Run) -> LastStep:
    """What stands behind the last layer of a run's model."""
    return LastStep(class_layer(run), tells_hidden(run))


@small_record
def untouched(run: Run, stack: str, at: int) -> Outcome:
    return compute(partial(take_away.untouched, last_step(run)), run, stack, at)


@_variants
def _without(run: Run, stack: str, at: int, name: str) -> Without | None:
    return compute(partial(take_away.without, last_step(run), untouched(run, stack, at)), run, stack, at, name)


@_variants
def _loss(run: Run, stack: str, name: str) -> float | None:
    return compute(partial(held_out.held_out_loss, last_step(run)), run, stack, name)


def loss(run: Run, stack: str, name: str = "") -> float | None:
    """The loss of a variant on the held-out texts; NaN where the numbers overflow, None where nothing is answered."""
    everywhere = not name[-1:].isdecimal()
    return _loss(held_out.held_out_run(run, reader(run)), run.config.stacks[0] if everywhere else stack, name)


def taken_away(
    run: Run, stack: str, at: int, names: Sequence[str], progress: Callable[[float, str], object]
) -> list[Taken]:
    """What becomes of the run, and of the loss, in each of these variants."""
    found = []
    for place, name in enumerate(names):
        progress(place / len(names), f"The model with {name}…")
        found.append((_without(run, stack, at, name), loss(run, stack, name)))
    return found
