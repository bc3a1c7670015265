"""An LRU cache of models, bounded by the bytes of their weights."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from cachetools import LRUCache

from core.checkpoints.weights import bytes_of_weights


class ModelLRU:
    """An LRU cache of models, bounded by the total bytes of their weights; a larger model is held alone.

    A model that was evicted while somebody uses it still takes its memory, so `get` returns that same object.
    """

    def __init__(self, most: int) -> None:
        self._models: LRUCache[Hashable, Any] = LRUCache(most, lambda model: min(most, bytes_of_weights(model)))
        self._alive: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def shed(self, but: Any = None) -> bool:
        """Evict the least recently used model other than `but`; return False if there is no other."""
        with self._lock:
            if not self._models:
                return False
            name, model = self._models.popitem()
            if model is not but:
                return True
            gone = bool(self._models) and bool(self._models.popitem())
            self._models[name] = model
            return gone

    def get(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """Return the model of this name; `make` it if it is not held.

        Calls for other models do not wait for that.
        """
        if (found := self._found(name)) is not None:
            return found
        with self._lock:
            making = self._making.setdefault(name, Lock())
        with making:
            try:
                if (found := self._found(name)) is not None:
                    return found
                model = make()
                with self._lock:
                    self._models[name] = self._alive[name] = model
                return model
            finally:
                with self._lock:
                    self._making.pop(name, None)

    def _found(self, name: Hashable) -> Any:
        """Return the model of this name if it is in memory, and hold it from now on; None otherwise."""
        with self._lock:
            found = self._models.get(name)
            if found is None and (found := self._alive.get(name)) is not None:
                self._models[name] = found
            return found
