"""Cached measurements for the page Positions, keyed by plain values, and six small encoders to test by shuffling."""

from dataclasses import replace
from functools import partial

from core.device import Placement
from core.topics.positions import directions, encodings, far, learned, shuffle
from core.topics.positions import terms as core_terms
from core.topics.positions.learned import LearnedTable, RelativeBiases
from core.topics.positions.shuffle import Shuffled, trained_run
from core.tracing.run import Run
from pages.compute.cache import MODELS, cached, compute, reader, small_record, trained
from pages.compute.calls import core_call, helper
from pages.compute.model_cache import models

EXACT_PLACEMENT = Placement("cpu", "float32")

encode, waves = small_record(encodings.encode), small_record(encodings.waves)
dot_products, shifted = small_record(encodings.dot_products), small_record(encodings.shifted)
shifted_rows = small_record(encodings.shifted_rows)
random_cosines = small_record(directions.random_cosines)
run_table = cached(encodings.run_table, small_record)
turned, pair = cached(far.turned, small_record), cached(far.pair, small_record)
long_text = cached(far.long_text, small_record)
terms, angles = cached(core_terms.terms, small_record), cached(core_terms.angles, small_record)
_outputs = cached(shuffle.outputs)
_learned_table, _biases = cached(learned.beside_sinusoids, small_record), cached(learned.relative_biases, small_record)


@small_record
def _learners() -> tuple[str, ...]:
    return learned.learners(MODELS)


def learner(run: Run) -> str | None:
    """Return the name of the trained model whose learned positions are shown; None if there is none.

    It is the run's own model or, if that has no learned positions, the first shipped model that has.
    """
    own_name, learners = run.model_name, _learners()
    has_some = own_name in learners or (run.config.positions == "learned" and run.is_made_elsewhere)
    return own_name if has_some else next(iter(learners), None)


def learned_table(name: str) -> LearnedTable:
    """Return a trained model's table of positions, beside the sinusoids."""
    return _learned_table(trained_run("a", trained(name)))


def own_biases(run: Run) -> tuple[RelativeBiases, ...]:
    """Return the numbers that the relative positions of a run's model add to its scores; empty if it has none."""
    return _biases(replace(run, text="a", target="a")) if run.config.positions == "relative" else ()


@small_record
def trained_kinds() -> dict[str, tuple[str, ...]]:
    return encodings.trained_kinds(MODELS)


@small_record
def shuffled(run: Run, seed: int) -> Shuffled:
    """Run the permutation test on a run's model.

    It runs in float32 on the CPU, so that rounding is not taken for a change.
    """
    exact = replace(run, placement=EXACT_PLACEMENT)
    return compute(shuffle.shuffled, exact, seed, _outputs(exact))


@small_record
def shuffled_fresh(run: Run, seed: int) -> dict[str, Shuffled]:
    """Run the permutation test on six encoders with the random weights of the run's seed."""
    name = (run.config.vocab_size, run.config.seed)
    encoders = models().get(("of each kind", *name), partial(shuffle.fresh_encoders, *name))
    helper(encoders, shuffle.fresh_encoders, *name)
    return core_call(shuffle.shuffled_fresh, encoders, reader(run), run, seed)
