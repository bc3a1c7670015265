"""A property that is computed once for each object."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):
    """`functools.cached_property` without its lock, which before Python 3.12 is one for all objects of a class: whoever
    asks for a quick one waits for a slow one. Threads that ask for the same one at once may each compute it."""

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
