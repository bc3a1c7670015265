"""Every cache of the project: bounded, keyed by plain values, shared by all visitors.

Models and tokenizers are one object for everybody and are never written to. Records are numbers, handed out as
copies.
"""

import gc
from typing import Any

import streamlit as st

from core import explorer
from core.analysis.costs import memory_estimate
from core.device import Placement
from core.edits import Edit
from core.explorer.head_records import Ablation, Behaviours, Contributions, Mixing, Overview, Patterns, Projections
from core.explorer.records import HeadRecord, Journey, Place
from core.model.config import TransformerConfig
from core.run import Run, TokenRow
from core.text import Tokenizer

SMALL_MODEL = 24 * 2**20
record = st.cache_data(max_entries=48, max_size="24MB", show_spinner=False)


@st.cache_resource(max_entries=6, show_spinner=False)
def tokenizer(name: str) -> Tokenizer:
    return Tokenizer.load(name)


@st.cache_resource(max_entries=8, show_spinner=False)
def _small_model(config: TransformerConfig, placement: Placement) -> Any:
    return explorer.load(config, placement)


@st.cache_resource(max_entries=1, show_spinner="Making the model…")
def _large_model(config: TransformerConfig, placement: Placement) -> Any:
    return explorer.load(config, placement)


def model(run: Run) -> Any:
    """The run's model: small ones are kept for many visitors, of the large ones only the last."""
    weights = memory_estimate(run.config, 1, (), dtype=run.placement.dtype).parameters
    return (_small_model if weights <= SMALL_MODEL else _large_model)(run.config, run.placement)


@record
def check(run: Run) -> dict[str, TokenRow]:
    """The run's tokens by stack; ValueError when it cannot be carried out."""
    return dict(explorer.check(run, tokenizer(run.tokenizer)).rows)


@record
def head(run: Run, place: Place) -> HeadRecord:
    return explorer.head(model(run), tokenizer(run.tokenizer), run, place)


@record
def patterns(run: Run, place: Place) -> Patterns:
    return explorer.patterns(model(run), tokenizer(run.tokenizer), run, place)


@record
def projections(run: Run, place: Place) -> Projections:
    return explorer.projections(model(run), tokenizer(run.tokenizer), run, place)


@record
def contributions(run: Run, place: Place) -> Contributions:
    return explorer.contributions(model(run), tokenizer(run.tokenizer), run, place)


@record
def behaviours(run: Run, place: Place) -> Behaviours:
    return explorer.behaviours(model(run), tokenizer(run.tokenizer), run, place)


@record
def overview(run: Run, place: Place) -> Overview:
    return explorer.overview(model(run), tokenizer(run.tokenizer), run, place)


@record
def mixing(run: Run, place: Place, rolled: bool) -> Mixing:
    return explorer.mixing(model(run), tokenizer(run.tokenizer), run, place, rolled)


@record
def ablate(run: Run, place: Place, edits: tuple[Edit, ...]) -> Ablation:
    return explorer.ablate(model(run), tokenizer(run.tokenizer), run, place, edits)


@record
def journey(run: Run, place: Place) -> Journey:
    return explorer.journey(model(run), tokenizer(run.tokenizer), run, place)


@st.cache_resource(show_spinner=False)
def settle_memory() -> bool:
    """Once, when everything is imported: spare the garbage collector the objects that will never be garbage.

    Streamlit collects after every rerun, which costs tens of milliseconds while torch's objects are looked through.
    """
    gc.collect()
    gc.freeze()
    return True
