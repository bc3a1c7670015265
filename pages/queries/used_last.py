"""Models in a cache that is bounded by the bytes of their weights."""

from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import Lock
from typing import Any

from cachetools import LRUCache

from core.checkpoints.weights import bytes_of_weights


class UsedLast:
    """As many of the models used last as fit into so many bytes; one that is larger is never held."""

    def __init__(self, most: int) -> None:
        self._models: LRUCache[Hashable, Any] = LRUCache(most, bytes_of_weights)
        self._lock = Lock()

    def get(self, name: Hashable, read: Callable[[], Any]) -> Any:
        """The model of this name; `read` where it is not held."""
        with self._lock:
            if name in self._models:
                return self._models[name]
            model = read()
            with suppress(ValueError):  # it is larger than all that may be held
                self._models[name] = model
            return model
