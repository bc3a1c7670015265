"""Everything that a page is drawn from, worked out before its first widget: the view, the model, the texts, the run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from pages.session.visit import visit_state
from pages.shell import url
from pages.shell.model_choice import replace_unreadable_texts
from pages.shell.model_links import follow_link
from pages.shell.page import Page
from pages.shell.run_plan import Plan, plan_run
from pages.shell.settings import HEADER_SETTINGS, TARGET, TEXT
from pages.shell.view import Reads, View
from pages.widgets import Setting


@dataclass(frozen=True)
class Prepared(Plan):
    """Everything that a page is drawn from: the plan of its run, and the chosen view.

    view: the chosen view, with what it reads at the current settings.
    """

    view: View

    @property
    def mistake(self) -> str:
        """The reason why the settings cannot be run, without its full stop; "" if they can."""
        return self.refusal.rstrip(".")


def prepare(page: Page, known: Sequence[Setting]) -> Prepared:
    """Return what the page is drawn from, after the URL and the way to this page have changed the session.

    known: every setting that a visitor can have.
    """
    _arrive(page, known)
    view = read_view(page)
    plan = plan_run(page, session_values(), bool(view.reads_text))
    return Prepared(**{field.name: getattr(plan, field.name) for field in fields(plan)}, view=view)


def session_values() -> dict[str, Any]:
    """Return the values of the header's settings by key, as `plan_run` takes them; texts only if they were chosen."""
    held = url.current_values(HEADER_SETTINGS)
    texts = url.current_settings([TEXT, TARGET])
    return {setting.key: held[setting] for setting in HEADER_SETTINGS if setting not in (TEXT, TARGET)} | {
        setting.key: value for setting, value in texts.items()
    }


def _arrive(page: Page, known: Sequence[Setting]) -> None:
    """Apply Back and Forward, or the link that led here.

    On a page other than the last one, stop all players and replace texts that the page's model cannot read.
    """
    visit = visit_state()
    if visit.written is None or visit.written[0] != page.address:
        _hold((*url.SHARED_SETTINGS, *page.all_settings))
    url.follow_history(page, known)
    keeps_run = follow_link(page)
    if visit.page is not None and visit.page != page.address:
        visit.playing.clear()
        if not keeps_run and TEXT in url.current_settings([TEXT]):
            replace_unreadable_texts(page)
    visit.page = page.address


def _hold(settings: Iterable[Setting]) -> None:
    """Hold the settings' values until this page has been drawn once, and make Streamlit send them with the widgets.

    A browser that leaves pages quickly forgets values that Streamlit takes for known there, and reports the default of
    a widget in their place.
    """
    visit = visit_state()
    for setting, value in url.current_settings(settings).items():
        # Only these: a click that leads to another page may set layer, head and route to their defaults.
        forgotten = setting in HEADER_SETTINGS and value == visit.defaults.get(setting.key, setting.default)
        st.session_state[setting.key] = visit.seen.get(setting.key, value) if forgotten else value


def read_view(page: Page) -> View:
    """Return the chosen view, with whether it reads the texts at the current settings."""
    view = page.view(url.current_values([page.look_at])[page.look_at])
    return replace(view, reads_text=_is_read(view.reads_text), reads_target=_is_read(view.reads_target))


def header_of(view: View) -> tuple[bool, ...]:
    """Return the properties of a view that decide what the header contains; views that agree in them share a header.

    view: one that `read_view` returned.
    """
    return bool(view.reads_text), view.uses_model, bool(view.reads_target), view.reads_mask


def _is_read(reads: Reads | None) -> bool:
    if not isinstance(reads, Setting | tuple):
        return reads is not False
    setting, *wanted = reads if isinstance(reads, tuple) else (reads,)
    value = url.current_values([setting])[setting]
    return value in wanted if wanted else value != setting.default
