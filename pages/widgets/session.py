"""The state of one visit, besides the values of its widgets."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.tracing.run import Run

KEY = "visit"
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
    # The first query of the visit, until it has been read; a click may end the first run before that.
    first_query: Params | None = None
    # Sentences about the parts of the URL that could not be used; None until the first query has been read.
    notes: list[str] | None = None
    # The usable part of the first query, until the first page has run and its widgets have taken their values.
    asked: Params | None = None
    # Pinned settings, as written in the URL; None until the first query has been read.
    pins: Params | None = None
    # Settings on the screen that the URL lacks, by key, with their values.
    unwritten: dict[str, Any] = field(default_factory=dict)
    # The query to be restored after a switch to another page.
    saved_query: Params | None = None

    # Pages, by their address.
    # The page begun last, which may have been left before it was drawn, and the number of its placeholder.
    begun: tuple[str, int] | None = None
    drawn_page: str | None = None
    # The page on which a text was last checked against its model.
    text_checked_on: str | None = None
    # The last page of the reading order, to which a reference page links back.
    route_page: str = ""
    # The page to which a click at the end of a route leads.
    next_on_route: str = ""
    # For which view the header was drawn: see `header.used_by`.
    header_for: tuple[bool, bool, bool, bool] | None = None

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
    # Whether the QR code fills the screen in this run.
    shows_code: bool = False


def visit_state() -> VisitState:
    """Return the state of this visit."""
    state: VisitState = st.session_state.setdefault(KEY, VisitState())
    return state


def take(state: VisitState, name: str) -> Any:
    """Return a field and set it to its default, because it is meant for one run only."""
    value = getattr(state, name)
    setattr(state, name, getattr(VisitState(), name))
    return value
