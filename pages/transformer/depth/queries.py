"""Cached stacks of random blocks, and cached measurements in them and in trained models."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from core.device import Placement
from core.topics.depth import matrices, recurrent, stacks
from core.topics.depth.recurrent import ThroughTime
from core.topics.depth.stacks import Norms, StackShape, StackText
from core.topics.shared.labels import numbered_pieces
from core.tracing.run import Run
from pages.compute.cache import cached, reader, small_record, tells_hidden
from pages.compute.calls import core_call, helper
from pages.compute.heavy_queue import exclusive
from pages.compute.model_cache import models

Result = TypeVar("Result")
EXACT_PLACEMENT = Placement("cpu", "float32")
SHALLOW_LAYERS = 12  # layers: stacks up to this depth are built this deep and kept
_own_norms, _own_cosines = cached(stacks.own_norms, small_record), cached(stacks.own_cosines, small_record)
_own_remains = cached(stacks.own_remains, small_record)


def stack_text(run: Run) -> StackText:
    """Return the text that the stacks read; ValueError for a text of one token."""
    return core_call(stacks.stack_text, reader(run), run)


@small_record
def norms(run: Run, shape: StackShape) -> Norms:
    """Return the norms in a random stack, made from one seed."""
    return _in_turn(shape, lambda: core_call(stacks.stack_norms, _stack(run, shape), stack_text(run), shape.layers))


@small_record
def cosines(run: Run, shape: StackShape, norm: str) -> np.ndarray:
    """Return the mean cosine between two different tokens of a random stack, (W, N + 1), made from one seed.

    W are the wirings of `alike_wirings`, and N + 1 the stream as it enters and after each layer.

    norm: where the stack normalises, "pre" or "post".
    """
    return _in_turn(
        shape, lambda: core_call(stacks.stack_cosines, _stack(run, shape), stack_text(run), shape.layers, norm)
    )


@small_record
def remains(run: Run, shape: StackShape) -> np.ndarray:
    """Return how much of each token's vector is left in a random stack, made from one seed."""
    return _in_turn(shape, lambda: core_call(stacks.stack_remains, _stack(run, shape), stack_text(run), shape.layers))


def token_labels(run: Run) -> tuple[str, ...]:
    """Return the labels of the tokens that the stacks read, such as "3:cat"."""
    return numbered_pieces(reader(run).labels(stack_text(run).ids[0].tolist()))


def trained_norms(run: Run) -> Norms | None:
    """Return the norms in the run's own model, in float32 on the CPU; None if it is not trained."""
    if not run.is_trained:
        return None
    return _own_norms(replace(run, placement=EXACT_PLACEMENT), run.config.stacks[-1] == "decoder" or tells_hidden(run))


def trained_cosines(run: Run) -> np.ndarray | None:
    return _own_cosines(replace(run, placement=EXACT_PLACEMENT)) if run.is_trained else None


def trained_remains(run: Run) -> np.ndarray | None:
    return _own_remains(replace(run, placement=EXACT_PLACEMENT)) if run.is_trained else None


def _in_turn(shape: StackShape, work: Callable[[], Result]) -> Result:
    """Do the work; deep stacks are measured one at a time.

    They run on one thread, because their many small products are slower on several.
    """
    with nullcontext() if shape.layers <= SHALLOW_LAYERS else exclusive():
        return work()


def _stack(run: Run, shape: StackShape) -> Any:
    if shape.layers > SHALLOW_LAYERS:
        config = stacks.stack_config(run.config, shape)
        return helper(stacks.random_stack(config, shape.gain), stacks.random_stack, config, shape.gain)
    config = stacks.stack_config(run.config, replace(shape, layers=SHALLOW_LAYERS))
    model = models().get((config, shape.gain), partial(stacks.random_stack, config, shape.gain))
    return helper(model, stacks.random_stack, config, shape.gain)


powers, run_power_method = small_record(matrices.powers), small_record(matrices.run_power_method)
_through_time = small_record(recurrent.through_time)


def through_time(run: Run, steps: int, radius: float, bias: float, size: float, seed: int) -> ThroughTime:
    """Return the gradients in both recurrent networks, which read the run's tokens."""
    return _through_time(tuple(stack_text(run).ids[0].tolist()), steps, radius, bias, size, seed)
