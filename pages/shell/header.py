"""What stands round every page: the text, the model and its settings, and the run that they make."""

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
from pages.shell.model_choice import apply_example, default_example, examples_for, random_like, random_note
from pages.shell.model_links import follow_link
from pages.shell.page import Page
from pages.shell.settings import PENDING_SIZES, RANDOM_WEIGHTS, SIZE_SETTINGS
from pages.shell.sidebar import DEFAULTS, draw_sidebar, telling_change
from pages.shell.suited import other_model, settle
from pages.shell.url_on_page_change import begin_noting, restore_query
from pages.shell.view import Reads, View
from pages.widgets import Setting, draw_widget, explained, notes, plain
from pages.widgets.session import visit_state

CHANGE_IT = "Until then nothing is drawn here: change the text or the settings of the model."
STYLE = Path(__file__).with_name("style.css")
NO_TEXT = "Your own text has no part in this view. The other views of this page read it."
NO_MODEL = "No model has a part in what you see. What is set here changes other pages and views."


def draw_header(page: Page, known: Sequence[Setting]) -> Callable[[], AbstractContextManager[None]]:
    """Draw the frame and make the run that the page looks at.

    The page is drawn within what comes back, at whose end it is told what the last change of a setting did: that runs a
    second model, so the page itself is drawn first. Where the settings cannot be run, `current_run` is None.
    """
    st.html(STYLE)
    restore_query()
    follow_link(page)
    url.read(known)
    begin_noting(known)
    keep_history(page.address)
    explain_terms()
    settle(page)
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
    """The run that the frame made for this page; None where the settings cannot be run."""
    return visit_state().run


def warm_up() -> None:
    """Make and check the run of the defaults once."""
    cache.check(make_run(DEFAULTS, settings.TEXT.default, settings.TARGET.default))


def _text_row(page: Page, view: View, both: bool, trained: Shipped | None) -> tuple[str, str]:
    """The text, and the decoder's where there is one. What a view does not read is kept out of sight, so that the
    session and the address still have it; where it is the text, a sentence of the same height says so: nothing moves.
    """
    model = trained.name if trained else RANDOM_WEIGHTS
    first = default_example(page, model)
    text, target = first.text, first.target or ""
    if not page.reads_text:  # a run is made all the same, of a text that the model can read
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
    """The question, the model with its card, and the way to other models."""
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
    """Give the settings of random weights the sizes that were asked for, in the session and in the address."""
    if sizes := st.session_state.pop(PENDING_SIZES, None):
        st.session_state.update(sizes)
        url.add([setting for setting in SIZE_SETTINGS if setting.key in sizes], sizes)


def _chips(examples: Mapping[str, Example], key: str) -> None:
    with st.container(horizontal=True, gap="small", key=key):
        for label, example in examples.items():
            st.button(label, key=f"example-{label}", type="tertiary", on_click=apply_example, args=(example,))


def _ask_text(setting: Setting, default: str, empty: str = "") -> str:
    """A text box that takes any length, keeps what a link can carry, and says so."""
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
    """Whether the text, the model, the decoder's text and the mask have any part in the view, with the settings as they
    are."""
    return _is_read(view.reads_text), view.uses_model, _is_read(view.reads_target), view.reads_mask


def _is_read(reads: Reads | None) -> bool:
    if not isinstance(reads, Setting | tuple):
        return reads is not False
    setting, *wanted = reads if isinstance(reads, tuple) else (reads,)
    value = url.current_values([setting])[setting]
    return value in wanted if wanted else value != setting.default


def _usable(page: Page, chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None) -> Run | None:
    """The run that the settings describe; None where they cannot be run, and the page says why instead of a picture.

    A page that uses no model is shown whatever the sizes are, and with any tokenizer that there is.
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
    """Where the visitor writes nothing for it, a trained decoder reads what its model writes; the text where that is no
    word."""
    if not run.checkpoint or run.target.strip() or run.config.architecture != "encoder-decoder":
        return run
    said = generation.own_translation(run)
    return replace(run, target=said if said.strip() else run.text)


def make_run(chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None = None) -> Run:
    """A run from the values of the widgets; ValueError where they do not go together."""
    return run_of(chosen, text, target, 0 if trained else cache.tokenizer(chosen["tok"]).vocab_size, trained)
