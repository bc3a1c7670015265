"""Draws the menu and the chosen page, and configures the server.

`sections`, in every function: the topics of each section of the menu, by the dotted paths of their folders.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit.errors import StreamlitAPIException

from core.limits import invalid_limits
from pages.canvas.runtime import modules
from pages.compute.run_slots import run_slots
from pages.session.visit import visit_state
from pages.shell.compressed import CompressedFiles
from pages.shell.environment import refused_origins
from pages.shell.header import draw_header
from pages.shell.index_page import IndexPage
from pages.shell.lesson.going import is_locked, open_link
from pages.shell.lesson.sentence import change_if_due
from pages.shell.model_choice import known
from pages.shell.page import Page
from pages.shell.page_host import draw_page, follow_click
from pages.shell.prepare import prepare
from pages.shell.routes import route_entries, routes_of
from pages.shell.security_headers import SecurityHeaders
from pages.shell.startup import ready, settle_memory, to_first_page
from pages.shell.url import begin_visit, report_unmet

Sections = Mapping[str, Sequence[str]]
APP_NAME = "Attention Explorer"
LOGO = Path(__file__).parents[2] / "assets/pictures/logo.svg"


def run(sections: Sections, routes: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
    """Draw the page that the visitor has chosen. Call once in each run of the script.

    routes: the addresses of the pages on each shorter route.
    """
    with run_slots().turn():
        _show(sections, routes)


def _show(sections: Sections, addresses: Mapping[str, Sequence[str]]) -> None:
    st.set_page_config(APP_NAME, "🔎", layout="wide", initial_sidebar_state="collapsed")
    if LOGO.exists():
        with suppress(StreamlitAPIException):  # the picture is damaged
            st.logo(LOGO, size="large")
    groups = {section: [page_of(topic) for topic in topics] for section, topics in sections.items()}
    pages = [page for group in groups.values() for page in group]
    settings = known(setting for page in pages for setting in page.all_settings)
    order = [page for page in pages if not page.reference]
    entries = {page.address: _entry(page, order.index(page) + 1 if page in order else None) for page in pages}
    visit = visit_state()
    visit.entries, visit.all_pages = entries, pages
    routes = routes_of(pages, addresses)
    menu = {section: [entries[page.address] for page in group] for section, group in groups.items()}
    if addresses:
        menu[next(iter(menu))] += route_entries(routes, entries)
    begin_visit(settings)
    open_link(settings)
    change_if_due()
    position: Literal["hidden", "top"] = "hidden" if is_locked() else "top"
    shown = st.navigation(menu, position=position, expanded=True)  # a phone shows every page in it
    chosen = next((page for page in pages if entries[page.address] is shown), None)
    if chosen is None:
        shown.run()  # a menu entry that leads to a route's first page
        return
    st.set_page_config(f"{chosen.title} · {APP_NAME}")  # tabs and steps of the history are told apart by it
    follow_click()
    settle_memory()
    prepared = prepare(chosen, settings)
    run, change = draw_header(prepared, settings)
    draw_page(routes, prepared, run, change)
    report_unmet(settings)


def serve(sections: Sections, routes: Sequence[Route] = ()) -> dict[str, Any]:
    """Return the arguments of `st.App` besides the app's file: its start-up, its routes and its middleware.

    The start-up loads what the first visitor needs; the middleware puts the security headers on every answer, and our
    style sheet into the page that every visit begins with.

    routes: further routes of this server, besides those of the app.

    Raises SystemExit if the environment sets an invalid limit or an origin that is none.
    """
    if wrong := [*invalid_limits(), *refused_origins(st.get_option("client.allowedOrigins"))]:
        raise SystemExit("\n".join(wrong))
    first, *_ = [page_of(topic) for topics in sections.values() for topic in topics]
    own = [Route(f"{modules.base_path()}/{first.address}", to_first_page), *modules.routes()]
    return {
        "lifespan": ready,
        "routes": [*own, *routes],
        "middleware": [Middleware(SecurityHeaders), Middleware(CompressedFiles), Middleware(IndexPage)],
    }


@cache
def page_of(topic: str) -> Page:
    """Return the PAGE of a topic, named by the dotted path of its folder.

    Raises ImportError if there is no such topic.
    """
    page: Page = import_module(f"{topic}.page").PAGE
    return page


def _entry(page: Page, number: int | None) -> st.Page:
    """Return Streamlit's entry for a page, with its number in the reading order if it has one.

    The first page is at the app's root URL.
    """
    path = None if number == 1 else page.address
    return copy(_made_entry(page.file, f"{number} · {page.title}" if number else page.title, page.icon, path))


@cache
def _made_entry(file: str, title: str, icon: str, path: str | None) -> st.Page:
    """Make an entry, and cache it because making it looks for the file.

    Copy it for every run of the script, because Streamlit writes in it.
    """
    return st.Page(file, title=title, icon=icon, url_path=path, default=path is None)
