"""What the page Positions keeps: measurements, keyed by plain values; and six small encoders for the shuffle."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from core.device import Placement
from core.explorer.positions import directions, encodings, far, shuffle
from core.explorer.positions import terms as of_terms
from core.explorer.positions.directions import Cosines
from core.explorer.positions.encodings import DotProducts, Encoding, Shift
from core.explorer.positions.shuffle import Shuffled
from core.tracing.run import Run
from pages.queries.models import MODELS, compute, kept, reader, small_record

EXACT = Placement("cpu", "float32", "")

turned, pair = kept(far.turned, small_record), kept(far.pair, small_record)
long_text = kept(far.long_text, small_record)
terms, angles = kept(of_terms.terms, small_record), kept(of_terms.angles, small_record)
_outputs = kept(shuffle.outputs)


@small_record
def encode(encoding: Encoding) -> np.ndarray:
    return encodings.encode(encoding)


@small_record
def dot_products(encoding: Encoding) -> DotProducts:
    return encodings.dot_products(encoding)


@small_record
def shifted(encoding: Encoding, k: int) -> Shift:
    return encodings.shifted(encoding, k)


@small_record
def own_table(run: Run, length: int) -> np.ndarray | None:
    return compute(lambda model, tokenizer, run: encodings.own_table(model, length), run)


@small_record
def trained_with(kind: str) -> tuple[str, ...]:
    return encodings.trained_with(kind, MODELS)


@small_record
def cosines(size: int, draws: int, seed: int) -> Cosines:
    return directions.random_cosines(size, draws, seed)


@small_record
def shuffled(run: Run, seed: int) -> Shuffled:
    """In float32 on the CPU, so that rounding is not taken for a change."""
    exact = replace(run, placement=EXACT)
    return compute(shuffle.shuffled, exact, seed, _outputs(exact))


@lru_cache(maxsize=2)
def _fresh_encoders(vocabulary: int, seed: int) -> Any:
    return shuffle.fresh_encoders(vocabulary, seed)


@small_record
def shuffled_fresh(run: Run, seed: int) -> dict[str, Shuffled]:
    """Of six encoders with the fresh weights of the run's seed."""
    models = _fresh_encoders(run.config.vocab_size, run.config.seed)
    return shuffle.shuffled_fresh(models, reader(run), run, seed)
