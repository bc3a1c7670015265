"""The layout that all views share: controls, pictures, sentences about them, and foldable details."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.device import is_given_up
from core.limits import UNASKED_SECONDS
from core.tracing.run import Run
from pages.canvas import TokenButtons
from pages.canvas.runtime.drawing import joined
from pages.compute.as_python import write_python
from pages.compute.cache import expected_seconds
from pages.compute.calls import record_calls
from pages.session.visit import visit_state
from pages.shell.ahead import marked
from pages.shell.compare.pin_buttons import pin_buttons
from pages.shell.compare.pinned_run import with_pinned
from pages.shell.lesson.cover import draw_cover
from pages.shell.model_choice import model_words
from pages.shell.page import Page
from pages.shell.prepare import header_of, read_view
from pages.shell.saved.button import save_buttons
from pages.shell.settings import RUN_ANYWAY
from pages.shell.subword_mark import explain_subword_mark
from pages.shell.take_home import draw_take_home
from pages.shell.url import current_values
from pages.shell.view import Shown, View
from pages.shell.work_notice import was_stopped, work_notice
from pages.widgets import (
    PLACE,
    Button,
    Caption,
    Control,
    Link,
    Markdown,
    Message,
    Notes,
    Part,
    Player,
    Row,
    SettingPart,
    StopPlayer,
    Values,
    data_table,
    draw_all,
    draw_widget,
    error_boundary,
    explained,
    formula,
    notes,
    show_source,
    takeaway,
)

SIDE_PIXELS = 290  # pixels
LINE_LAYOUT: dict[str, Any] = {"horizontal": True, "gap": "medium", "vertical_alignment": "center"}
FOLD_LAYOUT = LINE_LAYOUT | {"gap": "small", "width": "content"}
# Parts that are never the main picture of a view.
NO_PICTURE = (SettingPart, Button, Caption, Link, Markdown, Message, Notes, Player, Row, TokenButtons)
RUNNING_MESSAGE = "Running the model…"
Places = dict[str, DeltaGenerator]  # containers of controls, by `Control.where`; "fold" holds the button "More"


def draw_views(page: Page, run: Run, covered: bool = False) -> DeltaGenerator | None:
    """Draw the controls and parts that all views of the page share, the "Look at" pills, and the chosen view.

    Return the place of the button Undo beside them; None if a cover is drawn.

    If the run's device fails meanwhile, everything is drawn again on another device.

    covered: whether a cover is drawn in place of all this, because a lesson asks before it shows.
    """
    if covered:
        draw_cover()
        return None
    values = current_values((*page.all_settings, *PLACE))
    view = page.view(values[page.look_at])
    if visit_state().header_for != header_of(read_view(page)):
        st.rerun()  # this view needs another header
    with error_boundary():
        row, shared = st.container(key="controls-page", **LINE_LAYOUT), st.container()
        look_at = st.container(key="look-at", **(LINE_LAYOUT | {"gap": "small"}))
        with look_at:
            pills, undo, fold = (
                st.container(key="views"),
                st.container(key="undo"),
                st.container(key="fold", **FOLD_LAYOUT),
            )
        if was_stopped(what := (page.address, run)):
            return undo
        places = {"row": row, "fold": fold}
        with work_notice(what, key="going-page", at_once=False):
            _draw_controls(page.controls(run, values), values, places)
            with record_calls() as values.log:
                subject = page.subject(run, values)
            above = page.above(subject, values)
        with shared:
            draw_all(above)
        name = values[page.look_at]
        if len(page.views) > 1:
            with pills:
                name = draw_widget(page.look_at, label_visibility="collapsed")
        for other in page.views:
            if other.player and other.player != page.view(name).player:
                StopPlayer(other.player).draw()
        with error_boundary():
            _draw_view(page, page.view(name), run, subject, values, above, places)
        if page.can_pin:
            with fold:
                pin_buttons(page, view, run)
    if is_given_up(run.placement.device):
        st.rerun()
    return undo


def _draw_view(
    page: Page, view: View, run: Run, subject: Any, values: Values, above: Sequence[Part], places: Places
) -> None:
    """Draw the view, unless it takes long and was not asked for, or the visitor has stopped it."""
    if view.seconds is not None:
        _fill(page, view, run, subject, values, above, places)
        return
    seconds = expected_seconds(run) if page.uses_model and page.runs_model else 0.0
    if not was_stopped(what := (page.address, view.name, run)) and _wanted(seconds):
        with work_notice(what, seconds):
            _fill(page, view, run, subject, values, above, places)


def _fill(
    page: Page, view: View, run: Run, subject: Any, values: Values, above: Sequence[Part], places: Places
) -> None:
    """Draw the view: its controls, its pictures, and everything below them.

    above: the parts above every view of the page.
    places: the containers of the page's own controls.
    """
    row, above_picture, picture, below, rest = (
        st.container(key="controls-view", **LINE_LAYOUT),
        st.container(key="above-picture"),  # arriving.js keeps back what stands below it until the picture is there
        st.container(),
        st.container(key="controls-below", **LINE_LAYOUT),
        st.container(),
    )
    bar = above_picture.empty()
    _draw_controls(view.controls(subject, values), values, places | {"row": row, "below": below})
    first, seen = picture, set[str]()
    if view.aside is not None:
        sides = picture.container(horizontal=True, gap="medium")
        with sides.container(width=SIDE_PIXELS):
            draw_all(view.aside(subject, values))
        first = sides.container()
    with first, error_boundary():
        with above_picture:  # in the sentence's place: what says that the model runs is not pushed down by it
            shown = _made(page, view, run, subject, values, bar)
        if shown is None:
            return
        shown = marked(page, view, run, values, shown)
        with above_picture.container(key="sentence"):
            if lead := joined(shown.lead, shown.click):
                st.container(key="lead").markdown(explained(lead, seen))
            for sentence in shown.said[:1]:
                takeaway(sentence, seen)
        main = _main_length(shown.pictures)
        with first.container(key="main-picture"):  # Present fits it to the screen
            draw_all(shown.pictures[:main])
        with picture:
            draw_all(shown.pictures[main:])
        with picture:
            explain_subword_mark([*above, *shown.pictures])  # below, so that nothing moves while a text is written
        with rest:
            _draw_rest(page, view, run, shown, values, seen)
            if page.shows_model and view.uses_model and run.is_trained:  # the header describes random weights
                st.caption(explained(model_words(run), seen))


def _main_length(pictures: Sequence[Part]) -> int:
    """Return how many of the parts make the main picture: up to the first drawing, or all large lines before it."""
    drawing = next((n for n, part in enumerate(pictures) if not isinstance(part, NO_PICTURE)), 0)
    large = [n for n, part in enumerate(pictures[:drawing]) if isinstance(part, TokenButtons) and part.large]
    return (large[-1] if large else drawing) + 1


def _made(page: Page, view: View, run: Run, subject: Any, values: Values, bar: DeltaGenerator) -> Shown | None:
    """Return the parts of the view, with the pinned view beside it if there is one.

    bar: the place of the bar of progress.

    For a view with an estimate of its own, return None if it takes long and was not asked for, or if the visitor has
    stopped it.
    """
    meanwhile: AbstractContextManager[None] = nullcontext()
    if view.seconds is not None:
        seconds = view.seconds(subject, values)
        what = (page.address, view.name, run, tuple(repr(values[setting]) for setting in (*page.settings, *PLACE)))
        if was_stopped(what) or not _wanted(seconds):
            return None
        meanwhile = work_notice(what, seconds)
    values.progress = bar.progress
    with meanwhile, st.spinner(RUNNING_MESSAGE, show_time=True):
        with record_calls(values.log):
            now = view.show(subject, values)
        shown = with_pinned(page, view, run, values, now)
    bar.empty()
    return shown


def _draw_controls(controls: Iterable[Control], values: Values, places: Places) -> None:
    """Draw each control in its place, and store its value before the next control is made."""
    for control in controls:
        if control.where == "more" and "more" not in places:
            places["more"] = places["fold"].popover("More", icon=":material/tune:")
        where = places.get(control.where, places["row"])
        values[control.setting] = draw_widget(control.setting, where, **control.options)


def _wanted(seconds: float) -> bool:
    """Return whether to run work of this length, and ask the visitor if it takes UNASKED_SECONDS or more."""
    if seconds < UNASKED_SECONDS:
        return True
    wanted = bool(draw_widget(RUN_ANYWAY))
    notes([None if wanted else f"This model needs about {seconds:.0f} seconds for it here."])
    return wanted


def _draw_rest(page: Page, view: View, run: Run, shown: Shown, values: Values, seen: set[str]) -> None:
    """Draw everything below the pictures, in the same order on every page.

    seen: the terms explained so far.
    """
    key = f"{page.address}-{view.name}".replace(" ", "-")
    if shown.arithmetic:
        st.code(shown.arithmetic, language=None, wrap_lines=True)
    for sentence in shown.said[1:]:
        takeaway(sentence, seen)
    notes(shown.notes)
    st.markdown(explained(page.introduction, seen))
    if shown.formula:
        formula(shown.formula)
    for paragraph in [shown.about] if isinstance(shown.about, str) else shown.about:
        if paragraph:
            st.caption(explained(paragraph, seen))
    tables = shown.table if isinstance(shown.table, list | tuple) else [shown.table]
    for number, table in enumerate(tables):
        data_table(table, f"{key}-{number}" if number else key, several=len(tables) > 1)
    save_buttons(page, view, run, shown, values)
    draw_take_home(page, view, run, shown, values, key)
    if shown.source:
        show_source(shown.source, f"{key}-source", partial(write_python, values.log))
