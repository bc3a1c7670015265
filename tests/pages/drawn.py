"""The numbers that a view draws, each with the names beside it: of its row, its column, its panel and its token."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.readings.words import PLAIN_DIGITS
from core.text.labels import NEXT, bare
from pages.canvas import HeadGrid, SoftDictionary
from pages.widgets import Chart, Listing, Player, Setting, Table

Names = frozenset[str]
NUMBER = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)(−?)(\d[\d,]*(?:\.\d+)?)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?"
    r"(%| points?\b| million\b| billion\b| KiB\b| MiB\b| GiB\b)?"
)
UNITS = {"%": 0.01, "point": 0.01, "million": 1e6, "billion": 1e9, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
QUOTED = re.compile(r"“([^“”]+)”")
# What a drawing does with its numbers, and not what it shows of them.
UNSEEN = (
    "key",
    "selected",
    "shade",
    "size",
    "width",
    "height",
    "cell",
    "opened",
    "openCell",
    "lines",
    "widths",
    "tall",
)
MATRICES = (("values", "rows", "cols"), ("weights", "queries", "keys"), ("weights", "written", "read"))
NAME = 80  # characters: longer texts name nothing


@dataclass(frozen=True)
class Written:
    """A number as a text has it: from `value` − `half` to `value` + `half` it would have been written so.

    unit: what it is multiplied by, besides 1.
    """

    text: str
    value: float
    half: float
    unit: float

    @property
    def readings(self) -> tuple[tuple[float, float], ...]:
        """The number and its half step, as shares and as percentages, as bytes and as megabytes."""
        return tuple(dict.fromkeys((self.value * unit, self.half * unit) for unit in (self.unit, 1.0)))


@dataclass(frozen=True)
class Drawn:
    """Numbers (any shape) with the names of their places.

    places: (axis, the names of each place along it).
    of: the names of all of them.
    where: the part that draws them.
    """

    values: np.ndarray
    of: Names
    where: str
    places: tuple[tuple[int, Sequence[Names]], ...] = ()

    def named(self, names: Names) -> np.ndarray | None:
        """Which of them stand beside these names: at a named place of each axis that has one. None if nothing here is
        named so."""
        found = None
        for axis, labels in self.places:
            here = np.array([bool(names & each) for each in labels], dtype=bool)
            if here.any():
                shape = [1] * self.values.ndim
                shape[axis] = len(here)
                kept = here.reshape(shape)
                found = kept if found is None else found & kept
        if found is None and names & self.of:
            return np.ones(self.values.shape, dtype=bool)
        return None if found is None else np.broadcast_to(found, self.values.shape)


def written(text: str) -> Iterator[tuple[int, Written]]:
    """The numbers in a text, and where each begins."""
    for match in NUMBER.finditer(text):
        sign, digits, power, unit = match.groups()
        plain = digits.rstrip(",").replace(",", "")
        factor = 10.0 ** int(power.translate(PLAIN_DIGITS)) if power else 1.0
        half = 0.5 * 10.0 ** -len(plain.partition(".")[2]) * factor
        value = float(plain) * factor * (-1 if sign else 1)
        yield match.start(), Written(match.group(), value, half, UNITS.get((unit or "").strip().rstrip("s"), 1.0))


def names_of(label: str) -> Names:
    """The names by which a sentence can call what bears this label: "1:Le → chat" is “Le” and “chat”."""
    text = label.replace("\\", "").strip()
    if len(text) > NAME:
        return frozenset()
    parts = [text, bare(text), *text.split(NEXT), *QUOTED.findall(text)]
    return frozenset(name.casefold().strip() for part in parts for name in (part, part.strip(" ·")) if name.strip())


def drawn(value: Any, of: Names = frozenset(), where: str = "") -> Iterator[Drawn]:
    """Every number among these parts."""
    if value is None or isinstance(value, bool | bytes | Setting | Player | HeadGrid):  # a grid has shades, no numbers
        return
    if isinstance(value, str):
        yield from in_text(value, of, where)
    elif isinstance(value, int | float | np.number):
        yield Drawn(np.array([float(value)]), of, where)
    elif isinstance(value, np.ndarray):
        yield Drawn(value.astype(float), of, where)
    elif isinstance(value, list | tuple | range | set | frozenset):
        yield from in_list(list(value), of, where)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from drawn(each, of | names_of(str(name)), where)
    elif is_dataclass(value):
        yield from in_part(value, of, f"{where} {getattr(value, 'key', '') or type(value).__name__}".strip())


def in_text(text: str, of: Names, where: str) -> Iterator[Drawn]:
    """The numbers of a text, one by one."""
    plain = text.replace("\\", "")
    for _, number in written(plain):
        for value, _ in number.readings:
            yield Drawn(np.array([value]), of | names_of(plain), where)


def in_list(parts: list[Any], of: Names, where: str) -> Iterator[Drawn]:
    """The numbers of parts. Where all are alike and small, such as the tokens of a line, each has its own place."""
    inner = [list(drawn(each, of, where)) for each in parts]
    flat = [each for found in inner for each in found]
    if len({type(each) for each in parts}) == 1 and flat and all(each.values.size == 1 for each in flat):
        values = np.array([each.values.item() for each in flat])
        yield Drawn(values, of, where, ((0, [each.of for each in flat]),))
    else:
        yield from flat


def in_frame(frame: pd.DataFrame, of: Names, where: str) -> Iterator[Drawn]:
    """The numbers of a table, each named by the texts of its row."""
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    places = [[names_of(str(each)) for each in frame[name]] for name in texts]
    yield from drawn(list(map(str, frame.columns)), of, where)
    for name in frame.columns:
        cells = frame[name]
        if name in texts:
            inner = [(row, each.values.item()) for row, cell in enumerate(cells) for each in drawn(str(cell))]
            rows, numbers = [row for row, _ in inner], np.array([number for _, number in inner], float)
        else:
            rows, numbers = list(range(len(cells))), cells.to_numpy(float)
        axes = tuple((0, [labels[row] for row in rows]) for labels in places)
        yield Drawn(numbers, of | names_of(str(name)), f"{where}.{name}", axes)


def counts(value: Any, where: str = "count") -> Iterator[Drawn]:
    """How many there are of what can be counted: parts, rows, columns, cells, and rows with the same word."""
    many: list[int] = []
    if isinstance(value, np.ndarray):
        finite = np.isfinite(value) if value.dtype.kind == "f" else np.ones(value.shape, dtype=bool)
        many = [*value.shape, value.size, int(finite.sum()), int((~finite).sum())]
        many += [int((finite & (value > 0)).sum()), int((finite & (value < 0)).sum())]
    elif isinstance(value, pd.DataFrame):
        many = [len(value)]
        for name in value.columns:
            alike = value[name].value_counts()
            many += [len(alike), *(alike.tolist() if len(alike) < len(value) else ())]
    elif isinstance(value, Listing):
        yield from counts(value.frame(), where)
    elif isinstance(value, list | tuple):
        marks = [
            name
            for each in value[:1]
            if is_dataclass(each)
            for name, mark in vars(each).items()
            if isinstance(mark, bool)
        ]
        many = [len(value), *(sum(getattr(each, name, False) is True for each in value) for name in marks)]
        for each in value:
            yield from counts(each, where)
    elif is_dataclass(value) and not isinstance(value, Setting):
        for each in fields(value):
            yield from counts(getattr(value, each.name), where)
    if many:
        yield Drawn(np.array(many, float), frozenset(), where)


def in_part(part: Any, of: Names, where: str) -> Iterator[Drawn]:
    """The numbers of a table, a chart, a drawing, or a piece of one."""
    if isinstance(part, Table):
        labels = [names_of(each) for each in part.rows], [names_of(each) for each in part.columns]
        yield Drawn(np.asarray(part.values, float), of, where, tuple(enumerate(labels)))
        yield from drawn([part.rows, part.columns], of, where)
    elif isinstance(part, Listing):
        yield from in_frame(part.frame(), of, where)
    elif isinstance(part, Chart):
        seen = json.dumps(part.spec)
        shown = [name for name in part.data.columns if name != "place" and re.search(rf"\b{name}\b", seen)]
        yield from in_frame(part.data[shown], of, where)
        yield from drawn(list(captions(part.spec)), of, where)
    elif isinstance(part, SoftDictionary):
        powers = np.where(part.allowed, np.exp((part.scores - part.scores.max()) / part.temperature), 0)
        names = [names_of(each) for each in part.keys]
        yield Drawn(powers / powers.sum(), of | names_of(part.query), where, ((0, names),))
        yield from drawn([part.temperature, part.values], of, where)
    else:
        yield from in_fields(part, of, where)


def in_fields(part: Any, of: Names, where: str) -> Iterator[Drawn]:
    """The numbers in the fields of a drawing, named by its short texts, and by the labels of its rows and columns."""
    held = {each.name: getattr(part, each.name) for each in fields(part)}
    of = of.union(*(names_of(each) for name, each in held.items() if isinstance(each, str) and name not in UNSEEN))
    for matrix, rows, columns in MATRICES:
        if matrix in held and rows in held and columns in held:
            values = np.asarray(held.pop(matrix), float)
            labels = [[names_of(each) for each in held[side]] for side in (rows, columns)]
            axes = tuple((values.ndim - 2 + axis, names) for axis, names in enumerate(labels) if names)
            yield Drawn(values, of, where, axes)
    for name, each in held.items():
        if name not in UNSEEN and not callable(each):
            yield from drawn(each, of, where)


def captions(spec: Any) -> Iterator[str | float]:
    """What a chart's description writes: titles, names, texts, and the places of its rules."""
    if isinstance(spec, list):
        for each in spec:
            yield from captions(each)
    elif isinstance(spec, Mapping):
        for name, each in spec.items():
            written_out = name in ("title", "text", "name", "description") and isinstance(each, str)
            if written_out or (name == "datum" and isinstance(each, int | float)):
                yield each
            else:
                yield from captions(each)
