"""The state of one visit, besides the values of its widgets."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from core.tracing.run import Run

KEY = "visit"  # the one key of the session state that belongs to no widget and no setting
Part = TypeVar("Part")
Params = Mapping[str, Sequence[str]]  # the parameters of a query: each key with its values


@dataclass
class VisitState:
    """The state of one visitor's session, without the values of widgets.

    Everything that a visitor can set is a widget's value, and not in here.
    """

    # Every page of the app in the reading order, and Streamlit's entry for each by its address.
    all_pages: Sequence[Any] = ()
    entries: Mapping[str, Any] = field(default_factory=dict)
    # The run that the page on the screen looks at; None if the settings cannot be run.
    run: Run | None = None

    # The URL.
    # Sentences about the parts of the URL that could not be used; None until the first query has been read.
    notes: list[str] | None = None
    # The usable part of the first query, until the first page has run and its widgets have taken their values.
    asked: Params | None = None
    # The keys of the last query that was read.
    read_keys: frozenset[str] = frozenset()
    # How often a query was read because the visitor went back or forward, and the last such query.
    read_again: tuple[int, str] = (0, "")
    # Settings that go back to their default when their widget is drawn next, because that query lacks them.
    reset: set[str] = field(default_factory=set)
    # Pinned settings, as written in the URL.
    pins: Params = field(default_factory=dict)
    # The default with which each setting's widget was drawn last.
    defaults: dict[str, Any] = field(default_factory=dict)
    # The page and the query that the browser was told last, and the number of changes that Back can take back.
    written: tuple[str, Params] | None = None
    steps: int = 0
    # Settings that the page itself has changed in this run, as a player does.
    automatic: set[str] = field(default_factory=set)
    # The text box typed in during this run, and the one that made the last step.
    typed: str = ""
    typing: str = ""
    # When a letter was typed last, in seconds of a monotonic clock.
    typed_at: float = 0.0
    # The length of the text typed into each text box, before it was cut.
    typed_lengths: dict[str, int] = field(default_factory=dict)

    # Pages, by their address.
    # The page that was begun last; it may have been left before it was drawn.
    page: str | None = None
    # The last page of the reading order, to which a reference page links back.
    route_page: str = ""
    # The page to which a click leads, and the settings that it sets there, as written in the URL.
    next_page: tuple[str, Mapping[str, str]] | None = None
    # For which view the header was drawn: see `prepare.header_of`.
    header_for: tuple[bool, ...] | None = None

    # Models and heads.
    last_model: str | None = None
    # A page, the model with which it was first shown, and the model shown before.
    shown_models: tuple[str, str, str] = ("", "", "")
    # The page and model for which a default head was chosen, and that layer and head.
    head_chosen_for: tuple[str, str] | None = None
    head_chosen: tuple[str, ...] | None = None
    # Keys of settings with which a page opens at another value than their default.
    opened_elsewhere: set[str] = field(default_factory=set)

    # Changes.
    # The settings before each change, the latest last, and the settings now.
    past: list[Mapping[str, Any]] = field(default_factory=list)
    seen: Mapping[str, Any] = field(default_factory=dict)
    # The page and text with which the last change was described.
    change_told_for: tuple[str, str] | None = None
    # Work that the visitor has stopped.
    stopped: Hashable = None
    # Work in the background, by the name of its part: what it is about, and the job.
    jobs: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)
    # The players that play, by name.
    playing: set[str] = field(default_factory=set)
    # What drawings and topics keep for this visit: see `visit_part`.
    parts: dict[type, Any] = field(default_factory=dict)
    # Whether the QR code fills the screen in this run.
    shows_code: bool = False


def visit_state() -> VisitState:
    """Return the state of this visit."""
    state: VisitState = st.session_state.setdefault(KEY, VisitState())
    return state


def visit_part(kind: type[Part]) -> Part:
    """Return this visit's object of a class, which is made at its first use."""
    part: Part | None = visit_state().parts.get(kind)
    if part is None:
        part = visit_state().parts[kind] = kind()
    return part


def take(state: VisitState, name: str) -> Any:
    """Return a field of the visit's state and reset it, because it is meant for one run only."""
    value = getattr(state, name)
    setattr(state, name, getattr(VisitState(), name))
    return value
