"""The bounded cache of models, shared by all visitors, and eviction to make room for the next run."""

import gc
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial
from typing import Any, TypeVar

import streamlit as st

from core.checkpoints.source import ModelSource
from core.device import Placement
from core.faults import NoMemory, machine_faults
from core.limits import WEIGHTS_MIB
from core.memory import MIB
from core.registry import ModelRegistry
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute.lru_models import ModelLRU
from pages.compute.memory_budget import room_for

# A model's sizes, its placement, and its source if it is trained.
ModelKey = tuple[Any, Placement, ModelSource | None]
# Plain values, whose repr is their cache key: Streamlit would hash them field by field at every cache lookup.
PLAIN_VALUES: tuple[str | type, ...] = (
    Run,
    HeadAddress,
    Placement,
    ModelRegistry,
    "core.model.config.TransformerConfig",
)
HASH_AS_REPR: dict[str | type, Callable[[Any], Any]] = dict.fromkeys(PLAIN_VALUES, repr)
estimate = lru_cache(maxsize=256)(loading.estimate)

_spared: list[Any] = []  # filled while the pages are imported
Cached = TypeVar("Cached")


def evictable(cached: Cached) -> Cached:
    """Register a cache of `st.cache_resource` that may be emptied to free memory; its objects can be made again."""
    _spared.append(cached)
    return cached


@st.cache_resource(show_spinner=False)
def models() -> ModelLRU:
    """Return the LRU cache of all models, whose models are shared by all visitors."""
    return ModelLRU(WEIGHTS_MIB * MIB)


def load_model(made: ModelKey, check: Callable[[], None] | None = None) -> Any:
    """Return a model with fresh weights or those of a source; show a spinner while it is made or read.

    made: the model's key.
    check: called while fresh weights are drawn or trained; it may cancel by raising an exception.
    """
    config, placement, source = made
    make = source.load if source else partial(loading.fresh_model, config)
    with nullcontext() if made in models() else st.spinner("Reading the model…" if source else "Making the model…"):
        return models().get(made, partial(make, placement, check))


def fit_together(first: Run, second: Run) -> bool:
    """Return whether the models of two runs can both stay in the cache, so that neither evicts the other."""
    runs = {(run.config, run.source): run for run in (first, second)}
    return models().fit_together(*(estimate(run.config, 1, run.placement).model for run in runs.values()))


def reserve_memory(made: Hashable, size: loading.MemoryEstimate) -> AbstractContextManager[None]:
    """Reserve memory for a run inside this context, evicting models if there is too little.

    made: the key of the run's model; if it is loaded, it is not evicted and needs no more memory.
    size: the memory of the run.
    """

    def needed() -> loading.MemoryEstimate:
        return size.beside_model if made in models() else size

    return room_for(needed, _spare, partial(models().shed, made))


def _spare() -> None:
    """Clear everything that is cached only to save recomputing it: models, registered caches and `st.cache_data`."""
    models().clear()
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
