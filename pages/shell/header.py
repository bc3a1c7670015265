"""The header of every page: the text, the model and its settings, and the run made from them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.checkpoints.examples import Example, examples_of, targets_of, why_no_examples
from core.checkpoints.shipped import Shipped
from core.device import why_given_up
from core.explorer.shared.run_from_choices import run_of
from core.limits import TEXT_CHARACTERS
from core.tracing.run import Run
from pages.canvas import drawer_button, explain_terms, keep_history, saved_facts
from pages.compute import cache, generation
from pages.shell import own_text, settings, url
from pages.shell.cards import show_cards
from pages.shell.header_tools import draw_header_tools
from pages.shell.model_choice import (
    apply_example,
    check_text_on_arrival,
    default_example,
    examples_for,
    other_model,
    random_like,
    random_note,
)
from pages.shell.model_links import follow_link
from pages.shell.page import Page
from pages.shell.settings import PENDING_SIZES, RANDOM_WEIGHTS, SIZE_SETTINGS
from pages.shell.sidebar import DEFAULTS, draw_sidebar, telling_change
from pages.shell.url_on_page_change import begin_noting, restore_query
from pages.shell.view import Reads, View
from pages.widgets import Setting, draw_widget, explained, notes, plain
from pages.widgets.session import visit_state

CHANGE_IT = "Until then nothing is drawn here: change the text or the settings of the model."
STYLE = Path(__file__).with_name("style.css")
NO_TEXT = "Your own text has no part in this view. The other views of this page read it."
NO_MODEL = "No model has a part in what you see. What is set here changes other pages and views."


def draw_header(page: Page, known: Sequence[Setting]) -> Callable[[], AbstractContextManager[None]]:
    """Draw the header and the sidebar, and make the run that the page looks at.

    Draw the page within the context manager that the returned function makes. When it ends, the sidebar says what the
    last change of a setting did: that runs a second model, so the page comes first. If the settings cannot be run,
    `current_run` returns None and the context does nothing.

    known: every setting that a visitor can have.
    """
    st.html(STYLE)
    restore_query()
    follow_link(page)
    url.read(known)
    begin_noting(known)
    keep_history(page.address)
    explain_terms()
    check_text_on_arrival(page)
    _settle_own()
    url.report()
    view = page.view(url.current_values([page.look_at])[page.look_at])
    visit_state().header_for = reads_text, _, reads_target, _ = used_by(view)
    view = replace(view, reads_text=reads_text, reads_target=reads_target)
    with st.sidebar:
        if not view.uses_model:
            st.caption(NO_MODEL)
        (trained, refusal, note), chosen, change = draw_sidebar(page, view)
    header = st.container(key="header")
    under = st.container(key="below-header", gap="xsmall")
    st.container(key="definition").markdown(explained(page.definition))
    refused = st.container() if refusal and view.uses_model else None
    both = page.asks_target and chosen["kind"] == "encoder-decoder"
    with header:
        text, target = _text_row(page, view, both, trained)
        helped = trained if view.reads_text and own_text.helps(page, trained) else None
        if helped:
            own_text.draw_training_texts(helped, text)
        _question_row(page, view, trained, known)
    with under:
        if view.uses_model and page.shows_model and trained is None:
            random_note(page)
        other = other_model(page, trained.name if trained else RANDOM_WEIGHTS)
        notes([note or other, why_no_examples(), why_given_up()])
    run = _usable(page, chosen, own_text.as_read(text) if helped else text, target, trained)
    if run and helped and run.checkpoint == helped.name:
        with under:
            own_text.draw_warnings(run, text, own=not target.strip())
    if refused:
        shown = run is not None and not run.checkpoint and run.config.architecture in page.architectures
        below = " Below are random weights." if shown else ""
        refused.error(f"{plain(str(refusal))}{below}", icon=":material/error:")
    visit_state().run = run
    if run is None:
        return nullcontext
    texts = (run.text, run.target) if page.reads_text else ()
    saved_facts(" / ".join(filter(None, texts)), cache.title_of(run) if page.uses_model else "")
    rows = cache.check(run)
    notes([row.note for row in rows.values()])
    return partial(telling_change, page, change, run, trained, make_run)


def current_run() -> Run | None:
    """Return the run that the header made for this page; None if the settings cannot be run."""
    return visit_state().run


def warm_up() -> None:
    """Make and check a run with the default settings."""
    cache.check(make_run(DEFAULTS, settings.TEXT.default, settings.TARGET.default))


def _text_row(page: Page, view: View, both: bool, trained: Shipped | None) -> tuple[str, str]:
    """Draw the text box and, if there is one, that of the decoder; return both texts.

    A text that the view does not read is hidden, not left out, so that the session and the URL keep it. If it is the
    visitor's text and another view of the page reads it, a sentence of the same height says so, so that nothing moves.

    both: whether the decoder has a text of its own.
    """
    model = trained.name if trained else RANDOM_WEIGHTS
    first = default_example(page, model)
    text, target = first.text, first.target or ""
    if not page.reads_text:  # a run needs a text all the same: one that the model can read
        return text, target or settings.TARGET.default
    key = "header-text" if view.reads_text else "header-text-unread"
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=key):
        text = _ask_text(settings.TEXT, text)
        if both:
            key = "target" if view.reads_target else "target-unread"
            with st.popover(settings.TARGET.label, icon=":material/edit_note:", key=key):
                empty = "the model's own translation" if trained else ""
                target = _ask_text(settings.TARGET, target, empty)
                _chips(targets_of(examples_for(model)), "target-examples")
        where = st.popover("Examples", icon=":material/format_quote:") if page.settings else nullcontext()
        with where:
            _chips(examples_of(examples_for(model)), "examples")
    if not view.reads_text and any(each.reads_text for each in page.views):
        st.container(key="unread").caption(NO_TEXT)
    return text, target


def _question_row(page: Page, view: View, trained: Shipped | None, known: Sequence[Setting]) -> None:
    """Draw the question, the model with its card, the way to other models, and the end of the header."""
    line: dict[str, Any] = {"horizontal": True, "gap": "small", "vertical_alignment": "center"}
    with st.container(key="header-question", **line):
        st.title(page.question, anchor=False, width="content")
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
        drawer_button("Build your own", "open-drawer", lambda: random_like(trained))


def _card_button(name: str, icon: str) -> bool:
    about = "About this model"
    return st.button(name, key="model-card", help=about, icon=f":material/{icon}:", type="tertiary")


def _settle_own() -> None:
    """Set the sizes of random weights to those asked for, in the session and in the URL."""
    if sizes := st.session_state.pop(PENDING_SIZES, None):
        st.session_state.update(sizes)
        url.add([setting for setting in SIZE_SETTINGS if setting.key in sizes], sizes)


def _chips(examples: Mapping[str, Example], key: str) -> None:
    with st.container(horizontal=True, gap="small", key=key):
        for label, example in examples.items():
            st.button(label, key=f"example-{label}", type="tertiary", on_click=apply_example, args=(example,))


def _ask_text(setting: Setting, default: str, empty: str = "") -> str:
    """Draw a text box and return its text, cut to TEXT_CHARACTERS, the most that a link can carry.

    The box takes any length; a note says if the text was cut.

    empty: the placeholder; "" for the setting's label.
    """
    text = (
        draw_widget(
            setting,
            default=default,
            on_change=_trim,
            args=(setting.key,),
            label_visibility="collapsed",
            placeholder=empty or setting.label,
        )
        or ""
    )
    typed = max(len(text), st.session_state.get(f"{setting.key}-typed", 0))
    if typed > TEXT_CHARACTERS:
        notes([f"Only the first {TEXT_CHARACTERS:,} of {typed:,} characters are kept."])
    return text[:TEXT_CHARACTERS]


def _trim(key: str) -> None:
    typed = len(st.session_state[key] or "")
    st.session_state[f"{key}-typed"] = typed
    if typed > TEXT_CHARACTERS:
        st.session_state[key] = st.session_state[key][:TEXT_CHARACTERS]


def used_by(view: View) -> tuple[bool, bool, bool, bool]:
    """Return whether the view uses the text, the model, the decoder's text and the mask, at the current settings."""
    return _is_read(view.reads_text), view.uses_model, _is_read(view.reads_target), view.reads_mask


def _is_read(reads: Reads | None) -> bool:
    if not isinstance(reads, Setting | tuple):
        return reads is not False
    setting, *wanted = reads if isinstance(reads, tuple) else (reads,)
    value = url.current_values([setting])[setting]
    return value in wanted if wanted else value != setting.default


def _usable(page: Page, chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None) -> Run | None:
    """Return the run that the settings describe; None if it cannot be run, which the page says instead of a picture.

    A page that uses no model gets a run of the default sizes, with the first tokenizer that can be used.
    """
    mistakes = []
    any_model = [DEFAULTS | {settings.TOKENIZER.key: name} for name in settings.TOKENIZER.options]
    for values in [chosen] if page.uses_model else any_model:
        try:
            run = with_own_target(make_run(values, text, target, trained))
            cache.check(run)
        except ValueError as mistake:
            mistakes.append(str(mistake).rstrip("."))
        else:
            return run
    st.error(f"{plain(mistakes[0])}. {CHANGE_IT}", icon=":material/error:")
    return None


def with_own_target(run: Run) -> Run:
    """Fill an empty decoder text with the translation that a trained encoder-decoder writes itself.

    If that translation is blank, the decoder reads the source text. Any other run is returned unchanged.
    """
    if not run.checkpoint or run.target.strip() or run.config.architecture != "encoder-decoder":
        return run
    said = generation.own_translation(run)
    return replace(run, target=said if said.strip() else run.text)


def make_run(chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None = None) -> Run:
    """Return the run that the values of the widgets describe.

    Raises ValueError if the values do not go together.

    chosen: the values by the settings' keys.
    trained: None for random weights.
    """
    return run_of(chosen, text, target, 0 if trained else cache.tokenizer(chosen["tok"]).vocab_size, trained)
