"""An LRU cache of models, bounded by the bytes of their weights."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from core.checkpoints.weights import bytes_of_weights


class ModelLRU:
    """An LRU cache of models of at most `max_bytes` bytes together, beside one model that may be larger.

    A model that was evicted while some code still uses it still takes its memory: it counts as loaded, and `get`
    returns that same object.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._models: OrderedDict[Hashable, Any] = OrderedDict()  # the least recently used comes first
        self._loaded: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self._making: WeakValueDictionary[Hashable, Lock] = WeakValueDictionary()
        self._lock = Lock()

    def __contains__(self, name: Hashable) -> bool:
        """Return whether the model of this name is in memory."""
        return name in self._loaded

    def get(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """Return the model of this name; if it is not in memory, call `make` and store the model that it returns.

        Calls for other models do not wait for `make`.
        """
        with self._lock:
            making = self._making.setdefault(name, Lock())
        with making:
            loaded = self._loaded.get(name)
            model = make() if loaded is None else loaded
            with self._lock:
                self._hold(name, model)
            return model

    def fit_together(self, *sizes: int) -> bool:
        """Return whether models of these sizes, in bytes, are held at once."""
        small = [size for size in sizes if size <= self._max_bytes]
        return sum(small) <= self._max_bytes and len(sizes) - len(small) <= 1

    def shed(self, but: Hashable = None) -> bool:
        """Evict the least recently used model, but not the one named `but`; return False if there is no other."""
        with self._lock:
            name = next((model_name for model_name in self._models if model_name != but), None)
            return self._models.pop(name, None) is not None

    def clear(self) -> None:
        """Evict all models."""
        with self._lock:
            self._models.clear()

    def _hold(self, name: Hashable, model: Any) -> None:
        """Store a model as the most recently used one, and evict others of its kind, small or large, until all fit."""
        new = name not in self._models
        self._models[name] = self._loaded[name] = model
        self._models.move_to_end(name)
        if new:
            sizes = {model_name: bytes_of_weights(held) for model_name, held in self._models.items()}
            kind = [
                model_name
                for model_name, size in sizes.items()
                if (size > self._max_bytes) == (sizes[name] > self._max_bytes)
            ]
            while not self.fit_together(*map(sizes.__getitem__, kind)):
                del self._models[kind.pop(0)]
