"""The button that saves a view as a page of its own."""

import streamlit as st

from core.tracing.run import Run
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.standalone import Facts
from pages.compute.cache import title_of
from pages.compute.run_slots import run_slots
from pages.shell.model_choice import model_words
from pages.shell.page import Page
from pages.shell.parts import drawings_in
from pages.shell.saved.document import save_view
from pages.shell.view import Shown, View
from pages.widgets import Values

HELP = "One HTML file with this picture, which answers clicks without this app and without a network."


def save_button(page: Page, view: View, run: Run, shown: Shown, values: Values) -> None:
    """Draw a button that downloads the view as an HTML file, if the view has a drawing that can stand alone."""
    if not any(isinstance(drawing, CanvasDrawing) for drawing in drawings_in(shown.pictures)):
        return
    held = values.but({})  # as they are now: the file is made when the button is clicked, without the page
    shows_model = page.shows_model and view.uses_model
    facts = Facts(run.text if page.reads_text else "", title_of(run) if shows_model else "", st.context.url or "")
    about_model = model_words(run) if shows_model else ""
    name = f"{page.address}-{view.name}".replace(" ", "-").replace(",", "").lower()

    def make() -> str:
        with run_slots().turn():
            return save_view(page, view, run, held.but({}), facts, about_model)

    st.download_button(
        "Save as a page",
        make,
        file_name=f"{name}.html",
        mime="text/html",
        help=HELP,
        icon=":material/download:",
        key=f"{name}-page",
        on_click="ignore",
        type="tertiary",
    )
