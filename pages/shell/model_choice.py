"""Choosing a model: random weights, or a trained model."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from core.checkpoints.examples import Example, first_example, known_texts, texts_of
from core.checkpoints.shelf import is_real
from core.checkpoints.shipped import Shipped
from core.explorer.shared.run_from_choices import chosen_of, text_run
from core.readings.models import read_sizes
from core.tracing.run import Run
from pages.compute import cache
from pages.shell.page import Page
from pages.shell.settings import (
    ARCHITECTURE_SETTINGS,
    HEADER_SETTINGS,
    MODEL,
    PAGE_MODEL,
    PENDING_SIZES,
    RANDOM_WEIGHTS,
    ROUTE,
    RUN_ANYWAY,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
    pin_settings,
)
from pages.widgets import PLACE, Setting, draw_widget, explained, plain
from pages.widgets.session import visit_state

RANDOM = (
    ":material/casino: These are **random weights**: every number is computed from your text, but the pattern means "
    "nothing yet."
)
MIXING = "Attention shows which words were mixed in, not why the model decided."
TITLED = "model-titled"  # in the session: what the chooser shows


def known(own: Iterable[Setting]) -> list[Setting]:
    """Everything that a visitor can set, with the models that there are. own: the settings of all pages."""
    found = [
        _chooser() if setting is MODEL else setting for setting in (*HEADER_SETTINGS, ROUTE, RUN_ANYWAY, *PLACE, *own)
    ]
    return [*found, *pin_settings(found)]


def _chooser() -> Setting:
    return replace(MODEL, options=(*MODEL.options, *cache.model_names()))


def settings_fixed_by(model: str) -> tuple[Setting, ...]:
    """The settings that this model's weights fix; none for random weights and for what is no model that can be used."""
    try:
        return SIZE_SETTINGS if model in cache.model_names() and cache.trained(model) else ()
    except ValueError:
        return ()


def effective_model(page: Page, asked: str, kind: str) -> str:
    """Return the name of the model that a page shows: the one asked for if the page can show it, else its own.

    RANDOM_WEIGHTS if it has none. kind: the architecture of random weights. A model that is missing or cannot be read
    is returned too; it says so itself.
    """
    own = page.model or RANDOM_WEIGHTS
    if asked == PAGE_MODEL:
        return own
    try:
        shows = kind if asked == RANDOM_WEIGHTS else cache.trained(asked).config.architecture
    except ValueError:
        return asked
    return asked if shows in page.architectures else own


class ChosenModel(NamedTuple):
    """trained: None for random weights. refusal: why the model asked for cannot be used. note: why it is not shown."""

    trained: Shipped | None = None
    refusal: str = ""
    note: str = ""


def choose_model(page: Page) -> ChosenModel:
    """Ask for the model."""
    asked = _ask_title(page)
    name, note = effective_model(page, asked, requested_kind()), ""
    if asked not in (PAGE_MODEL, name):
        here, there = (option_label(page, each) for each in (name, asked))
        note = f"This page is about {page.kinds}, so it shows “{here}”. Other pages show what you chose: “{there}”."
    if name == RANDOM_WEIGHTS:
        return ChosenModel(note=note)
    try:
        found = cache.trained(name)
    except ValueError as mistake:
        return ChosenModel(None, str(mistake), note)
    st.caption(f"Its weights fix: {plain(read_sizes(found.config))}.")
    return ChosenModel(found, "", note)


def option_label(page: Page, option: str) -> str:
    """What the chooser of a page calls one of its options."""
    if option == PAGE_MODEL:
        return f"{option_label(page, effective_model(page, PAGE_MODEL, ''))} (this page's own)"
    title = "Random weights" if option == RANDOM_WEIGHTS else cache.model_title(option)
    return f"{title} (made elsewhere)" if is_real(option) else title


def _ask_title(page: Page) -> str:
    """Draw the chooser, by titles, and give the name that was chosen.

    Streamlit 1.67 writes into the address what a widget shows. So the names, which the address keeps, have a widget of
    their own, that the style sheet hides.
    """
    state = st.session_state
    with st.container(key="model-name"):
        asked: str = draw_widget(_chooser(), on_change=replace_unreadable_texts, args=(page,))
    shown = (name for name in cache.model_names() if kind_of(name) in ("", *page.architectures))
    names = (*MODEL.options, *shown)
    state[TITLED] = asked if effective_model(page, asked, requested_kind()) == asked else PAGE_MODEL
    st.selectbox(
        MODEL.label,
        names,
        key=TITLED,
        help=MODEL.help,
        format_func=partial(option_label, page),
        on_change=_choose_title,
        args=(page,),
    )
    return asked


def _choose_title(page: Page) -> None:
    """Ask for the model that was chosen; random weights of a kind that the page cannot show take the sizes of its own
    model."""
    state, own = st.session_state, effective_model(page, PAGE_MODEL, "")
    if state[TITLED] == RANDOM_WEIGHTS and requested_kind() not in page.architectures and settings_fixed_by(own):
        state.update(random_like(cache.trained(own)))
    state[MODEL.key] = state[TITLED]
    replace_unreadable_texts(page)


def random_like(trained: Shipped) -> dict[str, Any]:
    """What asks for random weights of a trained model's sizes, with the texts of now; for callbacks."""
    state = st.session_state
    run = visit_state().run
    texts = {each.key: state[each.key] for each in (TEXT, TARGET) if state.get(each.key)}
    if run and run.target:
        texts.setdefault(TARGET.key, run.target)
    return {MODEL.key: RANDOM_WEIGHTS, PENDING_SIZES: chosen_of(trained.config), **texts}


def random_note(page: Page) -> None:
    """Say that the weights are random, with the way back to the page's own trained model, where it has one."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="random-note"):
        st.caption(explained(RANDOM), width="content")
        if kind_of(page.model):
            back = f"Back to “{plain(cache.model_title(page.model))}”"
            st.button(back, key="back-to-trained", icon=":material/school:", on_click=_back, args=(page,))


def _back(page: Page) -> None:
    st.session_state[MODEL.key] = PAGE_MODEL
    replace_unreadable_texts(page)


def kind_of(name: str) -> str:
    """The architecture of a trained model; "" where its card cannot be read."""
    found = cache.listed().get(name)
    return found.architecture if found else ""


def requested_kind() -> str:
    """The architecture that random weights would have, from the session or the address."""
    kind = ARCHITECTURE_SETTINGS[0]
    return str(st.session_state.get(kind.key) or st.query_params.get(kind.key, kind.default))


def requested_model() -> str:
    """The model that the session or the address asks for."""
    return str(st.session_state.get(MODEL.key) or st.query_params.get(MODEL.key, MODEL.default))


def model_words(run: Run) -> str:
    """What is true of the weights that a run uses, as markdown."""
    if not run.checkpoint:
        return RANDOM
    found = cache.trained(run.model_name)
    data = "; ".join(source["text"] for source in found.card.data)
    if is_real(found.name):
        return f":material/public: **{plain(found.card.title)}**: {plain(found.card.what)}, {plain(data)}. {MIXING}"
    said = [
        f":material/school: **{plain(found.card.title)}**, trained here: {plain(found.card.what)}. Data: {plain(data)}."
    ]
    if found.lower:
        said.append("It reads your text in lower case.")
    if found.card.family == "classifier":
        said.append(
            "These pages show its encoder; its verdict, at the end of the journey, is one more layer on the mean of "
            "what comes out."
        )
    return " ".join([*said, MIXING])


def apply_example(example: Example) -> None:
    """Make an example the text of the frame, and the decoder's where it has one; for callbacks."""
    for setting, text in ((TEXT, example.text or None), (TARGET, example.target)):
        if text is not None:
            st.session_state[setting.key] = text
            st.session_state[f"{setting.key}-typed"] = len(text)


def examples_for(name: str) -> str:
    """The model whose examples fit this one: its own name, or of a model made elsewhere that of ours that does the
    same."""
    card = cache.cards().get(name) if is_real(name) else None
    if card is None:
        return name
    if card.config["masked_head"]:
        return "reader"
    return "translator" if card.config["architecture"] == "encoder-decoder" else name


def default_example(page: Page, model: str) -> Example:
    """The texts that a page opens with: its own, where the model can read it and is of the kind that the page brings,
    or the model's first example."""
    first = first_example(examples_for(model))
    alike = not page.model or kind_of(model) in ("", kind_of(page.model))
    return replace(first, text=page.text) if page.text and alike and _reads(model, page.text) else first


def replace_unreadable_texts(page: Page) -> None:
    """Another page or trained model is shown: texts that are examples, with which another page opens, or that it
    cannot read, make place for those with which it opens itself.

    Random weights keep the texts, to be compared with what was trained, except those with which a page opens.
    """
    state = st.session_state
    name = effective_model(page, requested_model(), requested_kind())
    first = default_example(page, name)
    text, target = (state.get(setting.key) or "" for setting in (TEXT, TARGET))
    if text in _openings(name) - {first.text}:
        apply_example(first)
    if name == RANDOM_WEIGHTS or not settings_fixed_by(name):
        return
    if text in known_texts() - texts_of(examples_for(name)) or not _reads(name, text):
        apply_example(first)
    elif not _reads(name, target):
        apply_example(replace(first, text=""))


def _openings(model: str) -> set[str]:
    """The texts with which pages open: their own, the first examples of their models, and of this one."""
    pages: Sequence[Page] = visit_state().all_pages
    models = {page.model or RANDOM_WEIGHTS for page in pages} | {model}
    return {page.text for page in pages if page.text} | {first_example(examples_for(each)).text for each in models}


def _reads(name: str, text: str) -> bool:
    checkpoint = "" if name == RANDOM_WEIGHTS else name
    try:
        cache.reader(text_run(text, checkpoint)).encode(text)
    except ValueError:
        return False
    return True
