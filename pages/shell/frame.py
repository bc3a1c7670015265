"""What stands round every page: the text, the model and its settings, and the run that they make."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from core.checkpoints.examples import Example, examples_of, first_example, targets_of, why_no_examples
from core.checkpoints.shipped import Shipped
from core.device import Placement, choose, is_given_up, why_given_up
from core.explorer.shared.requests import run_of
from core.limits import TEXT_CHARACTERS
from core.tracing.run import Run
from pages.canvas import drawer_button, explain_terms, keep_history, saved_facts
from pages.queries import generation, models
from pages.shell import address, own_text, settings
from pages.shell.cards import show_cards
from pages.shell.drawer import DEFAULTS, draw_drawer, telling_change
from pages.shell.elsewhere import follow_link
from pages.shell.models import examples_for, opening, put, random_like, random_note
from pages.shell.page import Page
from pages.shell.params import Params
from pages.shell.settings import CHOSEN, FREE, FRESH, OWN
from pages.shell.suited import other_model, settle
from pages.shell.switching import arrives, left_behind, put_back, until_written
from pages.shell.tools import tools
from pages.shell.view import View
from pages.widgets import Setting, ask, explained, notes, plain

STYLE = Path(__file__).with_name("style.css")
FRAMED = "framed-for"  # in the session: whether the view that the frame was drawn for reads the text, and uses a model
NO_TEXT = "Your own text has no part in this view. The other views of this page read it."
NO_MODEL = "No model has a part in what you see. What is set here changes other pages and views."


def frame(page: Page, known: Sequence[Setting]) -> Callable[[], AbstractContextManager[None]]:
    """Draw the frame and make the run that the page looks at.

    The page is drawn within what comes back, at whose end it is told what the last change of a setting did: that runs a
    second model, so the page itself is drawn first.
    """
    st.html(STYLE)
    put_back()
    follow_link(page)
    lost = address.read(known)
    explain_terms()
    settle(page)
    _settle_own()
    address.report()
    view = page.view(address.values_ahead([page.look_at])[page.look_at])
    st.session_state[FRAMED] = (view.reads_text, view.uses_model)
    with st.sidebar:
        if not view.uses_model:
            st.caption(NO_MODEL)
        (trained, refusal, note), chosen, change = draw_drawer(page)
    header = st.container(key="header")
    under = st.container(key="below-header", gap="xsmall")
    st.container(key="definition").markdown(explained(page.definition))
    refused = st.container() if refusal and view.uses_model else None
    both = page.reads_target and chosen["kind"] == "encoder-decoder"
    with header:
        text, target = _text_row(page, view, both, trained)
        helped = trained if view.reads_text and own_text.helps(page, trained) else None
        if helped:
            own_text.draw_training_texts(helped, text)
        _question_row(page, view, trained, known)
    with under:
        if view.uses_model and page.shows_model and trained is None:
            random_note(page)
        other = other_model(page, trained.name if trained else FRESH)
        notes([note or other, why_no_examples(), why_given_up()])
    lost = {**lost, **_left_behind(page, both, trained, chosen["mask"])}
    keep_history(page.address, until_written(page.address, lost, known))
    run = _usable(chosen, own_text.as_read(text) if helped else text, target, trained)
    if helped and run.checkpoint == helped.name:
        with under:
            own_text.draw_warnings(run, text, own=not target.strip())
    if refused:
        below = (
            " Below are random weights." if not run.checkpoint and run.config.architecture in page.architectures else ""
        )
        refused.error(f"{plain(str(refusal))}{below}", icon=":material/error:")
    st.session_state["run"] = run
    texts = (run.text, run.target) if page.reads_text else ()
    saved_facts(" / ".join(filter(None, texts)), models.title_of(run) if page.uses_model else "")
    rows = models.check(run)
    notes([row.note for row in rows.values()])
    return partial(telling_change, page, change, run, trained, make_run)


def current_run() -> Run:
    """The run that the frame made for this page."""
    return st.session_state["run"]


def warm_up() -> None:
    """Make and check the run of the defaults once."""
    models.check(make_run(DEFAULTS, settings.TEXT.default, settings.TARGET.default))


def _text_row(page: Page, view: View, both: bool, trained: Shipped | None) -> tuple[str, str]:
    """The text, and the decoder's where there is one. Beside a view that reads none they are kept out of sight, so that
    the session and the address still have them, and a sentence of the same height says so: nothing moves."""
    model = trained.name if trained else FRESH
    first = opening(page, model)
    text, target = first.text, first.target or ""
    if not page.reads_text:  # a run is made all the same, of a text that the model can read
        return text, target or settings.TARGET.default
    key = "header-text" if view.reads_text else "header-text-unread"
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=key):
        text = _ask_text(settings.TEXT, text)
        if both:
            target = _ask_text(settings.TARGET, target, "the model's own translation" if trained else "")
        where = st.popover("Examples", icon=":material/format_quote:") if page.settings else nullcontext()
        with where:
            _chips(examples_of(examples_for(model)), "examples")
            if both and (targets := targets_of(examples_for(model))):
                st.caption(f"{settings.TARGET.label}:")
                _chips(targets, "target-examples")
    if not view.reads_text and any(each.reads_text for each in page.views):
        st.container(key="unread").caption(NO_TEXT)
    return text, target


def _left_behind(page: Page, both: bool, trained: Shipped | None, mask: Sequence[str]) -> Params:
    """What of the frame's settings the address lacks on arriving at a page."""
    if not arrives(page.address):
        return {}
    sizes = [setting for kind, setting in settings.MASK_SIZES.items() if kind in mask]
    shown = [CHOSEN, *(() if trained else FREE), settings.MASK, settings.ROUTE, *sizes, *settings.DEVICE]
    if page.reads_text:
        shown += [settings.TEXT, *([settings.TARGET] if both else [])]
    first = opening(page, trained.name if trained else FRESH)
    opened = {settings.TEXT: first.text, settings.TARGET: first.target or ""}
    return left_behind([each for each in shown if each.key not in page.owns], opened)


def _question_row(page: Page, view: View, trained: Shipped | None, known: Sequence[Setting]) -> None:
    """The question, the model with its card, and the way to other models."""
    line: dict[str, Any] = {"horizontal": True, "gap": "small", "vertical_alignment": "center"}
    with st.container(key="header-question", **line):
        st.title(page.question, anchor=False, width="content")
        with st.container(key="header-model", width="content", **line):
            if view.uses_model:
                _model_buttons(trained)
            tools(page, known)


def _model_buttons(trained: Shipped | None) -> None:
    name, icon = (trained.card.title, "school") if trained else ("Random weights", "casino")
    if _card_button(plain(name), icon):
        show_cards(trained.name if trained else FRESH)
    if trained is None:
        drawer_button("Change the model", "open-drawer")
    else:
        drawer_button("Build your own", "open-drawer", lambda: random_like(trained))


def _card_button(name: str, icon: str) -> bool:
    about = "About this model"
    return st.button(name, key="model-card", help=about, icon=f":material/{icon}:", type="tertiary")


def _settle_own() -> None:
    """Give the settings of random weights the sizes that were asked for, in the session and in the address."""
    if sizes := st.session_state.pop(OWN, None):
        st.session_state.update(sizes)
        address.add([setting for setting in FREE if setting.key in sizes], sizes)


def _chips(examples: Mapping[str, Example], key: str) -> None:
    with st.container(horizontal=True, gap="small", key=key):
        for label, example in examples.items():
            st.button(label, key=f"example-{label}", type="tertiary", on_click=put, args=(example,))


def _ask_text(setting: Setting, default: str, empty: str = "") -> str:
    """A text box that takes any length, keeps what a link can carry, and says so."""
    text = (
        ask(
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


def _usable(chosen: dict[str, Any], text: str, target: str, trained: Shipped | None) -> Run:
    """The run that the settings describe; where they cannot be run, say why and keep the last one that could.

    Where nothing can be run, for want of a tokenizer or of memory, the page ends with that sentence.
    """
    try:
        run = with_own_target(make_run(chosen, text, target, trained))
        models.check(run)
    except ValueError as mistake:
        last, shown = _last_run(chosen["placement"]), "what was shown before"
        if last is None:
            last, shown = _first_run(trained)
        below = f" Below is {shown}." if last else ""
        st.error(f"{plain(str(mistake).rstrip('.'))}.{below}", icon=":material/error:")
        if last is None:
            st.stop()
        return last
    return run


def _last_run(placement: Placement) -> Run | None:
    """The run that was shown before; of a device that has failed, by this placement. None where it cannot be run."""
    last: Run | None = st.session_state.get("run")
    if last is None:
        return None
    if is_given_up(last.placement.device):
        last = replace(last, placement=placement)
    try:
        models.check(last)
    except ValueError:
        return None
    return last


def _first_run(trained: Shipped | None) -> tuple[Run | None, str]:
    """The first example with every default, and its name; where the default tokenizer is missing, in another's pieces.

    None where no tokenizer can be read.
    """
    first = first_example(examples_for(trained.name) if trained else FRESH)
    default = DEFAULTS | {"placement": choose()}
    for name in sorted(settings.TOKENIZER.options, key=lambda name: name != settings.TOKENIZER.default):
        with suppress(ValueError):
            run = with_own_target(
                make_run(default | {settings.TOKENIZER.key: name}, first.text, first.target or "", trained)
            )
            models.check(run)
            usual = name == settings.TOKENIZER.default
            return run, "the first example" if usual else f"the first example, in the pieces of {name}"
    return None, ""


def with_own_target(run: Run) -> Run:
    """Where the visitor writes nothing for it, a trained decoder reads what its model writes; the text where that is no
    word."""
    if not run.checkpoint or run.target.strip() or run.config.architecture != "encoder-decoder":
        return run
    said = generation.own_translation(run)
    return replace(run, target=said if said.strip() else run.text)


def make_run(chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None = None) -> Run:
    """A run from the values of the widgets; ValueError where they do not go together."""
    return run_of(chosen, text, target, 0 if trained else models.tokenizer(chosen["tok"]).vocab_size, trained)
