"""Record the calls of core functions behind one view, from which the view's Python code is written.

`record_calls` keeps a log for the thread inside it and for no other. A cache keeps each value together with the calls
that made it, so the log is the same whether the numbers were computed now or before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import lru_cache, partial, wraps
from inspect import Parameter, Signature, signature
from itertools import islice
from pathlib import Path
from pkgutil import resolve_name
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

import numpy as np

Found = TypeVar("Found")
Where = ParamSpec("Where")
DEEP, MANY = 3, 100  # how many levels deep, and in how many items of each level, the parts of a result are registered
NOTHING: Mapping[str, Any] = MappingProxyType({})
SCALARS = (type(None), bool, int, float, str, bytes)


@dataclass(frozen=True)
class Result:
    """The result of a call in the log, or a part of it.

    call: the number of the call.
    path: Python code that leads from the whole result to the part, such as ".tokens[0]"; "" for the whole.
    """

    call: int
    path: str = ""


@dataclass(frozen=True)
class Opened:
    """The model or the tokenizer of a run.

    part: 0 for the model, 1 for the tokenizer.
    """

    run: Any
    part: int


@dataclass(frozen=True)
class Made:
    """A dataclass or named tuple as code: its class, and its fields; of a dataclass only those not at their default."""

    module: str
    name: str
    fields: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Unwritable:
    """A value that cannot be written as Python code, such as an array that no call of the log returned."""

    kind: str


@dataclass(frozen=True)
class Call:
    """One call of a core function.

    helper: whether its result is used by other calls only, such as a tokenizer.
    """

    module: str
    name: str
    args: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()
    helper: bool = False


@dataclass(frozen=True)
class CallTrace:
    """The calls that made a value, and the value's expression; a cache stores it beside the value."""

    calls: tuple[Call, ...]
    value: Any


@dataclass
class CallLog:
    """The recorded calls, in order.

    results: the results that the view got, by the number of their call.
    """

    calls: list[Call] = field(default_factory=list)
    results: dict[int, Any] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _known: dict[int, tuple[Any, Any]] = field(default_factory=dict)  # by id; the object is held, so its id stays

    def note(self, value: Any, verb: Callable[..., Any], args: Any, named: Mapping[str, Any], helper: bool) -> None:
        """Record that a core function returned this value for these arguments.

        The call is not recorded if the function is not public, or if an argument cannot be written as Python code.

        verb: the function; a `partial` is resolved into the function and its arguments.
        helper: as in `Call`.
        """
        inner: Any = verb
        while isinstance(inner, partial):
            inner, args, named = inner.func, (*inner.args, *args), {**inner.keywords, **named}
        verb = inner
        if not _is_public(verb):
            return
        positional, names = _shortest(verb, args, named)
        call = Call(
            verb.__module__,
            verb.__qualname__,
            tuple(map(self.expression, positional)),
            tuple((name, self.expression(argument)) for name, argument in names.items()),
            helper,
        )
        if not _unwritable(call.args) and not _unwritable(call.named):
            self._bind(value, Result(self._number(call)))

    def open(self, run: Any, model: Any, tokenizer: Any) -> None:
        """Record which run a model and a tokenizer belong to; None for one that is not used."""
        for part, value in enumerate((model, tokenizer)):
            if value is not None and id(value) not in self._known:
                self._known[id(value)] = value, Opened(self.expression(run), part)

    def trace(self, value: Any) -> CallTrace:
        """Return the calls recorded so far, with the expression of this value."""
        return CallTrace(tuple(self.calls), self.expression(value))

    def add(self, trace: CallTrace, value: Any, sources: Iterable[Any] = ()) -> None:
        """Add the calls that made a value at an earlier time.

        trace: these calls, with the value's expression.
        sources: the values that it was made from. Those that other calls of this log returned are written as these
            calls.
        """
        numbers: dict[int, int] = {}
        known = {
            repr(CallLog().expression(source)): self._known[id(source)][1]
            for source in sources
            if id(source) in self._known
        }
        for old, call in enumerate(trace.calls):
            args, named = (_renumbered(part, numbers, known) for part in (call.args, call.named))
            numbers[old] = self._number(Call(call.module, call.name, args, named, call.helper))
        self._bind(value, _renumbered(trace.value, numbers, known))

    def expression(self, value: Any) -> Any:
        """Return the expression of a value: the call that returned it, or the value itself in plain parts."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, (*SCALARS, Result, Opened)):
            return value
        if (known := self._known.get(id(value))) is not None:
            return known[1]
        if is_dataclass(value) and not isinstance(value, type):
            parts = tuple((name, self.expression(part)) for name, part in _given(value))
            return Made(type(value).__module__, type(value).__qualname__, parts)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            parts = tuple((name, self.expression(part)) for name, part in zip(value._fields, value, strict=True))
            return Made(type(value).__module__, type(value).__qualname__, parts)
        if isinstance(value, tuple | list | set | frozenset):
            return type(value)(map(self.expression, value))
        if isinstance(value, dict):
            return {key: self.expression(part) for key, part in value.items()}
        return Unwritable(type(value).__name__)

    def _number(self, call: Call) -> int:
        number = self._numbers.setdefault(repr(call), len(self.calls))
        if number == len(self.calls):
            self.calls.append(call)
        return number

    def _bind(self, value: Any, written: Any, depth: int = 0) -> None:
        """Store the expression of a value and those of its parts."""
        if isinstance(written, Result):
            if not written.path and not self.calls[written.call].helper:
                self.results[written.call] = value
            if isinstance(value, SCALARS) or depth > DEEP or (isinstance(value, tuple) and not value):
                return
            self._known.setdefault(id(value), (value, written))
            for path, part in _parts(value):
                self._bind(part, Result(written.call, written.path + path), depth + 1)
        elif isinstance(written, Opened):
            self._known.setdefault(id(value), (value, written))
        elif isinstance(written, Made):
            for name, part in written.fields:
                self._bind(getattr(value, name), part)
        elif isinstance(written, tuple | list) and isinstance(value, tuple | list):
            for part, written_part in zip(value, written, strict=True):
                self._bind(part, written_part)
        elif isinstance(written, dict) and isinstance(value, dict):
            for key, written_part in written.items():
                self._bind(value[key], written_part)


_log: ContextVar[CallLog | None] = ContextVar("the log of the view that is made", default=None)


@contextmanager
def record_calls(log: CallLog | None = None) -> Iterator[CallLog]:
    """Record the calls that this thread makes inside this context in a log: in `log`, or in a new one if it is None."""
    log = CallLog() if log is None else log
    before = _log.set(log)
    try:
        yield log
    finally:
        _log.reset(before)


def core_call(verb: Callable[Where, Found], *args: Where.args, **named: Where.kwargs) -> Found:
    """Call a core function, record the call in the log, and return its result."""
    return noted(verb(*args, **named), verb, *args, **named)


def noted(value: Found, verb: Callable[..., Any], *args: Any, **named: Any) -> Found:
    """Record in the log that `verb(*args, **named)` returns `value`, whatever made the value here; return the value.

    verb: the core function.
    """
    if (log := _log.get()) is not None:
        log.note(value, verb, args, named, helper=False)
    return value


def helper(value: Found, verb: Callable[..., Any], *args: Any, **named: Any) -> Found:
    """Record a call as `noted` does, but one that the written code contains only if another call uses its result."""
    if (log := _log.get()) is not None:
        log.note(value, verb, args, named, helper=True)
    return value


def noted_on(value: Found, verb: Callable[..., Any], run: Any, *where: Any) -> Found:
    """Record a call `verb(model, tokenizer, run, *where)` that returned `value`; return the value.

    As `noted`, for a function whose first arguments are the run's model, its tokenizer and the run: the code that is
    written for the view opens the model and the tokenizer from the run.

    verb: the core function.
    where: its arguments after the run.
    """
    if (log := _log.get()) is not None:
        model, tokenizer = (Opened(log.expression(run), part) for part in (0, 1))
        log.note(value, verb, (model, tokenizer, run, *where), NOTHING, helper=False)
    return value


def opened(run: Any, model: Any = None, tokenizer: Any = None) -> None:
    """Record in the log which run this model and this tokenizer belong to; None for one that is not used."""
    if (log := _log.get()) is not None:
        log.open(run, model, tokenizer)


def added(trace: CallTrace, value: Any, arguments: Iterable[Any] = ()) -> None:
    """Add to the log the calls that made a value which a cache returned.

    arguments: the arguments of the cached function, from which the value was made.
    """
    if (log := _log.get()) is not None:
        log.add(trace, value, arguments)


def logged(cache: Callable[[Callable[..., Any]], Any]) -> Callable[[Callable[Where, Found]], Callable[Where, Found]]:
    """Return a cache decorator that stores the calls that made each value, and adds them to the log on each use.

    cache: a cache decorator of Streamlit.

    The cached function has Streamlit's `clear`.
    """

    def decorate(work: Callable[Where, Found]) -> Callable[Where, Found]:
        @wraps(work)
        def made(*args: Where.args, **named: Where.kwargs) -> tuple[Found, CallTrace]:
            with record_calls() as log:
                value = core_call(work, *args, **named)
            return value, log.trace(value)

        kept = cache(made)

        @wraps(work)
        def call(*args: Where.args, **named: Where.kwargs) -> Found:
            value, trace = kept(*args, **named)
            added(trace, value, (*args, *named.values()))
            return value

        call.__dict__["clear"] = kept.clear
        return call

    return decorate


def _same(record_field: Field[Any], current: Any, default: Any) -> bool:
    """Return whether the value of a field is its default; some defaults stand for what is filled in later."""
    return current is default if record_field.metadata.get("by_identity") else bool(current == default)


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


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{record_field.name}", getattr(value, record_field.name)) for record_field in fields(value))
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", value[key]) for key in islice(value, MANY) if isinstance(key, str | int))
    elif isinstance(value, tuple | list):
        yield from ((f"[{index}]", item) for index, item in enumerate(value[:MANY]))


def _is_public(verb: Callable[..., Any]) -> bool:
    """Return whether this is a core function under its own name, not a wrapper around it."""
    if not verb.__module__.startswith("core.") or "<" in verb.__qualname__:
        return False
    return bool(resolve_name(f"{verb.__module__}:{verb.__qualname__}") == verb)


@lru_cache(maxsize=512)
def _signature(verb: Callable[..., Any]) -> Signature:
    return signature(verb)


def _shortest(
    verb: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments without those at their default: by position up to the first of these, then by name."""
    given = _signature(verb).bind(*args, **named)
    positional: list[Any] = []
    names: dict[str, Any] = {}
    by_name = False
    for name, value in given.arguments.items():
        parameter = _signature(verb).parameters[name]
        if parameter.kind is Parameter.VAR_POSITIONAL:
            positional += value
        elif parameter.kind is Parameter.VAR_KEYWORD:
            names |= value
        elif _is_default(value, parameter.default):
            by_name = True
        elif by_name or parameter.kind is Parameter.KEYWORD_ONLY:
            names[name] = value
        else:
            positional.append(value)
    return positional, names


def _is_default(value: Any, default: Any) -> bool:
    """Return whether an argument is at its default and need not be written."""
    if value is default:
        return True
    plain = isinstance(value, (*SCALARS, Path)) or (is_dataclass(value) and type(value).__module__.startswith("core."))
    return type(value) is type(default) and plain and bool(value == default)


def _renumbered(written: Any, numbers: Mapping[int, int], known: Mapping[str, Any] = NOTHING) -> Any:
    """Return an expression with new call numbers, and with the known expressions replacing what was written out."""
    if isinstance(written, Result):
        return Result(numbers[written.call], written.path)
    if known and not isinstance(written, SCALARS) and (replacement := known.get(repr(written))) is not None:
        return replacement
    again = partial(_renumbered, numbers=numbers, known=known)
    if isinstance(written, Made):
        return Made(written.module, written.name, tuple((name, again(part)) for name, part in written.fields))
    if isinstance(written, tuple | list | set | frozenset):
        return type(written)(map(again, written))
    if isinstance(written, dict):
        return {key: again(part) for key, part in written.items()}
    return written


def _unwritable(written: Any) -> bool:
    if isinstance(written, Made):
        return not written.module.startswith("core.") or _unwritable(written.fields)
    if isinstance(written, tuple | list | set | frozenset):
        return any(map(_unwritable, written))
    if isinstance(written, dict):
        return any(map(_unwritable, written.values()))
    return isinstance(written, Unwritable)
