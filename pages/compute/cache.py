"""Caches of models, tokenizers and runs, shared by all visitors; each is bounded and keyed by plain values.

Models and tokenizers are one object for everybody and are never written to. Records hold numbers and are handed out
as copies.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import lru_cache, partial, wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from core.checkpoints import shipped
from core.checkpoints.card import Card
from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.source import ModelSource, Shipped
from core.device import choose
from core.limits import RECORD_MB, SMALL_RECORD_MB, TRAINED_MODELS, WEIGHTS_MIB
from core.memory import MIB
from core.registry import ModelRegistry, is_step
from core.text.pieces import AnyTokenizer
from core.text.tokenizer import Tokenizer
from core.topics.shared import loading, open_run
from core.tracing.run import Run, TokenRow
from pages.compute.calls import core_call, helper, logged
from pages.compute.catalog import CatalogEntry, cards_on, listed_on, names_on, real_place
from pages.compute.heavy_queue import cancellation_check
from pages.compute.lab_runs import live_runs
from pages.compute.model_cache import (
    HASH_AS_REPR,
    ModelKey,
    estimate,
    load_model,
    models,
    reserve_memory,
    translate_machine_errors,
)

# The server imports this file before Streamlit runs, and would be warned once for each cache that it is kept in memory.
logging.getLogger("streamlit.runtime.caching.cache_data_api").setLevel(logging.ERROR)

Record = TypeVar("Record")
Where = ParamSpec("Where")
MODELS = shipped.MODELS_FOLDER
large_record = logged(
    st.cache_data(max_entries=48, max_size=f"{RECORD_MB}MB", show_spinner=False, hash_funcs=HASH_AS_REPR)
)
small_record = logged(
    st.cache_data(max_entries=24, max_size=f"{SMALL_RECORD_MB}MB", show_spinner=False, hash_funcs=HASH_AS_REPR)
)


@st.cache_resource(max_entries=6, show_spinner=False)
def _tokenizer(name: str) -> Tokenizer:
    return Tokenizer.load(name)


def tokenizer(name: str) -> Tokenizer:
    """Return a shipped tokenizer by its name."""
    return helper(_tokenizer(name), Tokenizer.load, name)


@lru_cache(maxsize=TRAINED_MODELS)
def _open(source: ModelSource) -> tuple[Shipped, AnyTokenizer]:
    with translate_machine_errors():
        return source.open()


def _registry() -> ModelRegistry:
    return ModelRegistry(MODELS, real_place(), live_runs)


def source(name: str) -> ModelSource:
    """Return a trained model by its name.

    Raises ValueError for a step of the lab that cannot be.
    """
    return _registry().source(name)


def model_names() -> tuple[str, ...]:
    """Return the names of the trained models that a visitor can choose."""
    return names_on(_registry())


def cards() -> Mapping[str, Card]:
    """Return the cards of all trained models, by name."""
    models = cards_on(_registry())
    return models if _registry().place else helper(models, shipped.cards)


def listed() -> Mapping[str, CatalogEntry]:
    """Return all trained models whose cards can be read, by name."""
    return listed_on(_registry())


def is_model(name: str) -> bool:
    """Return whether a name is that of a trained model, which may still be one that cannot be used."""
    return name in model_names() or is_step(name)


def entry(name: str) -> CatalogEntry | None:
    """Return the title and the kind of a trained model; None if its card cannot be read."""
    found = listed().get(name)
    if found or not is_model(name):
        return found
    try:
        card = opened(source(name)).card
    except ValueError:
        return None
    return CatalogEntry(card.title, card.family, card.config["architecture"])


def model_title(name: str) -> str:
    """Return the title of a trained model as shown on screen; its name if its card cannot be read."""
    found = entry(name)
    return found.title if found else name


def opened(source: ModelSource) -> Shipped:
    """Return a trained model.

    Raises ValueError if its card or its tokenizer cannot be used. Its weights are not read yet.
    """
    return _open(source)[0]


def trained(name: str) -> Shipped:
    """Return a trained model by its name.

    Raises ValueError if one of its files cannot be used. The weights of a step of the lab are not read yet.
    """
    model = opened(source(name))
    _read_once(model.source)
    return model


@lru_cache(maxsize=TRAINED_MODELS)
def _read_once(source: ModelSource) -> None:
    """Read a model's weights when a visitor chooses it for the first time, so that a damaged file is noticed at once.

    Later they are read again only when a result has to be computed and they have left the memory. Not read here are
    the weights of a step of the lab, and those of a large model: its first run reads them, in the number format that
    the visitor has chosen.
    """
    config, placement = opened(source).config, choose()
    size = estimate(config, 1, placement, made_elsewhere=not source.trained_here)
    if not source.listed or size.model > WEIGHTS_MIB * MIB:
        return
    made = (config, placement, source)
    with translate_machine_errors(), nullcontext() if made in models() else reserve_memory(made, size):
        load_model(made)


def title_of(run: Run) -> str:
    """Return the name of a run's model as shown on screen."""
    return opened(run.source).card.title if run.source else "random weights"


@lru_cache(maxsize=8)
def _class_layer(source: ModelSource) -> ClassLayer | None:
    return source.class_layer()


def class_layer(run: Run) -> ClassLayer | None:
    """Return the last layer of the classifier of a run; None if the run's model is no classifier."""
    if run.source is None:
        return None
    with translate_machine_errors():
        return helper(_class_layer(run.source), open_run.class_layer, run)


def tells_hidden(run: Run) -> bool:
    """Return whether a run's model was trained to predict the tokens hidden behind [MASK]."""
    return run.source is not None and opened(run.source).mask is not None


def reader(run: Run) -> AnyTokenizer:
    """Return the tokenizer that reads the texts of a run.

    For a trained model it is the model's own. A run with random weights names a shipped tokenizer, or a trained model
    whose tokenizer it uses.
    """
    owner = run.reads_with
    tokenizer = _tokenizer(owner) if isinstance(owner, str) else _open(owner)[1]
    helper((None, tokenizer), open_run.open_run, run)
    return tokenizer


def model_key(run: Run) -> ModelKey:
    """Return the key of a run's model in the cache of models."""
    return run.config, run.placement, run.source


def compute(
    function: Callable[..., Record], run: Run, *where: Any, holds: loading.PeakMemory = loading.HOLDS
) -> Record:
    """Call a function of `core.topics` on a run, and return its result.

    Runs that take much memory are carried out one at a time, whichever visitor asks for them. A run whose result nobody
    waits for any more ends between two blocks.

    function: takes (model, tokenizer, run, *where).
    where: its arguments after the run.
    holds: the tensors that the function holds at its peak.

    Raises ValueError if the run cannot be carried out, and its subclass `MachineFault` if this machine fails at it.
    """
    size, made = run_memory(run, holds), model_key(run)
    with translate_machine_errors(), reserve_memory(made, size):
        cancel = cancellation_check()
        shared = load_model(made, cancel)  # held here, so that its memory counts as taken
        model = shared.cancelled_by(cancel)
        model, tokenizer = helper((model, reader(run)), open_run.open_run, run)
        try:
            return core_call(function, model, tokenizer, run, *where)
        finally:
            model.check = None  # for a caller to whom the function returned the model


def run_memory(run: Run, holds: loading.PeakMemory = loading.HOLDS) -> loading.MemoryEstimate:
    """Return the memory that a run needs with the tensors that a view holds at its peak.

    Raises ValueError if the run cannot be carried out.
    """
    length = max(map(len, check(run).values()))
    largest = opened(run.source).largest_tensor if run.source else 0
    return estimate(run.config, length, run.placement, holds, run.is_made_elsewhere, largest)


def expected_seconds(run: Run) -> float:
    """Estimate the seconds that one pass of a run takes here.

    They include drawing fresh weights, or training to a step of the lab, if the model is not loaded yet.
    """
    length = max(map(len, check(run).values()))
    making = 0.0
    if model_key(run) not in models():
        making = run.source.making_seconds() if run.source else loading.making_seconds(run.config)
    return making + loading.estimate_seconds(run.config, length, 1)


def cached(
    function: Callable[Concatenate[Any, Any, Run, Where], Record],
    cache: Callable[..., Any] = large_record,
    holds: loading.PeakMemory = loading.HOLDS,
) -> Callable[Concatenate[Run, Where], Record]:
    """Turn a function of `core.topics` into a cached function of a run: `patterns = cached(all_heads.patterns)`.

    function: takes (model, tokenizer, run, *where).
    cache: `large_record` or `small_record`, by the size of the result.
    holds: the tensors that the function holds at its peak.
    """

    @wraps(function)
    def call(run: Run, *where: Where.args, **named: Where.kwargs) -> Record:
        return compute(partial(function, **named), run, *where, holds=holds)

    of_run = list(signature(function).parameters.values())[2:]
    call.__dict__["__signature__"] = signature(function).replace(
        parameters=of_run
    )  # from which the cache makes its key
    return cache(call)


@large_record
def check(run: Run) -> dict[str, TokenRow]:
    """Return the run's tokens by stack.

    Raises ValueError if the run cannot be carried out.
    """
    tokenizer = reader(run)
    return dict(helper(loading.check(run, tokenizer), loading.check, run, tokenizer).rows)
