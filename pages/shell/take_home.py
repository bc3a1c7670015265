"""The folded panel with this run as a script in PyTorch and in NumPy, and as a zip with its weights."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from core.export.asked import GUESSES, HEAD_SCORES, HEAD_VECTORS, LENS, PATTERN, Asked
from core.export.bundle import take_home, take_parts_home
from core.export.caption import caption
from core.export.dialect import DIALECTS, Dialect
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
    "A script that needs nothing of this app: {}, and draws a figure with matplotlib: as PDF and as PNG, for one "
    "column of a page (85 mm wide), for two (174 mm), and for a slide (1280 × 720 pixels)."
)
RUN_OF = "it computes this run from the weights beside it"
FORMULA_OF = "it computes the numbers of this picture"
FILES_OF = f"{FORMULA_OF} from the weights beside it"
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
NOTHING = "There is no script of this view to take home."
DOWNLOAD = "Download as a zip"
HELP = (
    "Scripts, a notebook with this view's picture, the weights and the tokenizer; of a trained model also its card "
    "and its texts' licences."
)
HELP_READS = "Scripts, a notebook with this view's picture, and the weights that they read."
HELP_ALONE = "Scripts and a notebook with this view's picture."


def shows_run(page: Page, view: View) -> bool:
    """Return whether a view shows a run of a transformer on the visitor's text."""
    if page.reference or not (page.shows_model and page.runs_model and page.reads_text):
        return False
    return view.uses_model


def draw_take_home(page: Page, view: View, run: Run, shown: Shown, values: Values, key: str) -> None:
    """Draw the folded panel; the scripts are written when it is open, and the zip when its button is clicked."""
    if view.script is None and not shows_run(page, view):
        if any(other.script or shows_run(page, page.view(other.name)) for other in page.views):
            st.caption(NOTHING)
        return
    panel = st.expander(LABEL, icon=":material/home:", key=f"{key}-take-home", on_change="rerun")
    if not panel.open:
        return
    with panel, error_boundary():
        around = Around(page.question, page.definition, shown.formula)
        picture = view_maker(page, view, run, values) if can_save(shown) else str
        offer = (_of_run if view.script is None else _of_parts)(page, view, run, values)
        st.caption(offer.said)

        def make() -> bytes:
            drawn = replace(around, picture=picture())
            with run_slots().turn():
                return offer.zip(drawn)

        st.download_button(
            *(DOWNLOAD, make),
            file_name=f"{page.address}-{offer.file}.zip",
            mime="application/zip",
            help=offer.holds,
            icon=":material/download:",
            key=f"{key}-zip",
            on_click="ignore",
        )
        st.caption("A caption for this figure:")
        st.code(offer.caption, language=None, wrap_lines=True)
        for dialect in DIALECTS:
            st.caption(f"As {dialect.title}:")
            st.code(offer.script(dialect), language="python")


@dataclass(frozen=True)
class _Offer:
    """What the open panel offers.

    said: what the script computes, markdown.
    caption: of its figure.
    script: makes the script in one library.
    zip: makes the zip.
    holds: what the zip holds.
    file: the last word of its name.
    """

    said: str
    caption: str
    script: Callable[[Dialect], str]
    zip: Callable[[Around], bytes]
    holds: str
    file: str


def _of_run(page: Page, view: View, run: Run, values: Values) -> _Offer:
    """Return the script of a run of a transformer."""
    run, written = _with_target(page, view, run)
    place, classes = place_of(run, values), class_layer(run)
    if written:  # such views show where the decoder looked, and have no choice of the attention
        place = HeadAddress("decoder", layer_of(run, values, "decoder"), head_of(run, values), cross=True)
    asked = _asked(Asked(run, place, reader(run), classes), view, values)
    chosen = f"Now: {title(asked)[0].lower()}{title(asked)[1:]}."
    rest = REST.format(ALSO.get(asked.draws, ""))
    computes = f"{RUN_OF}, prints {PRINTS[asked.draws]}"
    said = " ".join([EXPLANATION.format(computes), plain(chosen), *[WRITTEN] * written, rest])

    def make_zip(around: Around) -> bytes:
        return compute(take_home, run, place, classes, around, asked.draws)

    return _Offer(said, caption(asked), partial(script, asked), make_zip, HELP, "run")


def _of_parts(page: Page, view: View, run: Run, values: Values) -> _Offer:
    """Return the script of a view that shows no run of a transformer."""
    assert view.script is not None
    parts = view.script(run, values)
    computes = FILES_OF if parts.reads_weights else FORMULA_OF
    said = f"{EXPLANATION.format(f'{computes}, prints {parts.prints}')} {plain(f'Now: {parts.title}.')}"
    holds = HELP_READS if parts.reads_weights else HELP_ALONE
    return _Offer(said, parts.caption, parts.script, partial(take_parts_home, parts), holds, "script")


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
