"""Recorded calls as expressions: trees of plain values, in which the result of a call is that call.

A value is recognised as the result of a call, or as a part of one, because it is the same object; the log holds it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import lru_cache, partial
from inspect import Parameter, Signature, signature
from itertools import islice
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from core.checkpoints.source import ModelSource

# How many levels deep, and in how many items of each level, parts of a result are recognised.
MAX_DEPTH, MAX_ITEMS = 3, 100
NO_NAMES: Mapping[str, Any] = MappingProxyType({})
SCALARS = (type(None), bool, int, float, str, bytes)
OPEN_RUN = ("core.topics.shared.open_run", "open_run")
PARSE_SOURCE = ("core.registry", "parse_source")


class Unwritable(ValueError):
    """A value cannot be written as Python code, such as an array that no call of the log returned."""


@dataclass(frozen=True)
class Call:
    """A call of a core function, with the expressions of its arguments."""

    module: str
    name: str
    args: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()

    @property
    def opens_run(self) -> bool:
        """Whether it returns the model and the tokenizer of a run."""
        return (self.module, self.name) == OPEN_RUN


@dataclass(frozen=True)
class ResultPart:
    """A part of the result of a call.

    path: Python code that leads from the whole result to the part, such as ".tokens[0]".
    """

    of: Call
    path: str


@dataclass(frozen=True)
class Made:
    """A dataclass or named tuple as code: its class and its fields, without a dataclass's fields at their default.

    A model's source is the call of `parse_source` with its address.
    """

    module: str
    name: str
    fields: tuple[tuple[str, Any], ...]


class Stored(NamedTuple):
    """The calls that made a cached value, and the expression of the value, with None for what cannot be written."""

    calls: tuple[Call, ...]
    value: Any


class Recorded(NamedTuple):
    """A value and the call that returned it.

    function: the core function that returned it for these arguments; or, for a value from a cache, the calls that the
        cache stored with it.
    helper: whether the code contains this call only if another call uses its result.
    """

    value: Any
    function: Callable[..., Any] | Stored
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = NO_NAMES
    helper: bool = False


CallLog = list[Recorded]


def stored(log: CallLog, value: Any) -> Stored:
    """Return the calls in a log, and the expression of a value that was made by them, to be stored in a cache."""
    calls = Calls(log)
    return Stored(tuple(calls.written.values()), calls.expression(value, strict=False))


class Calls:
    """The calls in a log.

    written: those that the code contains, other than helpers, by their `repr`, in order.
    results: the values that they returned to the view, by the same keys.
    """

    def __init__(self, log: CallLog) -> None:
        self.written: dict[str, Call] = {}
        self.results: dict[str, Any] = {}
        self._log, self._known = log, dict[int, Any]()  # by id; the log holds the objects, so their ids stay
        for value, function, args, named, helper in log:
            if isinstance(function, Stored):
                calls, written = _replaced(tuple(function), self._origins((*args, *named.values())))
                self.written |= {repr(call): call for call in calls}
                self._bind(value, written)
            elif call := self._call(function, args, named):
                if not helper:
                    self.written[repr(call)] = call
                self._bind(value, call, MAX_DEPTH - 1 if call.opens_run else 0)

    def expression(self, value: Any, strict: bool = True) -> Any:
        """Return the expression of a value: the call that returned it, or the value itself in plain parts.

        Raises Unwritable if there is none, unless `strict` is off: then None replaces each part that has none.
        """
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, SCALARS):
            return value
        if (known := self._known.get(id(value))) is not None:
            return known
        if isinstance(value, ModelSource):
            return Made(*PARSE_SOURCE, (("address", value.address),))
        expression, kind = partial(self.expression, strict=strict), type(value)
        record = is_dataclass(value) and not isinstance(value, type)
        if record or (isinstance(value, tuple) and hasattr(value, "_fields")):
            if strict and not kind.__module__.startswith("core."):
                raise Unwritable(kind.__name__)
            given = _given(value) if record else zip(value._fields, value, strict=True)
            return Made(kind.__module__, kind.__qualname__, tuple((name, expression(part)) for name, part in given))
        if isinstance(value, tuple | list | set | frozenset):
            return kind(map(expression, value))
        if isinstance(value, dict):
            return {key: expression(part) for key, part in value.items()}
        if strict:
            raise Unwritable(kind.__name__)
        return None

    def _call(self, function: Any, args: tuple[Any, ...], named: Mapping[str, Any]) -> Call | None:
        while isinstance(function, partial):
            function, args, named = function.func, (*function.args, *args), {**function.keywords, **named}
        if not _is_public(function):
            return None
        positional, names = _shortest(function, args, named)
        name = function.__module__, function.__qualname__
        expression = (Calls([]) if name == OPEN_RUN else self).expression  # a run that is opened is always written out
        try:
            by_name = tuple((key, expression(argument)) for key, argument in names.items())
            return Call(*name, tuple(map(expression, positional)), by_name)
        except Unwritable:
            return None

    def _origins(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        """Return the calls that returned arguments of a cached function, by the `repr` of these arguments."""
        found = [(value, self._known[id(value)]) for value in arguments if id(value) in self._known]
        return {repr(Calls([]).expression(value, strict=False)): written for value, written in found}

    def _bind(self, value: Any, written: Any, depth: int = 0) -> None:
        """Store the expression of a value and those of its parts."""
        if isinstance(written, Call | ResultPart):
            if isinstance(written, Call) and (key := repr(written)) in self.written:
                self.results[key] = value
            if isinstance(value, SCALARS) or depth > MAX_DEPTH or (isinstance(value, tuple) and not value):
                return
            self._known.setdefault(id(value), written)
            call, start = (written.of, written.path) if isinstance(written, ResultPart) else (written, "")
            for path, part in _parts(value):
                self._bind(part, ResultPart(call, start + path), depth + 1)
        elif isinstance(written, Made):
            for name, field_written in written.fields:
                self._bind(getattr(value, name), field_written)
        elif isinstance(written, tuple | list) and isinstance(value, tuple | list):
            for part, part_written in zip(value, written, strict=True):
                self._bind(part, part_written)
        elif isinstance(written, dict) and isinstance(value, dict):
            for key, part_written in written.items():
                self._bind(value[key], part_written)


def _replaced(expression: Any, known: Mapping[str, Any]) -> Any:
    """Return an expression in which the known ones, by their `repr`, are replaced."""
    if not known or isinstance(expression, SCALARS) or (isinstance(expression, Call) and expression.opens_run):
        return expression
    if (other := known.get(repr(expression))) is not None:
        return other
    again = partial(_replaced, known=known)
    if isinstance(expression, Call | ResultPart | Made):
        return type(expression)(*map(again, vars(expression).values()))
    if isinstance(expression, dict):
        return {key: again(part) for key, part in expression.items()}
    return type(expression)(map(again, expression))


def _given(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a record that are not at their default and that take part in comparisons."""
    for record_field in fields(value):
        default = record_field.default if record_field.default_factory is MISSING else record_field.default_factory()
        current = getattr(value, record_field.name)
        if (
            record_field.init
            and record_field.compare
            and (default is MISSING or type(current) is not type(default) or not _same(record_field, current, default))
        ):
            yield record_field.name, current


def _same(record_field: Field[Any], current: Any, default: Any) -> bool:
    """Return whether the value of a field is its default.

    A default that marks a value to be filled in later counts only if it is the same object.
    """
    return current is default if record_field.metadata.get("by_identity") else bool(current == default)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{record_field.name}", getattr(value, record_field.name)) for record_field in fields(value))
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", value[key]) for key in islice(value, MAX_ITEMS) if isinstance(key, str | int))
    elif isinstance(value, tuple | list):
        yield from ((f"[{index}]", item) for index, item in enumerate(value[:MAX_ITEMS]))


def _is_public(function: Callable[..., Any]) -> bool:
    """Return whether this is a core function under its own name, not a wrapper around it."""
    if not function.__module__.startswith("core.") or "<" in function.__qualname__:
        return False
    return bool(resolve_name(f"{function.__module__}:{function.__qualname__}") == function)


@lru_cache(maxsize=512)
def _signature(function: Callable[..., Any]) -> Signature:
    return signature(function)


def _shortest(
    function: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments by position and by name, without those at their default if none by position follows."""
    defaults = {name: parameter.default for name, parameter in _signature(function).parameters.items()}
    by_position = list(defaults.values())
    while args and len(args) <= len(by_position) and _is_default(args[-1], by_position[len(args) - 1]):
        args = args[:-1]
    return args, {
        name: value for name, value in named.items() if not _is_default(value, defaults.get(name, Parameter.empty))
    }


def _is_default(value: Any, default: Any) -> bool:
    """Return whether an argument is at its default and need not be written."""
    return value is default or (type(value) is type(default) and bool(value == default))
