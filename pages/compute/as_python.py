"""Write Python code that computes the numbers of a view again, from the recorded calls of core functions behind it."""

import tokenize
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from typing import Any

from core.checkpoints.real.places import PLACE_VARIABLE
from core.registry import parse_source
from core.topics.shared.open_run import trained_config
from pages.compute.expressions import OPEN_RUN, PARSE_SOURCE, Call, CallLog, Calls, Made, ResultPart

LINE_CHARACTERS = 96  # characters
REST_COMMENT = "# What else the page shows follows from these: counts, sums, shares, means, and rounded numbers."
RUN = ("core.tracing.run", "Run")
OF_MODEL = ("config", "placement", "source", "tokenizer")  # the fields of a run that identify its model


def write_python(log: CallLog) -> str:
    """Return Python code that computes the numbers behind a view again and prints them; "" if no calls were recorded.

    log: the recorded calls.
    """
    return written_piece(log).text


def written_piece(log: CallLog) -> "Piece":
    """Return the code that `write_python` writes as a `Piece`, together with the results that the view got."""
    calls = Calls(log)
    piece = Piece()
    piece.write(list(calls.written.values()))
    piece.results = {piece.names[key]: value for key, value in calls.results.items()}
    return piece


@dataclass
class Group:
    """Calls of one function that differ in at most one argument, written as one list comprehension.

    height: the length of the longest chain of calls that each of them needs; equal, so none of them needs another.
    differs: the position of the argument in which they differ; -1 for a single call.
    """

    calls: list[Call]
    height: int
    differs: int = -1

    def takes(self, call: Call, height: int) -> bool:
        """Add a call if it differs from those of the group in that one argument only; return whether it was added."""
        first = self.calls[0]
        alike = (first.module, first.name, first.named) == (call.module, call.name, call.named)
        if not alike or len(first.args) != len(call.args) or height != self.height:
            return False
        differ = [n for n, pair in enumerate(zip(first.args, call.args, strict=True)) if len({*map(_key, pair)}) > 1]
        if len(differ) != 1 or self.differs not in (-1, differ[0]):
            return False
        self.differs = differ[0]
        self.calls.append(call)
        return True


class Piece:
    """Python code that computes the numbers of a view, written line by line.

    names: the names of the results in the code, by the `repr` of their call.
    results: the results that the view got, by these names.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.results: dict[str, Any] = {}
        self._groups: dict[str, Group] = {}  # by the `repr` of each of their calls
        self._imports: dict[tuple[str, str], str] = {}
        self._taken = {"each", "print"}
        self._runs: list[tuple[Made, str]] = []
        self._opened: dict[str, tuple[str, str]] = {}
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """The whole code: its imports, the calls, and the lines that print the results."""
        if not self._lines:
            return ""
        modules: dict[str, list[str]] = {module: [] for module, _ in sorted(self._imports)}
        for (module, name), alias in sorted(self._imports.items()):
            modules[module].append(name if alias == name else f"{name} as {alias}")
        imports = {module: f"from {module} import {', '.join(names)}" for module, names in modules.items()}
        standard = [line for module, line in imports.items() if not module.startswith("core")]
        own = [line for module, line in imports.items() if module.startswith("core")]
        here = all(parse_source(_address_of(run)).trained_here for run, _ in self._runs)
        note = f"# {PLACE_VARIABLE} in the environment has to name the folder that holds this model."
        return "\n".join([*[note] * (not here), *standard, *[""] * bool(standard), *own, "", *self._lines])

    def write(self, calls: list[Call]) -> None:
        """Write these calls and the ones whose results they use, and print the results that no other call uses."""
        needed = {repr(part): part for call in calls for part in (*_inside(call), call) if not part.opens_run}
        heights, used, groups = dict[str, int](), set[str](), list[Group]()
        for key, call in needed.items():
            inside = {repr(part) for part in _inside(call)}
            used |= inside
            heights[key] = 1 + max((heights.get(part, 0) for part in inside), default=0)
            taken = next((group for group in groups if group.takes(call, heights[key])), None)
            if taken is None:
                groups.append(taken := Group([call], heights[key]))
            self._groups[key] = taken
        for group in groups:
            self._function(group.calls[0])
        printed = dict[str, None]()
        for call in calls:
            self._result(call)
            members = [repr(member) for member in self._groups[repr(call)].calls]
            if used.isdisjoint(members):
                printed[self.names[members[0]].partition("[")[0]] = None
        self._lines += [f"print({name})" for name in printed]
        self._lines += [REST_COMMENT] * bool(printed)

    def add(self, line: str) -> None:
        """Add a line, as several if it is long."""
        self._lines += _wrapped(line)

    def _result(self, call: Call) -> str:
        """Return the name of a call's result; write the call first if it is not yet written."""
        if repr(call) not in self.names:
            self._write_group(self._groups[repr(call)])
        return self.names[repr(call)]

    def _write_group(self, group: Group) -> None:
        call, *others = group.calls
        base = call.name.partition(".")[0].lower()
        items = list(map(self.value, call.args))
        named = [f"{name}={self.value(argument)}" for name, argument in call.named]
        function = self._function(call)
        if not others:
            self.names[repr(call)] = name = self._new_name(base)
            self.add(f"{name} = {function}({', '.join([*items, *named])})")
            return
        varying = [self.value(member.args[group.differs]) for member in group.calls]
        items[group.differs] = "each"
        name = self._new_name(base if base.endswith("s") else f"{base}s")
        self.names |= {repr(member): f"{name}[{index}]" for index, member in enumerate(group.calls)}
        self.add(f"{name} = [{function}({', '.join([*items, *named])}) for each in ({', '.join(varying)})]")

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

    def value(self, value: Any) -> str:
        """Return the code of an expression, after the lines that make the runs, models and results in it."""
        match value:
            case Call():
                return self._result(value)
            case ResultPart() if value.of.opens_run:
                return self._open(value.of.args[0])[value.path == "[1]"]
            case ResultPart():
                return self._result(value.of) + value.path
            case Made():
                return self._run(value) if (value.module, value.name) == RUN else self._made(value)
            case tuple():
                return f"({', '.join(map(self.value, value))}{',' * (len(value) == 1)})"
            case list():
                return f"[{', '.join(map(self.value, value))}]"
            case set() | frozenset():
                return f"{type(value).__name__}([{', '.join(map(self.value, value))}])"
            case dict():
                return f"{{{', '.join(f'{self.value(key)}: {self.value(item)}' for key, item in value.items())}}}"
            case float() if value != value or value in (float("inf"), float("-inf")):
                return f'float("{value}")'
            case str():
                return _quoted(value)
        return repr(value)

    def _made(self, record: Made) -> str:
        if (record.module, record.name) == PARSE_SOURCE:
            return f"{self._imported(*PARSE_SOURCE)}({self.value(record.fields[0][1])})"
        items = [f"{name}={self._field(record, name, value)}" for name, value in record.fields]
        return f"{self._imported(record.module, record.name)}({', '.join(items)})"

    def _field(self, record: Made, name: str, value: Any) -> str:
        """Return the code of a record's field; the config of a trained model's run is a call of `trained_config`."""
        if (record.module, record.name) == RUN and name == "config":
            address = _address_of(record)
            with suppress(ValueError):
                if Calls([]).expression(trained_config(address)) == value:
                    return f"{self._imported(OPEN_RUN[0], trained_config.__name__)}({_quoted(address)})"
        return self.value(value)

    def _run(self, run: Made) -> str:
        """Return the name of a run in the code; at its first use, first write the line that makes the run.

        The run is written in full, or as a copy of the first run with the changed fields.
        """
        for known, name in self._runs:
            if known == run:
                return name
        name = self._new_name("run")
        changed = _changed(self._runs[0][0], run) if self._runs else None
        if changed is None:
            self.add(f"{name} = {self._made(run)}")
        else:
            items = [f"{key}={self._field(run, key, value)}" for key, value in changed.items()]
            self.add(f"{name} = {self._imported('dataclasses', 'replace')}({', '.join([self._runs[0][1], *items])})")
        self._runs.append((run, name))
        return name

    def _open(self, run: Made) -> tuple[str, str]:
        """Return the names of a run's model and tokenizer; write the line that opens them at their first use."""
        model = _model_of(run)
        if model not in self._opened:
            run_name = self._run(run)
            names = self._new_name("model"), self._new_name("tokenizer")
            self.add(f"{', '.join(names)} = {self._imported(*OPEN_RUN)}({run_name})")
            self._opened[model] = names
        return self._opened[model]


def _inside(value: Any) -> Iterator[Call]:
    """Yield the calls inside an expression, each after those that it uses."""
    parts: Iterable[Any] = ()
    if isinstance(value, Call | ResultPart | Made):
        parts = vars(value).values()
    elif isinstance(value, tuple | list | set | frozenset | dict):
        parts = value.values() if isinstance(value, dict) else value
    for part in parts:
        yield from _inside(part)
        if isinstance(part, Call):
            yield part


def _key(argument: Any) -> str:
    """Return a text that is the same for equal arguments; models are compared without the texts of their runs."""
    if isinstance(argument, ResultPart) and argument.of.opens_run:
        return argument.path + _model_of(argument.of.args[0])
    return repr(argument)


def _address_of(run: Made) -> str:
    """Return the address of a run's model; "" for fresh weights."""
    source = dict(run.fields).get("source")
    return source.fields[0][1] if source else ""


def _model_of(run: Made) -> str:
    return repr([field for field in run.fields if field[0] in OF_MODEL])


def _changed(first: Made, run: Made) -> dict[str, Any] | None:
    """Return the fields that `replace` needs to make a run from the first one, by their names.

    None if the first run sets a field that this run leaves at its default: such a run is written in full.
    """
    first_fields, run_fields = dict(first.fields), dict(run.fields)
    if not first_fields.keys() <= run_fields.keys():
        return None
    return {name: value for name, value in run_fields.items() if repr(first_fields.get(name, _changed)) != repr(value)}


def _quoted(text: str) -> str:
    """Return a string literal in double quotes if that needs no backslash, otherwise as `repr` writes it."""
    literal = repr(text)
    return f'"{literal[1:-1]}"' if literal[0] == "'" and '"' not in text else literal


def _wrapped(code: str, indent: int = 0, end: str = "") -> list[str]:
    """Return code as lines of at most `LINE_CHARACTERS`, broken between the items of its last outer brackets."""
    line = " " * indent + code + end
    head, items, tail = _split(code) if len(line) > LINE_CHARACTERS else (code, [], "")
    if not items:
        return [line]
    lines, comma = [" " * indent + head], "" if any(item.startswith("for ") for item in items) else ","
    for item in items:
        if (
            len(lines) > 1
            and lines[-1].endswith(",")
            and len(lines[-1] + item) + 2 <= LINE_CHARACTERS
            and "(" not in item
        ):
            lines[-1] += f" {item}{comma}"
        else:
            lines += _wrapped(item, indent + 4, comma)
    return [*lines, " " * indent + tail + end]


def _split(code: str) -> tuple[str, list[str], str]:
    """Return the code up to its last outer opening bracket, the items in these brackets, and the rest."""
    depth, cuts = 0, [0]
    for token in tokenize.generate_tokens(StringIO(code).readline):
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
            cuts = [token.end[1]] if depth == 1 else cuts
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
            cuts += [token.start[1]] if depth == 0 else []
        elif depth == 1 and token.string in (",", "for"):
            cuts.append(token.start[1])
    items = [code[start:stop].strip(", ") for start, stop in pairwise(cuts)]
    return code[: cuts[0]], [item for item in items if item], code[cuts[-1] :]
