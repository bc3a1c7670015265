"""Plain parts of a view beside its pictures: words between them, columns, cards, buttons and links.

A part is a value; only its `draw()` calls Streamlit. Markdown is the project's own: what people typed goes through
`plain` first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import streamlit as st

from pages.widgets.session import visit_state
from pages.widgets.setting import Setting, draw_widget
from pages.widgets.terms import explained
from pages.widgets.words import notes

SAME_RUN = "same-run"  # in the address, as long as it takes to follow a link
GO = "go"  # in the session: the address of the page that a click on a drawing leads to, and its settings


class Part(Protocol):
    """Anything that a view can show."""

    def draw(self) -> None: ...


@dataclass(frozen=True)
class Markdown:
    text: str

    def draw(self) -> None:
        st.markdown(explained(self.text))


@dataclass(frozen=True)
class Caption:
    text: str

    def draw(self) -> None:
        st.caption(explained(self.text))


@dataclass(frozen=True)
class Notes:
    """What was cut or dropped, one line each, shown letter by letter; None is left out."""

    sentences: Sequence[str | None]

    def draw(self) -> None:
        notes(self.sentences)


@dataclass(frozen=True)
class Message:
    """A box with one sentence: why there is no picture, and what to do."""

    text: str
    icon: str = ":material/info:"

    def draw(self) -> None:
        st.info(self.text, icon=self.icon)


@dataclass(frozen=True)
class ProgressBar:
    """How far something is: a share from 0 to 1, and what it is a share of."""

    share: float
    text: str

    def draw(self) -> None:
        st.progress(self.share, self.text)


@dataclass(frozen=True)
class SettingPart:
    """A setting that is asked for among the pictures, where only their numbers tell whether it is of use. A view reads
    its value among the others, from before it is asked for."""

    setting: Setting

    def draw(self) -> None:
        draw_widget(self.setting)


@dataclass(frozen=True)
class Row:
    """Small parts in one line that wraps, such as buttons."""

    parts: Sequence[Part]

    def draw(self) -> None:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            for part in self.parts:
                part.draw()


@dataclass(frozen=True)
class Columns:
    """Parts side by side, which stand below each other on a narrow screen. widths: relative; alike where none."""

    columns: Sequence[Sequence[Part]]
    widths: Sequence[float] = ()

    def draw(self) -> None:
        places = st.columns(list(self.widths) or len(self.columns), gap="large")
        for place, parts in zip(places, self.columns, strict=True):
            with place:
                for part in parts:
                    part.draw()


@dataclass(frozen=True)
class Cards:
    """Groups of parts in frames, as many side by side as fit. width: the least width of one, in pixels; columns: the
    most of them in a row; tall: the places, from 0, of those that stand beside two rows of others."""

    cards: Sequence[Sequence[Part]]
    key: str
    width: int = 360
    columns: int | Literal["auto"] = "auto"
    tall: tuple[int, ...] = ()

    def draw(self) -> None:
        grid = st.grid(self.columns, min_column_width=self.width, border=True, key=self.key)
        for place, parts in enumerate(self.cards):
            with grid.cell(row_span=2 if place in self.tall else 1):
                for part in parts:
                    part.draw()


@dataclass(frozen=True)
class Button:
    """A button that sets settings. sets: the new values by the settings' keys; whole: some of them are not the page's
    own, so all of the app runs again."""

    label: str
    key: str
    sets: Callable[[], Mapping[str, Any]]
    icon: str | None = None
    type: Literal["primary", "secondary", "tertiary"] = "tertiary"
    whole: bool = False

    def draw(self) -> None:
        clicked = st.button(self.label, key=self.key, icon=self.icon, type=self.type, on_click=self._clicked)
        if clicked and self.whole:
            st.rerun()

    def _clicked(self) -> None:
        st.session_state.update(self.sets())


@dataclass(frozen=True)
class Link:
    """A link to another page by its address, which goes on with the model, the words and the head that are looked at.
    `where` names settings that it gives there, by their keys: of that page alone, or the layer and the head. Without a
    label it bears the name of the page, and of the view where it leads to one."""

    label: str
    address: str
    where: Mapping[str, str] = field(default_factory=dict)
    icon: str = ":material/arrow_forward:"

    def draw(self) -> None:
        page = visit_state().entries.get(self.address)
        if page is not None:
            label = self.label or ": ".join(filter(None, (page.title, self.where.get(f"{self.address}-view"))))
            st.page_link(page, label=label, icon=self.icon, query_params={SAME_RUN: "true", **self.where})


def to_page(address: str, where: Mapping[str, str]) -> dict[str, Any]:
    """What a click sets that leads to another page by its address. where: what it sets there, by the settings' keys."""
    return {GO: (address, dict(where))}
