"""The models that the server holds, each one object for everybody, in bounded caches; and room for the next."""

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

ModelKey = tuple[Any, Placement, str]  # the sizes of a model, where it stands, and its name where it is trained
# Plain values, whose words are their key: Streamlit would take them apart field by field for every look into a cache.
PLAIN: tuple[str | type, ...] = (Run, Place, Placement, ModelRegistry, "core.model.config.TransformerConfig")
HASH_AS_REPR: dict[str | type, Callable[[Any], Any]] = dict.fromkeys(PLAIN, repr)


_spared: list[Any] = []  # filled while the pages are imported
Cached = TypeVar("Cached")


def evictable(cached: Cached) -> Cached:
    """A cache of `st.cache_resource` that is emptied where room is wanted: what it keeps can be made again."""
    _spared.append(cached)
    return cached


@evictable
@st.cache_resource(max_entries=LARGE_MODELS, show_spinner="Making the model…", hash_funcs=HASH_AS_REPR)
def _large_model(config: Any, placement: Placement) -> Any:
    return loading.fresh_model(config, placement)


@evictable
@st.cache_resource(show_spinner=False)
def small_models() -> ModelLRU:
    """Of all models that are not large those used last, each one object for everybody."""
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
    """Fresh weights, or those of a checkpoint. Small ones are kept for many visitors, of the large ones the last."""
    if name and is_real(name):
        return _real(name, placement, shelf)
    if is_large(config, placement):
        return _large_trained(name, placement, shelf) if name else _large_model(config, placement)
    if name:
        return small_models().get((name, placement, shelf), partial(shelf.load, name, placement))
    return small_models().get((config, placement), partial(loading.fresh_model, config, placement))


def is_large(config: Any, placement: Placement) -> bool:
    """Whether a model is one of those of which only the last are kept."""
    return estimate(config, 1, placement.dtype).parameters > SMALL_MODEL_MIB * MIB


def load_model(made: ModelKey, shelf: ModelRegistry) -> Any:
    """A model whose memory is counted as taken from now on. shelf: where the trained ones are."""
    model = loaded_models()[made] = _model(*made, shelf)
    return model


def reserve_memory(made: ModelKey, size: loading.MemoryEstimate) -> AbstractContextManager[None]:
    """Room for a run of the model `made`, which may be there already, and then stays while others go."""

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
    """The models whose memory is taken."""
    return WeakValueDictionary()


def _spare() -> None:
    """Forget the models and numbers that are kept only so that they need not be made again."""
    for cached in _spared:
        cached.clear()
    st.cache_data.clear()
    gc.collect()


@contextmanager
def translate_machine_errors() -> Iterator[None]:
    """A failure of this machine within it becomes a `MachineFault`. For want of memory the models go, which whoever
    comes next makes or reads again."""
    try:
        with machine_faults():
            yield
    except NoMemory:
        _spare()
        raise
