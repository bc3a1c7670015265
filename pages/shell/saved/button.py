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
    if not any(isinstance(drawing, CanvasDrawing) for drawing in drawings_in(shown.pictures)):
        return
    held = values.but({})  # as they are now: the file is made when the button is clicked, without the page
    shows_model = page.shows_model and view.uses_model
    facts = Facts(run.text if page.reads_text else "", title_of(run) if shows_model else "", st.context.url or "")
    about_model = model_words(run) if shows_model else ""

    def make_view() -> str:
        with run_slots().turn():
            return save_view(page, view, run, held.but({}), facts, about_model)

    def make_page() -> str:
        with run_slots().turn():
            return save_page(page, run, held.but({}), facts, about_model)

    with st.container(horizontal=True, gap="small"):
        _download("Save as a page", f"{page.address}-{view.name}", HELP, make_view)
        if len(page.views) > 1:
            _download("Save all views", page.address, HELP_ALL, make_page)


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
