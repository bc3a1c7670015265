"""The folded panel with this run as a script in PyTorch and in NumPy, and as a zip with its weights."""

from dataclasses import replace

import streamlit as st

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked
from core.export.bundle import take_home
from core.export.caption import caption
from core.export.dialect import DIALECTS
from core.export.notebook import Around
from core.export.script import script, title
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.compute import generation
from pages.compute.cache import class_layer, compute, reader
from pages.compute.run_slots import run_slots
from pages.shell.page import Page
from pages.shell.saved.button import can_save, view_maker
from pages.shell.view import Shown, View
from pages.widgets import Values, error_boundary, head_of, layer_of, place_of, plain

LABEL = "Take it home"
EXPLANATION = (
    "A script that needs nothing of this app: it computes this run from the weights beside it, prints {}, and draws "
    "them with matplotlib: as PDF and as PNG, for one column of a page (85 mm wide), for two (174 mm), and for a slide "
    "(1280 × 720 pixels)."
)
PRINTS = {
    PATTERN: "what the model says and the attention weights of one head",
    HEAD_SCORES: "what the model says and the scores of one head, scaled and before the mask and the softmax",
    HEAD_VECTORS: "one head's queries, keys and values",
    LENS: "the likeliest next piece after each layer, for each token of your text",
    GUESSES: "the probabilities of what the model guesses",
}
REST = (
    "In the script, PATTERNS has the attention weights of all layers and heads{}; nothing else of this view is in it."
)
ALSO = {
    HEAD_SCORES: ", SHOWN their scores",
    HEAD_VECTORS: ", SHOWN their queries, keys and values",
    LENS: "; what the model wrote after your text is left out",
}
WRITTEN = "The decoder reads the translation that the model writes."
DOWNLOAD = "Download as a zip"
HELP = (
    "Scripts, a notebook with this view's picture, the weights and the tokenizer; of a trained model also its card "
    "and its texts' licences."
)


def can_take_home(page: Page, view: View) -> bool:
    """Return whether a view shows a run of a transformer on the visitor's text."""
    shows_run = page.shows_model and page.runs_model and page.reads_text and not page.reference
    return shows_run and view.uses_model


def draw_take_home(page: Page, view: View, run: Run, shown: Shown, values: Values, key: str) -> None:
    """Draw the folded panel; the scripts are written when it is open, and the zip when its button is clicked."""
    if not can_take_home(page, view):
        return
    panel = st.expander(LABEL, icon=":material/home:", key=f"{key}-take-home", on_change="rerun")
    if not panel.open:
        return
    with panel, error_boundary():
        make_picture = view_maker(page, view, run, values) if can_save(shown) else str
        run, written = _with_target(page, view, run)
        place, classes = place_of(run, values), class_layer(run)
        if written:  # such views show where the decoder looked, and have no choice of the attention
            place = HeadAddress("decoder", layer_of(run, values, "decoder"), head_of(run, values), cross=True)
        asked = _asked(Asked(run, place, reader(run), classes), view, values)
        chosen = f"Now: {title(asked)[0].lower()}{title(asked)[1:]}."
        rest = REST.format(ALSO.get(asked.draws, ""))
        st.caption(" ".join([EXPLANATION.format(PRINTS[asked.draws]), plain(chosen), *[WRITTEN] * written, rest]))
        around = Around(page.question, page.definition, shown.formula)

        def make() -> bytes:
            drawn = replace(around, picture=make_picture())
            with run_slots().turn():
                return compute(take_home, run, place, classes, drawn, asked.draws)

        st.download_button(
            *(DOWNLOAD, make),
            file_name=f"{page.address}-run.zip",
            mime="application/zip",
            help=HELP,
            icon=":material/download:",
            key=f"{key}-zip",
            on_click="ignore",
        )
        st.caption("A caption for this figure:")
        st.code(caption(asked), language=None, wrap_lines=True)
        for dialect in DIALECTS:
            st.caption(f"As {dialect.title}:")
            st.code(script(asked, dialect), language="python")


def _asked(asked: Asked, view: View, values: Values) -> Asked:
    """Return what the view's script draws; attention weights if the model guesses nothing that it could draw."""
    draws = view.export if isinstance(view.export, str) else view.export(values)
    nothing = (draws == GUESSES and not asked.guesses) or (draws == LENS and asked.guesses != "next piece")
    return asked if nothing else replace(asked, draws=draws)


def _with_target(page: Page, view: View, run: Run) -> tuple[Run, bool]:
    """Return the run, and whether its decoder reads what the model writes, because the view reads no other text."""
    if not run.config.has_two_stacks or page.view(view.name).reads_target is not False:
        return run, False
    ids = tuple(token.chosen for token in generation.written(run) if not token.ended)
    return replace(run, target=reader(run).target.decode(ids)), True
