"""Models in a cache that is bounded by the bytes of their weights."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

from cachetools import LRUCache

from core.checkpoints.weights import bytes_of_weights


class UsedLast:
    """As many of the models used last as fit into so many bytes. One that is larger is held alone."""

    def __init__(self, most: int) -> None:
        self._models: LRUCache[Hashable, Any] = LRUCache(most, lambda model: min(most, bytes_of_weights(model)))
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """The model of this name; `make` where it is not held. Whoever wants another one does not wait for that."""
        with self._lock:
            if name in self._models:
                return self._models[name]
            making = self._making.setdefault(name, Lock())
        with making:
            try:
                with self._lock:
                    if name in self._models:
                        return self._models[name]
                model = make()
                with self._lock:
                    self._models[name] = model
                return model
            finally:
                with self._lock:
                    self._making.pop(name, None)
