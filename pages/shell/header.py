"""The header of every page: the text, the question, the model, and notes on them."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import streamlit as st

from core.checkpoints.examples import Example, why_no_examples
from core.checkpoints.source import Shipped
from core.device import why_given_up
from core.lab.step_source import StepSource
from core.limits import TEXT_CHARACTERS
from core.tracing.run import Run
from pages.canvas import drawer_button, explain_terms, saved_facts
from pages.compute import cache
from pages.session.visit import visit_state
from pages.shell import own_text, settings, url
from pages.shell.cards import show_cards
from pages.shell.header_tools import draw_header_tools
from pages.shell.lab_step import draw_steps
from pages.shell.last_change import LastChange
from pages.shell.lesson.going import is_asked_on, is_locked
from pages.shell.model_choice import apply_example, other_model, random_like, random_note
from pages.shell.model_examples import examples_for, targets_for
from pages.shell.page import Page
from pages.shell.prepare import Prepared, header_of
from pages.shell.run_plan import with_own_target
from pages.shell.settings import RANDOM_WEIGHTS
from pages.shell.sidebar import draw_sidebar
from pages.shell.undo import last_changes
from pages.shell.view import View
from pages.widgets import Setting, draw_widget, explained, notes, plain

CHANGE_IT = "Until then nothing is drawn here: change the text or the settings of the model."
NO_TEXT = "Your own text has no part in this view. The other views of this page read it."
NO_MODEL = "No model has a part in what you see. What is set here changes other pages and views."


def draw_header(prepared: Prepared, known: Sequence[Setting]) -> tuple[Run | None, LastChange | None]:
    """Draw the header and the sidebar; return the run that the page looks at, and the last change of a setting.

    The run is None if the settings cannot be run; the header says why.

    known: every setting that a visitor can have.
    """
    page, view, trained = prepared.page, prepared.view, prepared.trained
    _explain_terms(prepared)
    url.report()
    visit = visit_state()
    visit.header_for = header_of(view)
    change = None
    if not is_locked():
        with st.sidebar:
            if not view.uses_model:
                st.caption(NO_MODEL)
            change = draw_sidebar(prepared)
    header = st.container(key="header")
    under = st.container(key="below-header", gap="xsmall")
    if not is_asked_on(page):  # it would give answers away
        st.container(key="definition").markdown(explained(page.definition))
    if prepared.model.refusal and view.uses_model:
        _draw_refusal(prepared)
    with header:
        _text_row(prepared)
        if prepared.helped:
            own_text.draw_training_texts(prepared.helped, prepared.text)
        _question_row(page, view, trained, known)
    with under:
        if view.uses_model and page.shows_model and trained is None:
            random_note(page)
        if view.uses_model and trained and isinstance(trained.source, StepSource):
            draw_steps(trained.source)
        acted = bool(next(last_changes()))
        changed_model = other_model(page, trained.name if trained else RANDOM_WEIGHTS, acted)
        notes([prepared.model.note or changed_model, why_no_examples(), why_given_up()])
    visit.run = run = _completed(prepared)
    if run is None:
        return None, None
    if prepared.helped and own_text.translates(prepared.helped) and run.source == prepared.helped.source:
        with under:
            own_text.draw_warnings(run, prepared.text, writes_answer=not prepared.target.strip())
    texts = (run.text, run.target) if page.reads_text else ()
    saved_facts(" / ".join(filter(None, texts)), cache.title_of(run) if page.uses_model else "")
    rows = cache.check(run)
    notes([row.note for row in rows.values()])
    return run, change


def _explain_terms(prepared: Prepared) -> None:
    entries, pages = visit_state().entries, () if is_locked() else visit_state().all_pages
    named = {page.address: (entries[page.address].url_path, page.title) for page in pages}
    model = prepared.trained.name if prepared.trained else RANDOM_WEIGHTS
    explain_terms(named, {settings.MODEL.key: model, settings.TEXT.key: prepared.text})


def _draw_refusal(prepared: Prepared) -> None:
    """Say why the page's model cannot be used, and whether random weights are shown instead."""
    run = prepared.run
    shown = run is not None and not run.is_trained and run.config.architecture in prepared.page.architectures
    below = " Below are random weights." if shown else ""
    st.error(f"{plain(prepared.model.refusal)}{below}", icon=":material/error:")


def _completed(prepared: Prepared) -> Run | None:
    """Return the run with the model's own translation; if it cannot be run, say why and return None."""
    mistake = prepared.mistake
    if prepared.run is not None:
        try:
            return with_own_target(prepared.run)
        except ValueError as refused:
            mistake = str(refused).rstrip(".")
    st.error(f"{plain(mistake)}. {CHANGE_IT}", icon=":material/error:")
    return None


def _text_row(prepared: Prepared) -> None:
    """Draw the text box and, if there is one, that of the decoder.

    A text that the view does not read is hidden, not left out, so that nothing moves. If another view of the page reads
    it, a sentence of the same height says so.
    """
    page, view = prepared.page, prepared.view
    if not page.reads_text:
        return
    model = prepared.trained.name if prepared.trained else RANDOM_WEIGHTS
    key = "header-text" if view.reads_text else "header-text-unread"
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=key):
        _draw_text_box(settings.TEXT, prepared.first.text)
        if page.asks_target and prepared.values["kind"] == "encoder-decoder":
            key = "target" if view.reads_target else "target-unread"
            with st.popover(settings.TARGET.label, icon=":material/edit_note:", key=key):
                empty = "the model's own translation" if prepared.trained else ""
                _draw_text_box(settings.TARGET, prepared.first.target or "", empty)
                _chips(targets_for(model), "target-examples")
        where = st.popover("Examples", icon=":material/format_quote:") if page.settings else nullcontext()
        with where:
            _chips(examples_for(model), "examples", "" if page.settings else "Try:")
    if not view.reads_text and any(page_view.reads_text for page_view in page.views):
        st.container(key="unread").caption(NO_TEXT)


def _question_row(page: Page, view: View, trained: Shipped | None, known: Sequence[Setting]) -> None:
    """Draw the question, the model with its card, the way to other models, and the end of the header."""
    line: dict[str, Any] = {"horizontal": True, "gap": "small", "vertical_alignment": "center"}
    with st.container(key="header-question", **line):
        st.title(page.question, anchor=False, width="content")
        if is_locked():
            return
        with st.container(key="header-model", width="content", **line):
            if view.uses_model:
                _model_buttons(trained)
            draw_header_tools(page, known)


def _model_buttons(trained: Shipped | None) -> None:
    name, icon = (trained.card.title, "school") if trained else ("Random weights", "casino")
    if _card_button(plain(name), icon):
        show_cards(trained.name if trained else RANDOM_WEIGHTS)
    if trained is None:
        drawer_button("Change the model", "open-drawer")
    else:
        drawer_button("Build an untrained model", "open-drawer", lambda: random_like(trained))


def _card_button(name: str, icon: str) -> bool:
    about = "About this model"
    return st.button(name, key="model-card", help=about, icon=f":material/{icon}:", type="tertiary")


def _chips(examples: Mapping[str, Example], key: str, before: str = "") -> None:
    """Draw a button for each example, after a word that names their purpose."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=key):
        if before:
            st.caption(before, width="content")
        for label, example in examples.items():
            st.button(label, key=f"example-{label}", type="tertiary", on_click=apply_example, args=(example,))


def _draw_text_box(setting: Setting, default: str, empty: str = "") -> None:
    """Draw a text box, which takes any length; a note says if the text was cut.

    empty: the placeholder; "" for the setting's label.
    """
    text = draw_widget(
        setting,
        default=default,
        on_change=_trim,
        args=(setting.key,),
        label_visibility="collapsed",
        placeholder=empty or setting.label,
    )
    typed = max(len(text or ""), visit_state().typed_lengths.get(setting.key, 0))
    if typed > TEXT_CHARACTERS:
        notes([f"Only the first {TEXT_CHARACTERS:,} of {typed:,} characters are kept."])


def _trim(key: str) -> None:
    text = st.session_state[key] or ""
    visit_state().typed_lengths[key] = len(text)
    if len(text) > TEXT_CHARACTERS:
        st.session_state[key] = text[:TEXT_CHARACTERS]
