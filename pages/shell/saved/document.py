"""Save a view as one HTML file that answers by itself: its drawings, words, formula and numbers, for all its frames."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from core.tracing.run import Run
from pages.canvas.number_table.number_table import NumberTable
from pages.canvas.runtime.drawing import CanvasDrawing, Drawing
from pages.canvas.runtime.frames import Choice, framed
from pages.canvas.runtime.standalone import UNKNOWN, Facts, Saved, SavedPage
from pages.shell.page import Page
from pages.shell.parts import parts_in
from pages.shell.saved.frames import ViewFrames, frames_of
from pages.shell.saved.words import PageWords, formula
from pages.shell.view import Shown, View
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
    Values,
    plain,
)

MAX_BYTES, MAX_FRAMES, MAX_SECONDS = 400_000, 64, 10.0
MAX_RADIOS = 16  # options that are drawn as buttons; more become a list
MAX_ROWS = 200  # of a table
MADE_WITH = "Made with Attention Explorer: every number is a tensor that this model computed from this text."
NAMES = {"true": "on", "false": "off", "null": "none"}  # of values that are no words
CHART = "This chart answers in the app; the numbers below are the ones that it draws."


def save_view(
    page: Page,
    view: View,
    run: Run,
    values: Values,
    facts: Facts = UNKNOWN,
    about_model: str = "",
    max_frames: int = MAX_FRAMES,
    max_seconds: float = MAX_SECONDS,
) -> str:
    """Return a view as an HTML file, with as many frames as fit into MAX_BYTES.

    facts: where it comes from.
    about_model: a description of the model, as markdown; "" to leave it out.
    max_frames, max_seconds: of the frames, and of the time in which they are made.

    Raises ValueError if the view cannot be shown.
    """
    count = max_frames
    while True:
        frames = frames_of(page, view, run, values, count, max_seconds)
        text = _Document(page, run, frames).html(facts, about_model)
        if len(text.encode()) <= MAX_BYTES or len(frames.shown) == 1:
            return text
        count = len(frames.shown) // 2


@dataclass
class _Document:
    """A saved page while it is written.

    words: writes its markdown.
    drawings: those written so far.
    """

    page: Page
    run: Run
    frames: ViewFrames
    words: PageWords = field(default_factory=PageWords)
    drawings: list[Saved] = field(default_factory=list)

    def html(self, facts: Facts, about_model: str) -> str:
        """Return the file."""
        page, frames = self.page, self.frames.shown
        body = Markup("\n").join(
            [
                self.words.html(page.definition),
                *self._texts(),
                *(_control(setting, options) for setting, options in self.frames.settings.items()),
                self._words(lambda shown: shown.lead),
                self._words(lambda shown: _takeaways(shown.said[:1]), "takeaway"),
                self._parts({choice: shown.pictures for choice, shown in frames.items()}),
                self._variants({choice: _lines(shown.arithmetic) for choice, shown in frames.items()}),
                self._words(lambda shown: _takeaways(shown.said[1:]), "takeaway"),
                self._words(lambda shown: _quiet(shown.notes), "quiet"),
                self._variants({choice: formula(shown.formula) for choice, shown in frames.items()}),
                self._words(_about, "quiet"),
                self._tables(),
                self.words.html(page.introduction),
                self.words.html(about_model),
                self.words.explanations(),
                _footer(facts.address),
            ]
        )
        start = dict(zip(self.frames.keys, self.frames.at, strict=True))
        return SavedPage(page.question, body, self.drawings, start, facts).html()

    def _texts(self) -> list[Markup]:
        texts = (self.run.text, self.run.target) if self.page.reads_text else ()
        return [Markup("<blockquote>{}</blockquote>").format(text) for text in texts if text]

    def _words(self, read: Callable[[Shown], str], kind: str = "") -> Markup:
        """Return markdown that may differ from frame to frame."""
        return self._variants(
            {choice: self.words.html(read(shown)) for choice, shown in self.frames.shown.items()}, kind
        )

    def _variants(self, texts: Mapping[Choice, Markup], kind: str = "") -> Markup:
        """Return an element for each text that differs, shown at the frames that have it.

        texts: by the values of the frames; a frame without one shows nothing.
        """
        choices: dict[Markup, list[Choice]] = {}
        for choice, text in texts.items():
            choices.setdefault(text, []).append(choice)
        if not any(choices):
            return Markup("")
        if len(choices) == 1 and len(texts) == len(self.frames.shown):
            return Markup('<div class="{}">{}</div>').format(kind, *choices)
        variant = Markup('<div data-choices="{}"{}>{}</div>')
        variants = (
            variant.format(
                _json([_json(choice) for choice in those]), "" if self.frames.at in those else " hidden", text
            )
            for text, those in choices.items()
        )
        whole = Markup('<div class="{}" data-keys="{}">{}</div>')
        return whole.format(kind, _json(self.frames.keys), Markup("").join(variants))

    def _parts(self, groups: Mapping[Choice, Sequence[Part]]) -> Markup:
        """Return the elements of parts, which are given by the values of the frames.

        Parts of one kind that stand in the same place of several frames become one element.
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
            return Markup('<p class="quiet">{}</p>').format(CHART)
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
        states = framed(self.frames.keys, those, alone=True)
        saved = Saved(next(iter(those.values())).script(), states.data(self.frames.at))
        self.drawings.append(saved)
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
        name = next(iter(tables.values())).name.replace("-", " ")
        drawn = {
            choice: NumberTable(table.frame().iloc[:MAX_ROWS, : MAX_ROWS + 1], table.note(), key=name, name=name)
            for choice, table in tables.items()
        }
        return Markup("<details><summary>The numbers: {}</summary>{}</details>").format(name, self._drawing(drawn))


def _footer(address: str) -> Markup:
    link = Markup('<a href="{0}">{0}</a>').format(address) if address else ""
    return Markup("<footer>{} {}</footer>").format(MADE_WITH, link)


def _lines(text: str) -> Markup:
    return Markup("<pre>{}</pre>").format(text) if text else Markup("")


def _takeaways(sentences: Iterable[str]) -> str:
    return "\n\n".join(plain(sentence) for sentence in sentences)


def _about(shown: Shown) -> str:
    return shown.about if isinstance(shown.about, str) else "\n\n".join(shown.about)


def _quiet(sentences: Sequence[str | None]) -> str:
    return "\n\n".join(plain(sentence) for sentence in sentences if sentence)


def _markdown_of(part: Part) -> str:
    """Return the words of a part that is only read, as markdown."""
    if isinstance(part, Notes):
        return _quiet(part.sentences)
    if isinstance(part, Takeaway):
        return plain(part.text)
    return part.text if isinstance(part, Markdown | Caption | Message) else ""


def _control(setting: Setting, options: tuple[object, ...]) -> Markup:
    """Return the buttons, or the list, that choose a setting's value."""
    named = [(_json(option), NAMES.get(_json(option), option)) for option in options]
    if len(options) > MAX_RADIOS:
        items = Markup("").join(Markup('<option value="{}">{}</option>').format(*each) for each in named)
        choice = Markup('<p data-key="{}"><label>{} <select>{}</select></label></p>')
        return choice.format(setting.key, setting.label, items)
    pill = Markup('<label class="pill"><input type="radio" name="{}" value="{}"><span>{}</span></label>')
    items = Markup("").join(pill.format(setting.key, *each) for each in named)
    return Markup('<fieldset data-key="{}"><legend>{}</legend>{}</fieldset>').format(setting.key, setting.label, items)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
