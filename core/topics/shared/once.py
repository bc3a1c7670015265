"""A property that is computed once for each object."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):
    """A cached property without the lock of `functools.cached_property`.

    Before Python 3.12 that lock is shared by all objects of a class, so a caller who needs a quick value waits for a
    slow one. Without it, threads that ask for the same value at once may each compute it.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Value: ...

    def __get__(self, owner: object | None, kind: type) -> Self | Value:
        if owner is None:
            return self
        value = vars(owner)[self.compute.__name__] = self.compute(owner)
        return value
