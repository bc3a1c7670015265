"""Write Python code that computes the numbers of a view again, from the recorded calls of core functions behind it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pkgutil import resolve_name
from typing import Any

from core.checkpoints.real.places import PLACE_VARIABLE
from core.registry import parse_source
from core.topics.shared.open_run import trained_config
from pages.compute.calls import Call, CallLog, Made, Opened, Result

LINE = 96  # characters
REST = "# What else the page shows follows from these: counts, sums, shares, means, and rounded numbers."
RUN = ("core.tracing.run", "Run")
OPEN_RUN = ("core.topics.shared.open_run", "open_run")
OF_MODEL = ("config", "placement", "checkpoint", "tokenizer")  # the fields of a run that identify its model


@dataclass(frozen=True)
class Nested:
    """A bracketed piece of Python code, which may be broken into lines between its items."""

    head: str
    items: tuple["str | Nested", ...]
    tail: str


Written = str | Nested


def write_python(log: CallLog) -> str:
    """Return Python code that computes the numbers behind a view again and prints them; "" if no calls were recorded.

    log: the recorded calls.
    """
    return written_piece(log).text


def written_piece(log: CallLog) -> "Piece":
    """Return the code of `write_python` together with the names of its results."""
    piece = Piece(log)
    piece.write()
    return piece


@dataclass
class Group:
    """Calls of one function that differ in at most one argument; the code makes them in one list comprehension.

    numbers: the numbers of these calls in the log.
    differs: the position of the argument in which they differ; -1 for a single call.
    """

    calls: list[Call]
    numbers: list[int]
    differs: int = -1

    def takes(self, call: Call, number: int) -> bool:
        """Add a call if it differs from those of the group in that one argument only; return whether it was added.

        number: the number of the call in the log.
        """
        first = self.calls[0]
        if [first.module, first.name, first.named] != [call.module, call.name, call.named]:
            return False
        pairs = list(zip(first.args, call.args, strict=False))
        differ = [
            position for position, (argument, other_argument) in enumerate(pairs) if _unlike(argument, other_argument)
        ]
        if len(first.args) != len(call.args) or len(differ) != 1 or self.differs not in (-1, differ[0]):
            return False
        if max(_used(call.args[differ[0]]), default=-1) >= self.numbers[0]:
            return False
        self.differs = differ[0]
        self.calls.append(call)
        self.numbers.append(number)
        return True


@dataclass
class Piece:
    """Python code that computes the numbers of a view, written line by line.

    log: the recorded calls behind the view.
    names: the names of the results in the code, by the number of their call.
    """

    log: CallLog
    names: dict[int, str] = field(default_factory=dict)
    _imports: dict[tuple[str, str], str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=lambda: {"each", "print"})
    _runs: list[tuple[Made, str]] = field(default_factory=list)
    _opened: dict[str, tuple[str, str]] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The whole code: its imports, the calls, and the lines that print the results."""
        if not self._lines:
            return ""
        modules: dict[str, list[str]] = {module: [] for module, _ in sorted(self._imports)}
        for (module, name), alias in sorted(self._imports.items()):
            modules[module].append(name if alias == name else f"{name} as {alias}")
        standard = [module for module in modules if not module.startswith("core")]
        imports = [f"from {module} import {', '.join(modules[module])}" for module in modules if module not in standard]
        first = [f"from {module} import {', '.join(modules[module])}" for module in standard]
        made_elsewhere = not all(
            parse_source(dict(run.fields).get("checkpoint", "")).trained_here for run, _ in self._runs
        )
        note = [f"# {PLACE_VARIABLE} in the environment has to name the folder that holds this model."] * made_elsewhere
        return "\n".join([*note, *first, *[""] * bool(first), *imports, "", *self._lines])

    def write(self) -> None:
        """Write every call that the view needs, in order, and print the results that no other call uses."""
        groups = list(_grouped(self.log))
        for group in groups:
            self._function(group.calls[0])
        for group in groups:
            self._write_group(group)
        printed = [self.names[group.numbers[0]] for group in groups if not self._is_used(group, groups)]
        for name in dict.fromkeys(printed):
            self._lines.append(f"print({name.partition('[')[0]})")
        self._lines += [REST] * bool(printed)

    def _is_used(self, group: Group, groups: Sequence[Group]) -> bool:
        used = {
            number for other_group in groups for call in other_group.calls for number in _used(call.args, call.named)
        }
        return not used.isdisjoint(group.numbers) or group.calls[0].helper

    def _write_group(self, group: Group) -> None:
        call, *others = group.calls
        base = call.name.partition(".")[0].lower()
        function = self._function(call)
        items = [self._value(argument) for argument in call.args]
        named = [_labelled(f"{name}=", self._value(argument)) for name, argument in call.named]
        if not others:
            name = self._new_name(base)
            self.names[group.numbers[0]] = name
            self._add(Nested(f"{name} = {function}(", (*items, *named), ")"))
            return
        name = self._new_name(f"{base}s" if not base.endswith("s") else base)
        varying = tuple(self._value(member.args[group.differs]) for member in group.calls)
        items[group.differs] = "each"
        for index, number in enumerate(group.numbers):
            self.names[number] = f"{name}[{index}]"
        self._add(
            Nested(
                f"{name} = [",
                (Nested(f"{function}(", (*items, *named), ")"), Nested("for each in (", varying, ")")),
                "]",
            )
        )

    def _function(self, call: Call) -> str:
        """Return the code that names a function: with its module, so that a result may have the function's own name."""
        owner, _, rest = call.name.partition(".")
        if rest:
            return f"{self._imported(call.module, owner)}.{rest}"
        package, _, module = call.module.rpartition(".")
        return f"{self._imported(package, module)}.{call.name}"

    def _imported(self, module: str, name: str) -> str:
        key = (module, name)
        if key not in self._imports:
            self._imports[key] = self._new_name(name)
        return self._imports[key]

    def _new_name(self, name: str) -> str:
        free_name, number = name, 1
        while free_name in self._taken:
            number += 1
            free_name = f"{name}_{number}"
        self._taken.add(free_name)
        return free_name

    def _value(self, value: Any) -> Written:
        """Return the code of an argument; a run and its model are first written on lines of their own."""
        if isinstance(value, Result):
            return self.names[value.call] + value.path
        if isinstance(value, Opened):
            return self._open(value)
        if isinstance(value, Call):
            return Nested(f"{self._imported(value.module, value.name)}(", tuple(map(self._value, value.args)), ")")
        if isinstance(value, Made):
            return self._run(value) if (value.module, value.name) == RUN else self._made(value)
        if isinstance(value, tuple | list | set | frozenset):
            return self._items(value)
        if isinstance(value, dict):
            pairs = ((_quoted(key) if isinstance(key, str) else repr(key), item) for key, item in value.items())
            return Nested("{", tuple(_labelled(f"{key}: ", self._value(item)) for key, item in pairs), "}")
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            return f'float("{value}")'
        return _quoted(value) if isinstance(value, str) else repr(value)

    def _items(self, value: Any) -> Written:
        items = tuple(map(self._value, value))
        if isinstance(value, list):
            return Nested("[", items, "]")
        if isinstance(value, tuple):
            return Nested("(", items, ",)" if len(items) == 1 else ")")
        return Nested(f"{type(value).__name__}([", items, "])")

    def _made(self, value: Made) -> Written:
        """Return the code of a record: fields without a default by position, the others by name."""
        must = _required(value)
        items = tuple(
            self._value(field_value)
            if position < len(must) and name == must[position]
            else _labelled(f"{name}=", self._value(field_value))
            for position, (name, field_value) in enumerate(value.fields)
        )
        return Nested(f"{self._imported(value.module, value.name)}(", items, ")")

    def _run(self, run: Made) -> str:
        """Return the name of a run in the code; at its first use, first write the line that makes the run.

        The run is written in full, or as a copy of the first run with the changed fields.
        """
        for known, name in self._runs:
            if known == run:
                return name
        name = self._new_name("run")
        changed = _changed(self._runs[0][0], run) if self._runs else None
        if changed is not None:
            replace = self._imported("dataclasses", "replace")
            written = dict(self._with_config(run).fields)
            items = [_labelled(f"{key}=", self._value(written[key])) for key in changed]
            self._add(Nested(f"{name} = {replace}(", (self._runs[0][1], *items), ")"))
        else:
            self._add(_labelled(f"{name} = ", self._made(self._with_config(run))))
        self._runs.append((run, name))
        return name

    def _with_config(self, run: Made) -> Made:
        """Return a run of a trained model with its config written as a call of `trained_config`.

        A run whose config is not that of the model is returned unchanged.
        """
        given = dict(run.fields)
        with suppress(ValueError):
            log = CallLog()
            config = trained_config(given.get("checkpoint", ""))
            if log.expression(config) == given["config"]:
                written = Call(trained_config.__module__, trained_config.__name__, (given["checkpoint"],))
                return Made(
                    run.module,
                    run.name,
                    tuple((name, written if name == "config" else field_value) for name, field_value in run.fields),
                )
        return run

    def _open(self, opened: Opened) -> str:
        """Return the name of a run's model or tokenizer in the code.

        At the first use of either, the line that opens both is written first.
        """
        model = _model_of(opened.run)
        if model not in self._opened:
            run = self._run(opened.run)
            names = self._new_name("model"), self._new_name("tokenizer")
            self._add(f"{names[0]}, {names[1]} = {self._imported(*OPEN_RUN)}({run})")
            self._opened[model] = names
        return self._opened[model][opened.part]

    def _add(self, line: Written) -> None:
        self._lines += _lines(line)


def _grouped(log: CallLog) -> Iterator[Group]:
    """Yield the calls that the view needs, with similar calls in one group."""
    needed: set[int] = set()
    for number in reversed(range(len(log.calls))):
        call = log.calls[number]
        if not call.helper or number in needed:
            needed.update([number, *_used(call.args, call.named)])
    groups: list[Group] = []
    for number in sorted(needed):
        call = log.calls[number]
        if not any(group.takes(call, number) for group in groups):
            groups.append(Group([call], [number]))
    yield from groups


def _used(*values: Any) -> set[int]:
    """Return the numbers of the calls whose results the values contain."""
    numbers: set[int] = set()
    for value in values:
        if isinstance(value, Result):
            numbers.add(value.call)
        elif isinstance(value, Made):
            numbers |= _used(*(field_value for _, field_value in value.fields))
        elif isinstance(value, tuple | list | set | frozenset):
            numbers |= _used(*value)
        elif isinstance(value, dict):
            numbers |= _used(*value.values())
    return numbers


def _unlike(argument: Any, other_argument: Any) -> bool:
    """Return whether two arguments differ; models are compared without the texts of their runs."""
    if isinstance(argument, Opened) and isinstance(other_argument, Opened):
        return argument.part != other_argument.part or _model_of(argument.run) != _model_of(other_argument.run)
    return repr(argument) != repr(other_argument)


def _model_of(run: Made) -> str:
    return repr([field for field in run.fields if field[0] in OF_MODEL])


def _required(value: Made) -> list[str]:
    """Return the names of a record's fields that have no default."""
    kind = resolve_name(f"{value.module}:{value.name}")
    if not is_dataclass(kind):
        return list(kind._fields)
    return [field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING]


def _quoted(text: str) -> str:
    """Return a string literal in double quotes if that needs no backslash, otherwise as `repr` writes it."""
    literal = repr(text)
    return f'"{literal[1:-1]}"' if literal[0] == "'" and '"' not in text else literal


def _changed(first: Made, run: Made) -> dict[str, Any] | None:
    """Return the fields in which a run differs from the first; None if one of those is back at its default."""
    first_fields, run_fields = dict(first.fields), dict(run.fields)
    if not first_fields.keys() <= run_fields.keys():
        return None
    return {name: value for name, value in run_fields.items() if repr(first_fields.get(name, _changed)) != repr(value)}


def _labelled(label: str, value: Written) -> Written:
    return label + value if isinstance(value, str) else Nested(label + value.head, value.items, value.tail)


def _flat(value: Written) -> str:
    if isinstance(value, str):
        return value
    between = " " if any(isinstance(item, Nested) and item.head.startswith("for ") for item in value.items) else ", "
    return value.head + between.join(map(_flat, value.items)) + value.tail


def _lines(value: Written, indent: int = 0, end: str = "") -> Iterable[str]:
    """Return a piece of Python code as lines of at most `LINE` characters, if it can be broken."""
    line = " " * indent + _flat(value) + end
    if len(line) <= LINE or isinstance(value, str):
        return [line]
    lines = [" " * indent + value.head]
    loop = any(isinstance(item, Nested) and item.head.startswith("for ") for item in value.items)
    for item in value.items:
        after = "" if loop else ","
        flat = _flat(item) + after
        if (
            len(lines) > 1
            and isinstance(item, str)
            and len(lines[-1]) + 1 + len(flat) <= LINE
            and lines[-1].endswith(",")
        ):
            lines[-1] += f" {flat}"
        else:
            lines += _lines(item, indent + 4, after)
    return [*lines, " " * indent + value.tail.removeprefix(",") + end]
