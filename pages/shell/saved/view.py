"""Write one view of a saved file as HTML: its controls, words, drawings, formulas and numbers, for all its frames."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from pages.canvas.number_table.number_table import NumberTable
from pages.canvas.runtime.drawing import CanvasDrawing, Drawing
from pages.canvas.runtime.frames import Choice, framed
from pages.canvas.runtime.standalone import Saved
from pages.shell.parts import parts_in
from pages.shell.saved.frames import ViewFrames
from pages.shell.saved.words import PageWords, formula
from pages.shell.view import Shown
from pages.widgets import (
    AnyTable,
    Caption,
    Columns,
    Markdown,
    Message,
    Notes,
    Numbers,
    Part,
    Setting,
    Takeaway,
    plain,
)

MAX_RADIOS = 16  # options that are drawn as buttons; more become a list
MAX_ROWS = 200  # of a table
NAMES = {"true": "on", "false": "off", "null": "none"}  # of values that are no words
CHART = "This chart answers in the app; the numbers below are the ones that it draws."


@dataclass
class SavedParts:
    """The state that the views of a saved file share while it is written.

    words: writes their markdown.
    drawings: those written so far.
    """

    words: PageWords = field(default_factory=PageWords)
    drawings: list[Saved] = field(default_factory=list)


@dataclass
class SavedView:
    """A view of a saved file while it is written.

    scope: begins the keys of its settings, because another view may have the same ones.
    has_numbers: whether the file has its numbers, too; without them a chart that cannot answer is left out.
    """

    shared: SavedParts
    frames: ViewFrames
    scope: str = ""
    has_numbers: bool = True

    @property
    def keys(self) -> list[str]:
        """The keys of the settings by which its frames differ, as the file has them."""
        return [self.scope + key for key in self.frames.keys]

    @property
    def start(self) -> dict[str, Any]:
        """The values that it opens with, by these keys."""
        followed = {self.scope + key: value for key, value in self.frames.followed.items()}
        return dict(zip(self.keys, self.frames.at, strict=True)) | followed

    @property
    def words(self) -> PageWords:
        return self.shared.words

    def html(self) -> Markup:
        """Return its elements."""
        return Markup("\n").join(
            [
                *(_control(*choice, self.scope) for choice in self.frames.settings.items() if len(choice[1]) > 1),
                self._words(lambda shown: shown.lead),
                self._words(lambda shown: _takeaways(shown.said[:1]), "takeaway"),
                self._parts({choice: shown.pictures for choice, shown in self.frames.shown.items()}),
                self._texts(lambda shown: _lines(shown.arithmetic)),
                self._words(lambda shown: _takeaways(shown.said[1:]), "takeaway"),
                self._words(lambda shown: _quiet(shown.notes), "quiet"),
                self._texts(lambda shown: formula(shown.formula)),
                self._words(_about, "quiet"),
                self._tables(),
            ]
        )

    def picture(self) -> Markup:
        """Return its controls and drawings alone."""
        return Markup("\n").join(
            [
                *(_control(*choice, self.scope) for choice in self.frames.settings.items() if len(choice[1]) > 1),
                self._parts({choice: shown.pictures for choice, shown in self.frames.shown.items()}),
            ]
        )

    def _words(self, read: Callable[[Shown], str], kind: str = "") -> Markup:
        """Return markdown that may differ from frame to frame."""
        return self._texts(lambda shown: self.words.html(read(shown)), kind)

    def _texts(self, read: Callable[[Shown], Markup], kind: str = "") -> Markup:
        """Return a text that may differ from frame to frame; one of the open cell goes when another cell is opened."""
        texts, other = {choice: read(shown) for choice, shown in self.frames.shown.items()}, self.frames.elsewhere
        return self._variants(texts, kind, other is not None and read(other) != texts[self.frames.at])

    def _variants(self, texts: Mapping[Choice, Markup], kind: str = "", is_of_cell: bool = False) -> Markup:
        """Return an element for each text that differs, shown at the frames that have it.

        texts: the texts by the values of the frames; a frame without one shows nothing.
        is_of_cell: whether they are true only of the current values of the settings that drawings follow by themselves.
        """
        followed = tuple(self.frames.followed.values()) if is_of_cell else ()
        keys = self.keys + [self.scope + key for key in self.frames.followed if is_of_cell]
        choices: dict[Markup, list[Choice]] = {}
        for choice, text in texts.items():
            choices.setdefault(text, []).append(choice)
        if not any(choices):
            return Markup("")
        if len(choices) == 1 and len(texts) == len(self.frames.shown) and not is_of_cell:
            return Markup('<div class="{}">{}</div>').format(kind, *choices)
        variant = Markup('<div data-choices="{}"{}>{}</div>')
        variants = (
            variant.format(
                _json([_json(choice + followed) for choice in those]),
                "" if self.frames.at in those else " hidden",
                text,
            )
            for text, those in choices.items()
        )
        whole = Markup('<div class="{}" data-keys="{}">{}</div>')
        return whole.format(kind, _json(keys), Markup("").join(variants))

    def _parts(self, groups: Mapping[Choice, Sequence[Part]]) -> Markup:
        """Return the elements of parts, which are given by the values of the frames.

        Parts of one kind at the same place in several frames become one element.
        """
        elements = []
        for place in range(max(map(len, groups.values()), default=0)):
            kinds: dict[type[Part], dict[Choice, Part]] = {}
            for choice, group in groups.items():
                if place < len(group):
                    kinds.setdefault(type(group[place]), {})[choice] = group[place]
            for parts in kinds.values():
                element = self._part(parts)
                everywhere = len(parts) == len(self.frames.shown)
                elements.append(element if everywhere else self._variants(dict.fromkeys(parts, element)))
        return Markup("").join(elements)

    def _part(self, parts: Mapping[Choice, Part]) -> Markup:
        """Return the element of parts of one kind, by the values of their frames; "" for what only works in the app."""
        first = next(iter(parts.values()))
        if isinstance(first, CanvasDrawing):
            return self._drawing(parts)
        if isinstance(first, Drawing):
            return Markup('<p class="quiet">{}</p>').format(CHART) if self.has_numbers else Markup("")
        if isinstance(first, Numbers):
            return self._table({choice: part.table for choice, part in parts.items() if isinstance(part, Numbers)})
        if isinstance(first, Markdown | Caption | Takeaway | Message | Notes):
            return self._variants({choice: self.words.html(_markdown_of(part)) for choice, part in parts.items()})
        if isinstance(first, Columns):
            columns = {choice: part.columns for choice, part in parts.items() if isinstance(part, Columns)}
            inside = [
                Markup("<div>{}</div>").format(
                    self._parts({choice: those[place] for choice, those in columns.items() if place < len(those)})
                )
                for place in range(max(map(len, columns.values())))
            ]
            return Markup('<div class="columns">{}</div>').format(Markup("").join(inside))
        return self._parts({choice: parts_in(part) for choice, part in parts.items()})

    def _drawing(self, drawings: Mapping[Choice, Part] | Mapping[Choice, NumberTable]) -> Markup:
        """Return the element of a drawing, by the values of its frames."""
        those = {choice: drawing for choice, drawing in drawings.items() if isinstance(drawing, CanvasDrawing)}
        states = framed(self.frames.keys, those, alone=True, scope=self.scope)
        saved = Saved(next(iter(those.values())).script(), states.data(self.frames.at))
        self.shared.drawings.append(saved)
        return Markup("<figure>{}</figure>").format(saved.html)

    def _tables(self) -> Markup:
        """Return the tables below the pictures."""
        found = {choice: shown.table for choice, shown in self.frames.shown.items()}
        tables = {choice: table if isinstance(table, Sequence) else [table] for choice, table in found.items()}
        places = range(max(map(len, tables.values())))
        return Markup("").join(
            self._table({choice: those[place] for choice, those in tables.items() if place < len(those)})
            for place in places
        )

    def _table(self, tables: Mapping[Choice, AnyTable]) -> Markup:
        """Return the element of a table, by the values of its frames."""
        names = {choice: table.name.replace("-", " ") for choice, table in tables.items()}
        key = next(iter(names.values()))
        drawn = {
            choice: NumberTable(
                table.frame().iloc[:MAX_ROWS, : MAX_ROWS + 1], table.note(), key=key, name=names[choice]
            )
            for choice, table in tables.items()
        }
        summary = self._variants({choice: Markup("The numbers: {}").format(name) for choice, name in names.items()})
        return Markup("<details><summary>{}</summary>{}</details>").format(summary, self._drawing(drawn))


def _lines(text: str) -> Markup:
    return Markup("<pre>{}</pre>").format(text) if text else Markup("")


def _takeaways(sentences: Iterable[str]) -> str:
    return "\n\n".join(plain(sentence) for sentence in sentences)


def _about(shown: Shown) -> str:
    return shown.about if isinstance(shown.about, str) else "\n\n".join(shown.about)


def _quiet(sentences: Sequence[str | None]) -> str:
    return "\n\n".join(plain(sentence) for sentence in sentences if sentence)


def _markdown_of(part: Part) -> str:
    """Return the words of a part that has nothing to click, as markdown."""
    if isinstance(part, Notes):
        return _quiet(part.sentences)
    if isinstance(part, Takeaway):
        return plain(part.text)
    return part.text if isinstance(part, Markdown | Caption | Message) else ""


def _control(setting: Setting, options: tuple[object, ...], scope: str) -> Markup:
    """Return the buttons, or the list, that choose a setting's value.

    scope: begins its key.
    """
    key = scope + setting.key
    named = [(_json(option), NAMES.get(_json(option), option)) for option in options]
    if len(options) > MAX_RADIOS:
        items = Markup("").join(Markup('<option value="{}">{}</option>').format(*each) for each in named)
        choice = Markup('<p data-key="{}"><label>{} <select>{}</select></label></p>')
        return choice.format(key, setting.label, items)
    pill = Markup('<label class="pill"><input type="radio" name="{}" value="{}"><span>{}</span></label>')
    items = Markup("").join(pill.format(key, *each) for each in named)
    return Markup('<fieldset data-key="{}"><legend>{}</legend>{}</fieldset>').format(key, setting.label, items)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
