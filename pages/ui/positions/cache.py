"""What the page Positions keeps: measurements, keyed by plain values; and six small encoders for the shuffle."""

from dataclasses import replace
from typing import Any

import streamlit as st

from core.analysis.orthogonality import Cosines, random_cosines
from core.analysis.positions import Shift
from core.device import Placement
from core.explorer.positions import encodings as positions
from core.explorer.positions import far as positions_far
from core.explorer.positions import shuffle as positions_shuffle
from core.explorer.positions import terms as positions_terms
from core.explorer.positions.encodings import DotProducts, Encoding
from core.explorer.positions.far import LongText, Pair, Turned
from core.explorer.positions.shuffle import Shuffled
from core.explorer.positions.terms import Angles, Terms
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.ui import cache
from pages.ui.cache import carry_out, reader, small_record

EXACT = Placement("cpu", "float32", "")
slow_record = st.cache_data(max_entries=24, max_size="6MB", show_spinner="Measuring…")
slow_outputs = st.cache_data(max_entries=24, max_size="24MB", show_spinner="Reading the text…")


@small_record
def encode(encoding: Encoding) -> Any:
    return positions.encode(encoding)


@small_record
def dot_products(encoding: Encoding) -> DotProducts:
    return positions.dot_products(encoding)


@slow_record
def shifted(encoding: Encoding, k: int) -> Shift:
    return positions.shifted(encoding, k)


@small_record
def moved_penalties(encoding: Encoding, k: int) -> Any:
    return positions.moved_penalties(encoding, k)


@small_record
def own_table(run: Run, length: int) -> Any:
    return carry_out(_own_table, run, length)


def _own_table(model: Any, _tokenizer: Any, _run: Run, length: int) -> Any:
    return positions.own_table(model, length)


@small_record
def trained_with(kind: str) -> tuple[str, ...]:
    return positions.trained_with(kind, cache.MODELS)


@slow_record
def turned(run: Run, place: Place, tokens: tuple[int, int], k: int, length: int, base: float) -> Turned:
    return carry_out(positions_far.turned, run, place, tokens, k, length, base)


@small_record
def pair(run: Run, place: Place, query: int, key: int, length: int) -> Pair:
    return carry_out(positions_far.pair, run, place, query, key, length)


@slow_record
def long_text(run: Run, place: Place) -> LongText:
    return carry_out(positions_far.long_text, run, place)


@slow_record
def terms(run: Run, place: Place) -> Terms:
    return carry_out(positions_terms.terms, run, place)


@slow_record
def angles(run: Run) -> Angles:
    return carry_out(positions_terms.angles, run)


@slow_record
def cosines(size: int, draws: int, seed: int) -> Cosines:
    return random_cosines(size, draws, seed)


@slow_record
def shuffled(run: Run, seed: int) -> Shuffled:
    """In float32 on the CPU, so that rounding is not taken for a change."""
    exact = replace(run, placement=EXACT)
    return carry_out(positions_shuffle.shuffled, exact, seed, _outputs(exact))


@slow_outputs
def _outputs(run: Run) -> Any:
    return carry_out(positions_shuffle.outputs, run)


@st.cache_resource(max_entries=2, show_spinner=False)
def _fresh_encoders(vocabulary: int, seed: int) -> Any:
    return positions_shuffle.fresh_encoders(vocabulary, seed)


@slow_record
def shuffled_fresh(run: Run, seed: int) -> dict[str, Shuffled]:
    """Of six encoders with the fresh weights of the run's seed."""
    models = _fresh_encoders(run.config.vocab_size, run.config.seed)
    return positions_shuffle.shuffled_fresh(models, reader(run), run, seed)
