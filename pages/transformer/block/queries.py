"""Cached results for this page: one token's stream, its norms, its neurons, and the outcomes of changed runs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import streamlit as st

from core.checkpoints.firing import WITH_TEXTS, Firing, load_firing
from core.checkpoints.measured import MEASURED_FOLDER
from core.device import Placement
from core.faults import machine_faults
from core.limits import VARIANTS_MB
from core.topics.block import ablation, corpus_texts, held_out, norms, patching, permutation_equivariance
from core.topics.block import neurons as core_neurons
from core.topics.block import stream as core_stream
from core.topics.block.ablation import AblatedRun, RunOutcome
from core.topics.block.answers import AnswerHead
from core.topics.block.corpus_texts import FoundText, LitText, as_trained
from core.topics.block.counterparts import counterparts
from core.topics.block.held_out import Questions
from core.topics.block.neurons import Neurons
from core.topics.block.pairs import TextPair, pair_of, shortened
from core.topics.block.passes import CachedPass
from core.topics.block.patching import BothRuns, Ends, PatchedCell, PatchedRow
from core.topics.block.permutation_equivariance import AnyOrder
from core.topics.shared.loading import estimate_seconds
from core.tracing.run import Run
from pages.compute.cache import (
    HASH_AS_REPR,
    cached,
    check,
    class_layer,
    compute,
    large_record,
    opened,
    reader,
    small_record,
    tells_hidden,
    trained,
)
from pages.compute.calls import helper, logged
from pages.compute.model_cache import evictable

Answer = TypeVar("Answer")
Where = ParamSpec("Where")
EXACT_PLACEMENT = Placement("cpu", "float32")
AT_ONCE = 0.25  # seconds: tokens are patched in one batch if together they take less
Taken = tuple[AblatedRun | None, float | None]


def logged_and_spared(max_results: int) -> Callable[[Callable[Where, Answer]], Callable[Where, Answer]]:
    """Return a cache decorator that stores results with the calls that made them, and is emptied if memory is needed.

    max_results: the largest number of results.
    """
    kept_results = st.cache_resource(max_entries=max_results, show_spinner=False, hash_funcs=HASH_AS_REPR)
    return logged(lambda work: evictable(kept_results(work)))


_variants = logged(
    st.cache_data(max_entries=512, max_size=f"{VARIANTS_MB}MB", show_spinner=False, hash_funcs=HASH_AS_REPR)
)

stream = cached(core_stream.stream, small_record)
norm = cached(norms.norm, small_record)
block_inputs = cached(core_neurons.block_inputs, large_record)
written = cached(core_neurons.written, small_record)
_lit_texts = cached(corpus_texts.lit_texts, small_record)


@small_record
def neurons(run: Run, stack: str, layer: int, token: int, neuron: int | None) -> Neurons:
    """Return the strongest neurons of a block at a token."""
    return compute(core_neurons.neurons, run, stack, layer, token, neuron, block_inputs(run, stack, layer))


@small_record
def any_order(run: Run, stack: str, layer: int, seed: int, numbers: tuple[int, ...]) -> AnyOrder:
    """Feed a block the tokens in another order and return how its neurons and the outputs of its parts change.

    This runs in float32 on the CPU, so that rounding is not taken for a change.
    """
    exact = replace(run, placement=EXACT_PLACEMENT)
    return compute(
        permutation_equivariance.any_order, exact, stack, layer, seed, numbers, block_inputs(exact, stack, layer)
    )


def lit_texts(run: Run, stack: str, layer: int, neuron: int, hits: tuple[FoundText, ...]) -> tuple[LitText, ...]:
    """Return the texts on which a neuron fires most, as the run's model reads them, whatever the run's own text."""
    return _lit_texts(as_trained(run, hits[0].text), stack, layer, neuron, hits) if hits else ()


def firing(run: Run) -> Firing | None:
    """Return the texts with the highest activations of each neuron of a run's model; None if none were searched.

    BrokenFile if their file is missing or damaged, `MachineFault` if this machine cannot read it.
    """
    with machine_faults():
        if run.source is None or (name := run.source.address) not in WITH_TEXTS:
            return None
        config = opened(run.source).config
        return helper(_firing(name, MEASURED_FOLDER), load_firing, name, config, MEASURED_FOLDER)


@st.cache_resource(max_entries=4, show_spinner=False)
def _firing(name: str, folder: Path) -> Firing:
    return load_firing(name, trained(name).config, folder)


def last_step(run: Run) -> AnswerHead:
    """Return the part of a run's model that turns its final vectors into scores of answers."""
    return AnswerHead(class_layer(run), tells_hidden(run))


@logged_and_spared(2)
def _whole_pass(run: Run, stack: str) -> CachedPass:
    return compute(ablation.whole_pass, run, stack)


@small_record
def untouched(run: Run, stack: str, row: int) -> RunOutcome:
    return compute(partial(ablation.untouched, last_step(run), _whole_pass(run, stack)), run, row)


@logged_and_spared(4)
def _held_out(run: Run, stack: str) -> tuple[Questions, CachedPass] | None:
    return compute(partial(held_out.held_out_pass, last_step(run)), run, stack)


@_variants
def _loss(run: Run, stack: str, name: str) -> float | None:
    held_out_texts = _held_out(run, stack)
    if held_out_texts is None:
        return None
    return compute(partial(held_out.held_out_loss, last_step(run), *held_out_texts), run, name)


def loss(run: Run, stack: str, name: str = "") -> float | None:
    """Return the loss of a variant on the held-out texts.

    NaN if the numbers overflow, None if the model answers nothing there.
    """
    everywhere = not name[-1:].isdecimal()
    return _loss(held_out.held_out_run(run, reader(run)), run.config.stacks[0] if everywhere else stack, name)


def questions_asked(run: Run) -> tuple[int, bool]:
    """Return the number of held-out answers on which the loss is measured, and whether those are all that there are."""
    questions = held_out.ask_held_out(last_step(run), reader(run), run)
    return (questions.count, questions.whole) if questions else (0, True)


@_variants
def variant(run: Run, stack: str, row: int, name: str) -> Taken:
    """Return the outcome of a variant on the text, and its loss."""
    function = partial(ablation.without, last_step(run), _whole_pass(run, stack), untouched(run, stack, row))
    return compute(function, run, row, name), loss(run, stack, name)


def taken_away(
    run: Run, stack: str, row: int, names: Sequence[str], before: dict[str, Taken] | None
) -> Iterator[dict[str, Taken]]:
    """Compute the outcomes of variants of a model that lack a part; yield all outcomes so far, by name, after each.

    names: the variants.
    before: outcomes that are known already.
    """
    outcomes = dict(before or {})
    for name in names:
        if name not in outcomes:
            outcomes[name] = variant(run, stack, row, name)
            yield dict(outcomes)


def take_seconds(run: Run, names: Sequence[str]) -> float:
    """Estimate how many seconds these variants take, on the text and on the held-out texts."""
    passes = 1 + sum(0.5 if name[-1:].isdecimal() else 1 for name in names)
    length = sum(len(row) for row in check(run).values()) + questions_asked(run)[0]
    return estimate_seconds(run.config, length, passes)


@small_record
def short(run: Run) -> Run:
    """Return the run on the beginning of its texts."""
    return shortened(run, reader(run))


@small_record
def pair(run: Run, text: str, stack: str, token: int) -> TextPair:
    """Pair a shortened run with a run of the same model on another text; ValueError if it cannot read that text."""
    return compute(partial(pair_of, last_step(run), text), run, stack, token)


@logged_and_spared(8)
def _both_runs(run: Run, text: str, stack: str, token: int) -> BothRuns:
    return compute(partial(patching.both_runs, pair(run, text, stack, token)), run)


def _of_pair(function: Callable[..., Answer], run: Run, text: str, stack: str, token: int, *where: object) -> Answer:
    """Call a function of patching with a run and a run of the same model on another text."""
    runs = _both_runs(run, text, stack, token)
    return compute(partial(function, last_step(run), pair(run, text, stack, token), runs), run, *where)


@small_record
def ends(run: Run, text: str, stack: str, token: int) -> Ends:
    return _of_pair(patching.patch_ends, run, text, stack, token)


def telling_counterpart(run: Run, stack: str, token: int) -> str:
    """Return the text to compare that changes the answer of a short run most; "" if there is none."""
    texts = counterparts(run.model_name, run.text)
    if len(texts) < 2:
        return next(iter(texts), "")
    return max(texts, key=lambda text: _parted(run, text, stack, token))


def _parted(run: Run, text: str, stack: str, token: int) -> float:
    """Return how far the answers of a run and of another text lie apart; 0 if this cannot be measured.

    Two different answers lie further apart than any two equal ones.
    """
    with suppress(ValueError):
        both_ends = ends(run, text, stack, token)
        if not both_ends.nothing and len(both_ends.names):
            first, second = both_ends.probabilities
            return float(np.abs(first - second).sum()) + 2 * (not both_ends.alike)
    return 0.0


@_variants
def cell(run: Run, text: str, stack: str, token: int, boundary: int, patched_token: int) -> PatchedCell | None:
    return _of_pair(patching.patch_cell, run, text, stack, token, boundary, patched_token)


@_variants
def _rows(run: Run, text: str, stack: str, token: int, patched_tokens: tuple[int, ...]) -> list[PatchedRow]:
    return _of_pair(patching.patch_rows, run, text, stack, token, patched_tokens)


def patched(
    run: Run, text: str, stack: str, token: int, before: dict[int, PatchedRow] | None
) -> Iterator[dict[int, PatchedRow]]:
    """Compute the rows of the patching map; yield all rows so far, by token, after every few.

    before: rows that are known already.
    """
    rows, order = dict(before or {}), patching.patch_order(pair(run, text, stack, token))
    together = max(1, int(AT_ONCE * len(order) / patch_seconds(run, stack)))
    for start in range(0, len(order), together):
        patched_tokens = tuple(order[start : start + together])
        if not rows.keys() >= set(patched_tokens):
            rows |= zip(patched_tokens, _rows(run, text, stack, token, patched_tokens), strict=True)
            yield dict(rows)


def patch_seconds(run: Run, stack: str) -> float:
    """Estimate how many seconds the whole map takes.

    For each token and each number of layers, the remaining layers run once.
    """
    length = len(check(run)[stack])
    return estimate_seconds(run.config, length, length * (run.config.depth(stack) + 1) / 2)
