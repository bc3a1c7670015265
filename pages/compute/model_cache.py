"""Bounded caches of the models on the server, each shared by all visitors, and eviction to make room for the next."""

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import streamlit as st

from core.checkpoints.shelf import ModelRegistry, is_real
from core.device import Placement
from core.explorer.shared import loading
from core.explorer.shared.places import Place
from core.faults import NoMemory, machine_faults
from core.limits import LARGE_MODELS, SMALL_MODEL_MIB, WEIGHTS_MIB
from core.memory import MIB
from core.tracing.run import Run
from pages.compute.lru_models import ModelLRU
from pages.compute.memory_budget import room_for

ModelKey = tuple[Any, Placement, str]  # a model's sizes, its placement, and its name if it is trained
# Plain values, whose repr is their cache key: Streamlit would hash them field by field at every cache lookup.
PLAIN: tuple[str | type, ...] = (Run, Place, Placement, ModelRegistry, "core.model.config.TransformerConfig")
HASH_AS_REPR: dict[str | type, Callable[[Any], Any]] = dict.fromkeys(PLAIN, repr)


_spared: list[Any] = []  # filled while the pages are imported
Cached = TypeVar("Cached")


def evictable(cached: Cached) -> Cached:
    """Register a cache of `st.cache_resource` that may be emptied to free memory; its objects can be made again."""
    _spared.append(cached)
    return cached


@evictable
@st.cache_resource(max_entries=LARGE_MODELS, show_spinner="Making the model…", hash_funcs=HASH_AS_REPR)
def _large_model(config: Any, placement: Placement) -> Any:
    return loading.fresh_model(config, placement)


@evictable
@st.cache_resource(show_spinner=False)
def small_models() -> ModelLRU:
    """Return the LRU cache of all models that are not large; each model is one object for everybody."""
    return ModelLRU(WEIGHTS_MIB * MIB)


@evictable
@st.cache_resource(max_entries=LARGE_MODELS, show_spinner="Reading the model…", hash_funcs=HASH_AS_REPR)
def _large_trained(name: str, placement: Placement, shelf: ModelRegistry) -> Any:
    return shelf.load(name, placement)


@evictable
@st.cache_resource(max_entries=LARGE_MODELS, show_spinner="Reading the model…", hash_funcs=HASH_AS_REPR)
def _real(name: str, placement: Placement, shelf: ModelRegistry) -> Any:
    return shelf.load(name, placement)


def _model(config: Any, placement: Placement, name: str, shelf: ModelRegistry) -> Any:
    """Return a model with fresh weights or those of a checkpoint.

    Small models are cached for many visitors; of the large ones only the last are.
    """
    if name and is_real(name):
        return _real(name, placement, shelf)
    if is_large(config, placement):
        return _large_trained(name, placement, shelf) if name else _large_model(config, placement)
    if name:
        return small_models().get((name, placement, shelf), partial(shelf.load, name, placement))
    return small_models().get((config, placement), partial(loading.fresh_model, config, placement))


def is_large(config: Any, placement: Placement) -> bool:
    """Return whether a model is too large for the shared LRU."""
    return estimate(config, 1, placement.dtype).parameters > SMALL_MODEL_MIB * MIB


def load_model(made: ModelKey, shelf: ModelRegistry) -> Any:
    """Return a model and count its memory as taken from now on.

    shelf: the registry of the trained models.
    """
    model = loaded_models()[made] = _model(*made, shelf)
    return model


def reserve_memory(made: ModelKey, size: loading.MemoryEstimate) -> AbstractContextManager[None]:
    """Reserve memory for a run of the model `made`; if it is already loaded, it stays while others are evicted."""

    def needed() -> loading.MemoryEstimate:
        there = size.parameters if made in loaded_models() else 0
        return replace(size, parameters=size.parameters - there)

    return room_for(needed, _spare, lambda: small_models().shed(but=loaded_models().get(made)))


@lru_cache(maxsize=256)
def estimate(
    config: Any, length: int, dtype: str, holds: loading.PeakMemory = loading.HOLDS, checkpoint: str = ""
) -> loading.MemoryEstimate:
    return loading.estimate(config, length, dtype, holds, checkpoint)


@st.cache_resource(show_spinner=False)
def loaded_models() -> WeakValueDictionary[ModelKey, Any]:
    """Return the models whose memory is counted as taken."""
    return WeakValueDictionary()


def _spare() -> None:
    """Clear the models and numbers that are cached only to save recomputing them."""
    for cached in _spared:
        cached.clear()
    st.cache_data.clear()
    gc.collect()


@contextmanager
def translate_machine_errors() -> Iterator[None]:
    """Raise a failure of this machine inside this context as a `MachineFault`.

    If memory ran out, the cached models are cleared as well; they are made or read again at their next use.
    """
    try:
        with machine_faults():
            yield
    except NoMemory:
        _spare()
        raise
