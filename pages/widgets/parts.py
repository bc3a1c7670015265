"""The plain parts of a view besides its pictures: text, columns, cards, buttons and links.

A part is a value; only its `draw()` calls Streamlit. Markdown is the project's own: text that people typed goes through
`plain` first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, Protocol

import streamlit as st

from pages.session.visit import visit_state
from pages.widgets.setting import Setting, draw_widget
from pages.widgets.terms import explained
from pages.widgets.words import error_boundary, notes, takeaway

SAME_RUN = "same-run"  # in the URL, until the link has been followed


class Part(Protocol):
    """Anything that a view can show."""

    def draw(self) -> None: ...

    def read_only(self) -> "Part | None":
        """Return the part for the pinned side of a comparison, with another key and nothing to click.

        Return None, as here, if it has no place there: a button, a link, a setting or a player.
        """
        return None

    def token_labels(self) -> Sequence[str]:
        """Return the labels of the tokens that the part shows, such as "3:·al"; none by default."""
        return ()


class Words(Part):
    """A part that shows text and has nothing to click."""

    def read_only(self) -> Part:
        return self


def read_only(parts: Sequence[Part]) -> list[Part]:
    """Return the parts for the pinned side of a comparison, without those that have no place there."""
    return [made for part in parts if (made := part.read_only()) is not None]


def labels_of(parts: Iterable[Part]) -> list[str]:
    """Return the labels of the tokens that the parts show."""
    return [label for part in parts for label in part.token_labels()]


def draw_all(parts: Sequence[Part]) -> None:
    """Draw the parts one after the other."""
    for part in parts:
        part.draw()


@dataclass(frozen=True)
class Markdown(Words):
    text: str

    def draw(self) -> None:
        st.markdown(explained(self.text))


@dataclass(frozen=True)
class Caption(Words):
    text: str

    def draw(self) -> None:
        st.caption(explained(self.text))


@dataclass(frozen=True)
class Takeaway(Words):
    """One sentence made from the data, which may quote what people typed."""

    text: str

    def draw(self) -> None:
        takeaway(self.text)


@dataclass(frozen=True)
class Notes(Words):
    """Notes about what was cut or dropped, one line each, shown as plain text; None is left out."""

    sentences: Sequence[str | None]

    def draw(self) -> None:
        notes(self.sentences)


@dataclass(frozen=True)
class Message(Words):
    """A box with one sentence, such as why there is no picture and what to do."""

    text: str
    icon: str = ":material/info:"

    def draw(self) -> None:
        st.info(self.text, icon=self.icon)


@dataclass(frozen=True)
class ProgressBar(Part):
    """A progress bar: a share from 0 to 1, and a text about it."""

    share: float
    text: str

    def draw(self) -> None:
        st.progress(self.share, self.text)


@dataclass(frozen=True)
class SettingPart(Part):
    """A setting whose widget is drawn among the pictures, because whether it is useful depends on their numbers.

    A view reads its value with those of the other settings, before this widget is drawn.
    """

    setting: Setting

    def draw(self) -> None:
        draw_widget(self.setting)


@dataclass(frozen=True)
class TextArea(Part):
    """A box for a long text that stays out of the URL, and parts made from this text.

    key: the key of the text in the session.
    text: the text in it at first.
    max_characters: number of characters that it takes.
    parts: makes the parts below it; an error of theirs is shown in their place.
    """

    label: str
    key: str
    text: str
    max_characters: int
    parts: Callable[[str], Sequence[Part]]

    def draw(self) -> None:
        options: dict[str, Any] = {"height": 160, "max_chars": self.max_characters, "persist_state": "session"}
        text = st.text_area(self.label, self.text, key=self.key, **options)
        with error_boundary():
            draw_all(self.parts(text or ""))


@dataclass(frozen=True)
class ChoiceForm(Part):
    """Questions with one option to choose for each, and a button that sends all answers if none is missing.

    key: the prefix of its keys; the choices stay in the session.
    questions: each with its options, as plain words.
    sent: takes the index of the chosen option for each question, and returns the settings that they change.
    send: the words on the button.
    """

    key: str
    questions: Sequence[tuple[str, Sequence[str]]]
    sent: Callable[[Sequence[int]], Mapping[str, Any]]
    send: str = "Send"

    def draw(self) -> None:
        options: dict[str, Any] = {"index": None, "width": "stretch", "persist_state": "session"}
        with st.container(key=f"choices-{self.key}", gap="medium"):
            for number, ((question, texts), key) in enumerate(zip(self.questions, self._own_keys, strict=True), 1):
                st.radio(f"{number}. {question}", range(len(texts)), format_func=texts.__getitem__, key=key, **options)
            missing = [str(number) for number, choice in enumerate(self._chosen(), 1) if choice is None]
            with st.container(horizontal=True, vertical_alignment="center"):
                kind: Literal["primary", "secondary"] = "secondary" if missing else "primary"
                st.button(self.send, key=f"{self.key}-send", type=kind, on_click=self._sent)
                if missing:
                    st.caption(f"Not answered yet: {', '.join(missing)}", width="content")

    @staticmethod
    def keys(key: str, many: int) -> list[str]:
        """Return the keys of the choices of a form.

        key: the key of the form.
        many: the number of its questions.
        """
        return [f"{key}-{number}" for number in range(1, many + 1)]

    @property
    def _own_keys(self) -> list[str]:
        return self.keys(self.key, len(self.questions))

    def _chosen(self) -> list[int | None]:
        return [st.session_state.get(key) for key in self._own_keys]

    def _sent(self) -> None:
        chosen = [choice for choice in self._chosen() if choice is not None]
        if len(chosen) == len(self.questions):
            st.session_state.update(self.sent(chosen))


@dataclass(frozen=True)
class Popover(Part):
    """A button that opens a panel with parts."""

    label: str
    icon: str
    parts: Sequence[Part]

    def draw(self) -> None:
        with st.popover(self.label, icon=self.icon):
            draw_all(self.parts)


@dataclass(frozen=True)
class Row(Part):
    """Small parts in one line that wraps, such as buttons."""

    parts: Sequence[Part]

    def draw(self) -> None:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            draw_all(self.parts)

    def read_only(self) -> Part:
        return Row(read_only(self.parts))

    def token_labels(self) -> Sequence[str]:
        return labels_of(self.parts)


@dataclass(frozen=True)
class Choices(Part):
    """Parts that only offer something to click; the pinned side of a comparison leaves them out."""

    parts: Sequence[Part]

    def draw(self) -> None:
        draw_all(self.parts)

    def token_labels(self) -> Sequence[str]:
        return labels_of(self.parts)


@dataclass(frozen=True)
class Columns(Part):
    """Parts side by side, or one below the other on a narrow screen.

    widths: relative; all columns have the same width if empty.
    """

    columns: Sequence[Sequence[Part]]
    widths: Sequence[float] = ()

    def draw(self) -> None:
        columns = st.columns(list(self.widths) or len(self.columns), gap="large")
        for column, parts in zip(columns, self.columns, strict=True):
            with column:
                draw_all(parts)

    def read_only(self) -> Part:
        return replace(self, columns=[read_only(parts) for parts in self.columns])

    def token_labels(self) -> Sequence[str]:
        return labels_of(chain(*self.columns))


@dataclass(frozen=True)
class Cards(Part):
    """Groups of parts in frames, with as many side by side as fit.

    width: the least width of a card, in pixels.
    columns: the most cards in a row.
    tall: the indices, from 0, of cards that span two rows.
    """

    cards: Sequence[Sequence[Part]]
    key: str
    width: int = 360
    columns: int | Literal["auto"] = "auto"
    tall: tuple[int, ...] = ()

    def draw(self) -> None:
        grid = st.grid(self.columns, min_column_width=self.width, border=True, key=self.key)
        for index, parts in enumerate(self.cards):
            with grid.cell(row_span=2 if index in self.tall else 1):
                draw_all(parts)

    def read_only(self) -> Part:
        return replace(self, cards=[read_only(parts) for parts in self.cards], key=f"pinned-{self.key}")

    def token_labels(self) -> Sequence[str]:
        return labels_of(chain(*self.cards))


@dataclass(frozen=True)
class Button(Part):
    """A button that sets settings, or leads to another page.

    sets: returns the new values by the settings' keys; a `ToPage` returns none, and leads to its page.
    whole: whether the whole app runs again, because some of the settings are not the page's own.
    """

    label: str
    key: str
    sets: Callable[[], Mapping[str, Any] | None]
    icon: str | None = None
    type: Literal["primary", "secondary", "tertiary"] = "tertiary"
    whole: bool = False

    def draw(self) -> None:
        clicked = st.button(self.label, key=self.key, icon=self.icon, type=self.type, on_click=self._clicked)
        if clicked and self.whole:
            st.rerun()

    def _clicked(self) -> None:
        st.session_state.update(self.sets() or {})


@dataclass(frozen=True)
class Download(Part):
    """A button that downloads a file.

    make: makes the file's content when it is clicked.
    """

    label: str
    key: str
    file_name: str
    make: Callable[[], bytes]

    def draw(self) -> None:
        st.download_button(
            self.label,
            self.make,
            file_name=self.file_name,
            icon=":material/download:",
            key=self.key,
            on_click="ignore",
            type="tertiary",
        )


@dataclass(frozen=True)
class Link(Part):
    """A link to another page that keeps the current model, text and head.

    label: if "", the title of the page, followed by that of the view if the link leads to one.
    address: the address of the page.
    where: the settings that the link gives there, by their keys: those of that page alone, or the layer and the head.
    """

    label: str
    address: str
    where: Mapping[str, str] = field(default_factory=dict)
    icon: str = ":material/arrow_forward:"

    def draw(self) -> None:
        page = visit_state().entries.get(self.address)
        if page is not None:
            label = self.label or ": ".join(filter(None, (page.title, self.where.get(f"{self.address}-view"))))
            st.page_link(page, label=label, icon=self.icon, query_params={SAME_RUN: "true", **self.where})


@dataclass(frozen=True)
class PlainLink(Part):
    """A link to a page of this server that is no page of the app; it opens in another tab.

    path: its address, relative to the folder of the app's pages.
    """

    label: str
    path: str
    icon: str

    def draw(self) -> None:
        st.link_button(self.label, self.path, type="tertiary", icon=self.icon)


@dataclass(frozen=True)
class ToPage:
    """A click that leads to another page.

    address: the address of the page.
    where: the settings that the click sets there, by their keys, as written in the URL.
    shared: settings of all pages that it sets, by their keys.
    """

    address: str
    where: Mapping[str, str]
    shared: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self) -> None:
        visit_state().next_page = self.address, self.where
        st.session_state.update(self.shared)
