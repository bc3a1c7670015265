"""What the page keeps: one token's stream, its norms, what the parts of a block read, and its neurons."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from core.checkpoints.firing import Firing, load_firing, models_with_texts
from core.checkpoints.measured import MEASURED_FOLDER
from core.device import Placement
from core.explorer.block import any_order as orders
from core.explorer.block import corpus_texts, norms
from core.explorer.block import neurons as of_ffn
from core.explorer.block import stream as streams
from core.explorer.block.any_order import AnyOrder
from core.explorer.block.corpus_texts import FoundText, LitText, as_trained
from core.explorer.block.neurons import Neurons
from core.tracing.run import Run
from pages.queries.models import compute, kept, record, small_record, trained

EXACT = Placement("cpu", "float32", "")

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
