"""The buttons that save a view, or all views of a page, as a file."""

from collections.abc import Callable

import streamlit as st

from core.tracing.run import Run
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.standalone import Facts
from pages.compute.cache import title_of
from pages.compute.run_slots import run_slots
from pages.shell.model_choice import model_words
from pages.shell.page import Page
from pages.shell.parts import drawings_in
from pages.shell.saved.document import save_page, save_view
from pages.shell.view import Shown, View
from pages.widgets import Values

HELP = "One HTML file with this picture, which answers clicks without this app and without a network."
HELP_ALL = "One HTML file with the views of this page. One that takes long is left out, and the file says so."


def save_buttons(page: Page, view: View, run: Run, shown: Shown, values: Values) -> None:
    """Draw buttons that download the view, and all views of the page, as an HTML file.

    There is none for a view without a drawing that can stand alone.
    """
    if not can_save(shown):
        return
    held, facts, about_model = _as_it_is(page, view, run, values)
    make_view = view_maker(page, view, run, values)

    def make_page() -> str:
        with run_slots().turn():
            return save_page(page, run, held.but({}), facts, about_model)

    with st.container(horizontal=True, gap="small"):
        _download("Save as a page", f"{page.address}-{view.name}", HELP, make_view)
        if len(page.views) > 1:
            _download("Save all views", page.address, HELP_ALL, make_page)


def can_save(shown: Shown) -> bool:
    """Return whether a view has a drawing that can stand alone."""
    return any(isinstance(drawing, CanvasDrawing) for drawing in drawings_in(shown.pictures))


def view_maker(page: Page, view: View, run: Run, values: Values) -> Callable[[], str]:
    """Return the function that makes the HTML file of a view as it is now, later and without the page."""
    held, facts, about_model = _as_it_is(page, view, run, values)

    def make_view() -> str:
        with run_slots().turn():
            return save_view(page, view, run, held.but({}), facts, about_model)

    return make_view


def _as_it_is(page: Page, view: View, run: Run, values: Values) -> tuple[Values, Facts, str]:
    """Return the values of a view, its facts, and the words about its model, as they are now."""
    shows_model = page.shows_model and view.uses_model
    facts = Facts(run.text if page.reads_text else "", title_of(run) if shows_model else "", st.context.url or "")
    return values.but({}), facts, model_words(run) if shows_model else ""


def _download(label: str, title: str, explanation: str, make: Callable[[], str]) -> None:
    """Draw a button that downloads a file, which is made when it is clicked.

    title: the title of the view or page in the file.
    """
    name = title.replace(" ", "-").replace(",", "").lower()
    st.download_button(
        label,
        make,
        file_name=f"{name}.html",
        mime="text/html",
        help=explanation,
        icon=":material/download:",
        key=f"{name}-page",
        on_click="ignore",
        type="tertiary",
    )
