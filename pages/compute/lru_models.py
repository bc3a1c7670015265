"""Models in a cache that is bounded by the bytes of their weights."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from cachetools import LRUCache

from core.checkpoints.weights import bytes_of_weights


class ModelLRU:
    """As many of the models used last as fit into so many bytes. One that is larger is held alone.

    A model that was let go while somebody uses it takes its memory all the same: whoever wants it gets that one.
    """

    def __init__(self, most: int) -> None:
        self._models: LRUCache[Hashable, Any] = LRUCache(most, lambda model: min(most, bytes_of_weights(model)))
        self._alive: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def shed(self, but: Any = None) -> bool:
        """Let go the model that has not been used for longest, other than `but`; False where no other is held."""
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
        """The model of this name; `make` where it is not held. Whoever wants another one does not wait for that."""
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
        """The model of this name, held from now on, if it is there."""
        with self._lock:
            found = self._models.get(name)
            if found is None and (found := self._alive.get(name)) is not None:
                self._models[name] = found
            return found
