"""Draws a page inside the app's own script, so that its widgets belong to the app and keep their values on every page.

A widget that is drawn by the script of a page belongs to that page alone, and Streamlit 1.67 forgets it on the next.
"""

import streamlit as st

from core.tracing.run import Run
from pages.compute.cache import source
from pages.compute.run_slots import run_slots
from pages.compute.streamlit_patches import hand_over_now
from pages.session.visit import take, visit_state
from pages.shell import url
from pages.shell.ahead import send_ahead
from pages.shell.default_head import choose_default_head, keep_place
from pages.shell.framed import draw_framed
from pages.shell.lab_step import train_to
from pages.shell.last_change import LastChange, describe_change
from pages.shell.layout import draw_views
from pages.shell.lesson.going import chosen_screen, is_asked_on
from pages.shell.lesson.panel import draw_lesson, draw_lesson_without_run
from pages.shell.model_choice import page_can_show, requested_model
from pages.shell.prepare import Prepared
from pages.shell.routes import Routes, draw_choice, draw_neighbours
from pages.shell.settings import HEADER_SETTINGS
from pages.shell.undo import draw_undo, remember
from pages.shell.url_params import set_from
from pages.widgets import PLACE


def draw_page(routes: Routes, prepared: Prepared, run: Run | None, change: LastChange | None) -> None:
    """Draw the page below its header, with its place on the route.

    run: None if the settings cannot be run.
    change: the last change of a setting, to be described when the page has been drawn.
    """
    page = prepared.page
    opened = run is None or train_to(run.source)
    if run and opened and not is_asked_on(page):  # a lesson picks its own head
        choose_default_head(page, run)
    alone = chosen_screen() is None  # a lesson has its own way from page to page
    framed = bool(st.context.is_embedded)
    if alone and not framed:
        draw_choice(routes, page, above=True)
    if run is None or not opened or not page_can_show(page, run, prepared.model.refusal):
        if run is None:
            draw_lesson_without_run(page, prepared.mistake)
        remember(page, HEADER_SETTINGS)
        url.write(page)
        if alone:
            draw_undo(page, HEADER_SETTINGS)
    else:
        _views(prepared, run, change)
    if framed:
        draw_framed(page)
    elif alone:
        draw_choice(routes, page, above=False)
        draw_neighbours(routes, page)


@st.fragment
def _views(prepared: Prepared, run: Run, change: LastChange | None) -> None:
    """Draw the views, then the address, then the effect of the last change, which may run a second model.

    The container of that effect is claimed at the beginning: Streamlit lets a fragment write into a container outside
    of it only if every run of the fragment does.
    """
    page = prepared.page
    with run_slots().turn():
        follow_click()
        if change is not None:
            change.where.empty()
        covered = chosen_screen() is not None and draw_lesson(page, run)
        undo = draw_views(page, run, covered)
        known = (*HEADER_SETTINGS, *PLACE, *page.all_settings)
        remember(page, known)
        url.write(page)
        if undo is not None and chosen_screen() is None:  # a lesson sets what its screens are about
            with undo:
                draw_undo(page, known)
        hand_over_now()
        if change is not None:
            describe_change(page, change, run)
        with st.container(key="ahead"):
            send_ahead()


def follow_click() -> None:
    """Go to the page that the last click leads to, if there is one, with the settings that it sets there."""
    visit = visit_state()
    address, where = take(visit, "next_page") or ("", {})
    page = next((other for other in visit.all_pages if other.address == address), None)
    if page is not None:
        set_from({key: [value] for key, value in where.items()}, (*PLACE, *page.all_settings))
        if {setting.key for setting in PLACE} & where.keys():
            keep_place(page, source(requested_model()).model)
        st.switch_page(visit.entries[address])
