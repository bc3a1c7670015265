"""What the page keeps: one token's stream, its norms, its neurons, and what becomes of a run that is changed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from core.checkpoints.firing import Firing, load_firing, models_with_texts
from core.checkpoints.measured import MEASURED_FOLDER
from core.device import Placement
from core.explorer.block import any_order as orders
from core.explorer.block import corpus_texts, held_out, norms, patching, take_away
from core.explorer.block import neurons as of_ffn
from core.explorer.block import stream as streams
from core.explorer.block.answers import LastStep
from core.explorer.block.any_order import AnyOrder
from core.explorer.block.corpus_texts import FoundText, LitText, as_trained
from core.explorer.block.neurons import Neurons
from core.explorer.block.pairs import TextPair, pair_of, shortened
from core.explorer.block.patching import Ends, PatchedCell, PatchedRow
from core.explorer.block.take_away import RunOutcome, Without
from core.tracing.run import Run
from pages.queries.models import (
    BY_REPR,
    class_layer,
    compute,
    kept,
    reader,
    record,
    small_record,
    tells_hidden,
    trained,
)

EXACT = Placement("cpu", "float32", "")
Taken = tuple[Without | None, float | None]
_variants = st.cache_data(max_entries=512, max_size="12MB", show_spinner=False, hash_funcs=BY_REPR)

stream = kept(streams.stream, small_record)
norm = kept(norms.norm, small_record)
block_inputs = kept(of_ffn.block_inputs, record)
written = kept(of_ffn.written, small_record)
_lit_texts = kept(corpus_texts.lit_texts, small_record)


@small_record
def neurons(run: Run, stack: str, layer: int, token: int, neuron: int | None) -> Neurons:
    """The strongest neurons of a block at a token."""
    return compute(of_ffn.neurons, run, stack, layer, token, neuron, block_inputs(run, stack, layer))


@small_record
def any_order(run: Run, stack: str, layer: int, seed: int, numbers: tuple[int, ...]) -> AnyOrder:
    """In float32 on the CPU, so that rounding is not taken for a change."""
    plain = (run.placement.device, run.placement.dtype) == (EXACT.device, EXACT.dtype)
    exact = run if plain else replace(run, placement=EXACT)
    return compute(orders.any_order, exact, stack, layer, seed, numbers, block_inputs(exact, stack, layer))


def lit_texts(run: Run, stack: str, layer: int, neuron: int, found: tuple[FoundText, ...]) -> tuple[LitText, ...]:
    """The texts on which a neuron fires most, read by the run's model, whatever the run's own text."""
    return _lit_texts(as_trained(run, found[0].text), stack, layer, neuron, found) if found else ()


def firing(run: Run) -> Firing | None:
    """The texts on which the neurons of the run's model fire most; None where nobody has looked for them.

    ValueError where their file is damaged.
    """
    return _firing(run.checkpoint, MEASURED_FOLDER) if run.checkpoint in found_models() else None


def found_models() -> tuple[str, ...]:
    """The models whose neurons have their texts."""
    return _found_models(MEASURED_FOLDER)


@st.cache_resource(max_entries=2, show_spinner=False)
def _found_models(folder: Path) -> tuple[str, ...]:
    return models_with_texts(folder)


@st.cache_resource(max_entries=4, show_spinner=False)
def _firing(name: str, folder: Path) -> Firing:
    return load_firing(name, trained(name).config, folder)


def last_step(run: Run) -> LastStep:
    """What stands behind the last layer of a run's model."""
    return LastStep(class_layer(run), tells_hidden(run))


@small_record
def untouched(run: Run, stack: str, at: int) -> RunOutcome:
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


@small_record
def short(run: Run) -> Run:
    """The run on the beginning of its texts."""
    return shortened(run, reader(run))


@small_record
def pair(run: Run, text: str, stack: str, token: int) -> TextPair:
    """A run, made short, beside the same model on another text. ValueError for one that it cannot read."""
    return compute(partial(pair_of, last_step(run), text), run, stack, token)


@small_record
def ends(run: Run, text: str, stack: str, token: int) -> Ends:
    return compute(partial(patching.patch_ends, last_step(run), pair(run, text, stack, token)), run)


@_variants
def _patched(run: Run, text: str, stack: str, token: int, boundaries: tuple[int, ...]) -> list[PatchedRow]:
    return compute(partial(patching.patch_rows, last_step(run), pair(run, text, stack, token)), run, boundaries)


def patched(
    run: Run, text: str, stack: str, token: int, progress: Callable[[float, str], object] | None
) -> list[PatchedRow]:
    """The map of all tokens behind every number of layers: at once or, where progress is told, one by one."""
    layers = run.config.layers
    if progress is None:
        return _patched(run, text, stack, token, tuple(range(layers + 1)))
    found = []
    for boundary in range(layers + 1):
        progress(boundary / (layers + 1), f"Every token behind {boundary} layers…")
        found += _patched(run, text, stack, token, (boundary,))
    return found


@_variants
def cell(run: Run, text: str, stack: str, token: int, boundary: int, place: int) -> PatchedCell | None:
    step = last_step(run)
    return compute(partial(patching.patch_cell, step, pair(run, text, stack, token)), run, boundary, place)
