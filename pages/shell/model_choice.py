"""The choice between random weights and trained models, and the texts that suit the chosen one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from core.checkpoints.examples import Example
from core.checkpoints.real.elsewhere import FAMILY
from core.checkpoints.source import Shipped
from core.lab.step_source import StepSource
from core.topics.shared.run_from_choices import chosen_of, text_run
from core.tracing.run import Run
from pages.compute import cache
from pages.session.visit import visit_state
from pages.shell.model_examples import first_for, texts_of_others
from pages.shell.page import Page
from pages.shell.settings import (
    ARCHITECTURE_SETTINGS,
    HEADER_SETTINGS,
    LESSON_SETTINGS,
    MODEL,
    PAGE_MODEL,
    RANDOM_WEIGHTS,
    ROUTE,
    RUN_ANYWAY,
    SIZE_SETTINGS,
    TARGET,
    TEXT,
    as_usable_here,
    pin_settings,
)
from pages.widgets import PLACE, Setting, explained, plain

RANDOM = (
    ":material/casino: These are **random weights**: every number is computed from your text, but the pattern means "
    "nothing yet."
)
MIXING = "Attention shows which words were mixed in, not why the model decided."


def known(page_settings: Iterable[Setting]) -> list[Setting]:
    """Return every setting that a visitor can have, those of the pinned side included.

    The model's setting offers all models that there are, and those of the device what this machine has.

    page_settings: the settings of all pages.
    """
    all_settings = [
        model_setting() if setting is MODEL else as_usable_here(setting)
        for setting in (*HEADER_SETTINGS, *LESSON_SETTINGS, ROUTE, RUN_ANYWAY, *PLACE, *page_settings)
    ]
    return [*all_settings, *pin_settings(all_settings)]


def model_setting() -> Setting:
    """Return the setting of the model with all models that there are as its options."""
    return replace(MODEL, options=(*MODEL.options, *cache.model_names()), refuses=_refuses_step)


def _refuses_step(name: str) -> str | None:
    """Return why a step of the lab cannot be opened, "" if it can; None for the name of anything else."""
    if name in cache.model_names() or not cache.is_model(name):
        return None
    try:
        cache.trained(name)
    except ValueError as mistake:
        return str(mistake)
    return ""


def settings_fixed_by(model: str) -> tuple[Setting, ...]:
    """Return the settings fixed by this model's weights; empty for random weights or an unusable model."""
    try:
        return SIZE_SETTINGS if cache.is_model(model) and cache.trained(model) else ()
    except ValueError:
        return ()


def effective_model(page: Page, requested: str, kind: str) -> str:
    """Return the name of the model that a page shows: the one asked for if the page can show it, else its own.

    A page without a trained model of its own shows RANDOM_WEIGHTS. A model that is missing or cannot be read is
    returned too; `model_for` reports the error.

    requested: a name, or PAGE_MODEL.
    kind: the architecture of random weights.
    """
    page_model = own_model(page)
    if requested == PAGE_MODEL:
        return page_model
    try:
        shows = kind if requested == RANDOM_WEIGHTS else cache.trained(requested).config.architecture
    except ValueError:
        return requested
    return requested if shows in page.architectures else page_model


def own_model(page: Page) -> str:
    """Return the name of the model that a page shows to a visitor who has chosen none.

    A page to look things up in shows the model of the page that the visitor came from.
    """
    last = visit_state().last_model if page.reference and page.uses_model else None
    return last or page.model or RANDOM_WEIGHTS


class ChosenModel(NamedTuple):
    """The model that a page shows, and why another one is not used.

    trained: None for random weights.
    refusal: why the page's model cannot be used.
    note: why the model asked for is not shown.
    """

    trained: Shipped | None = None
    refusal: str = ""
    note: str = ""


def model_for(page: Page, requested: str, kind: str) -> ChosenModel:
    """Return the model that a page shows to a visitor who asks for one.

    requested: a name, or PAGE_MODEL.
    kind: the architecture of random weights.
    """
    name, note = effective_model(page, requested, kind), ""
    if requested not in (PAGE_MODEL, name):
        shown_label, requested_label = (option_label(page, model_name) for model_name in (name, requested))
        note = (
            f"This page is about {page.kinds}, so it shows “{shown_label}”. "
            f"Other pages show what you chose: “{requested_label}”."
        )
    if name == RANDOM_WEIGHTS:
        return ChosenModel(note=note)
    try:
        return ChosenModel(cache.trained(name), "", note)
    except ValueError as mistake:
        return ChosenModel(None, str(mistake), note)


def option_label(page: Page, option: str) -> str:
    """Return the name of an option in the page's list of models."""
    if option == PAGE_MODEL:
        if page.reference:
            return "The model shown last"
        return f"{option_label(page, own_model(page))} (this page's own)"
    if option == RANDOM_WEIGHTS:
        return "Random weights"
    entry = cache.entry(option)
    return f"{entry.title} (made elsewhere)" if entry and entry.family == FAMILY else cache.model_title(option)


def list_key(page: Page) -> str:
    """Return the key of the page's list of models.

    Each page has its own: the browser may still send the choice of the page before, which is not this page's.
    """
    return f"model-list-{page.address}"


def draw_model_list(page: Page) -> None:
    """Draw the list of the models that the page can show.

    If it cannot show the one asked for, the list shows the page's own, and the session keeps the other for other pages.
    """
    state, requested, key = st.session_state, requested_model(), list_key(page)
    models = cache.model_names()
    steps = [requested] if cache.is_model(requested) and requested not in models else []
    shown = (name for name in (*models, *steps) if kind_of(name) in ("", *page.architectures))
    given = state[key] = requested if effective_model(page, requested, requested_kind()) == requested else PAGE_MODEL
    st.selectbox(
        MODEL.label,
        (*MODEL.options, *shown),
        key=key,
        help=MODEL.help,
        format_func=partial(option_label, page),
        on_change=_choose_title,
        args=(page, given),
    )


def _choose_title(page: Page, given: str) -> None:
    """Apply the choice made in the list of titles.

    A browser that left the page early may report the value `given` to the list late; that is no choice. Random weights
    of an architecture that the page cannot show take the sizes of the page's own model.
    """
    state, page_model = st.session_state, effective_model(page, PAGE_MODEL, "")
    chosen = state[list_key(page)]
    if chosen == given:
        return
    if chosen == RANDOM_WEIGHTS and requested_kind() not in page.architectures and settings_fixed_by(page_model):
        state.update(random_like(cache.trained(page_model)))
    state[MODEL.key] = chosen
    replace_unreadable_texts(page)


def random_like(trained: Shipped) -> dict[str, Any]:
    """Return session values that ask for random weights with a trained model's sizes and the current texts.

    For callbacks.
    """
    state = st.session_state
    run = visit_state().run
    texts = {setting.key: state[setting.key] for setting in (TEXT, TARGET) if state.get(setting.key)}
    if run and run.target:
        texts.setdefault(TARGET.key, run.target)
    return {MODEL.key: RANDOM_WEIGHTS, **chosen_of(trained.config), **texts}


def random_note(page: Page) -> None:
    """Say that the weights are random, with a button back to the page's own trained model if it has one."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="random-note"):
        st.caption(explained(RANDOM), width="content")
        if kind_of(page.model):
            back = f"Back to “{plain(cache.model_title(page.model))}”"
            st.button(back, key="back-to-trained", icon=":material/school:", on_click=_back, args=(page,))


def _back(page: Page) -> None:
    st.session_state[MODEL.key] = PAGE_MODEL
    replace_unreadable_texts(page)


def kind_of(name: str) -> str:
    """Return the architecture of a trained model; "" if its card cannot be read."""
    entry = cache.entry(name)
    return entry.architecture if entry else ""


def requested_kind() -> str:
    """Return the architecture that the visitor has chosen for random weights."""
    kind = ARCHITECTURE_SETTINGS[0]
    return str(st.session_state.get(kind.key) or kind.default)


def requested_model() -> str:
    """Return the model that the visitor asks for."""
    return str(st.session_state.get(MODEL.key) or MODEL.default)


def model_words(run: Run) -> str:
    """Describe the weights of a run, as markdown."""
    if run.source is None:
        return RANDOM
    trained = cache.opened(run.source)
    card = trained.card
    data = "; ".join(source["text"] for source in card.data)
    if run.is_made_elsewhere:
        return f":material/public: **{plain(card.title)}**: {plain(card.what)}, {plain(data)}. {MIXING}"
    if isinstance(run.source, StepSource):
        recipe = card.scores["recipe"]
        return (
            f":material/science: **{plain(card.title)}**, trained in the lab. {plain(card.what)}. "
            f"Recipe: {plain(recipe)}; on another kind of processor its weights may differ in the last digits. {MIXING}"
        )
    sentences = [f":material/school: **{plain(card.title)}**, trained here: {plain(card.what)}. Data: {plain(data)}."]
    if trained.format.lower:
        sentences.append("It reads your text in lower case.")
    if card.family == "classifier":
        sentences.append(
            "These pages show its encoder; its verdict, at the end of the journey, is one more layer on the mean of "
            "what comes out."
        )
    return " ".join([*sentences, MIXING])


def apply_example(example: Example) -> None:
    """Replace the text by an example, and the decoder's text if the example has one; for callbacks.

    An example without a text leaves the current one.
    """
    for setting, text in ((TEXT, example.text or None), (TARGET, example.target)):
        if text is not None:
            st.session_state[setting.key] = text
            visit_state().typed_lengths[setting.key] = len(text)


def default_example(page: Page, model: str) -> Example:
    """Return the texts that a page opens with: the model's first example, or with the page's own text in it.

    The page's own text is used if the model can read it and has the architecture of the page's own model. Random
    weights always pass the second test, and on a page without a trained model every model does.
    """
    first = first_for(model, page.continues)
    alike = not page.model or kind_of(model) in ("", kind_of(page.model))
    return replace(first, text=page.text) if page.text and alike and _reads(model, page.text) else first


def replace_unreadable_texts(page: Page) -> None:
    """Replace texts that do not suit the page's model by those that the page opens with.

    Call when another page or another model is shown. For a trained model, a text is replaced if another page opens with
    it, if it is an example of another model, or if the model cannot read it. If only the decoder's text cannot be read,
    the other text stays. Random weights keep all texts except those that pages open with, so that they can be compared
    with trained weights.
    """
    state = st.session_state
    name = effective_model(page, requested_model(), requested_kind())
    first = default_example(page, name)
    text, target = (state.get(setting.key) or "" for setting in (TEXT, TARGET))
    if text in openings(name) - {first.text}:
        apply_example(first)
    if name == RANDOM_WEIGHTS or not settings_fixed_by(name):
        return
    if text in texts_of_others(name) or not _reads(name, text):
        apply_example(first)
    elif not _reads(name, target):
        apply_example(replace(first, text=""))


def openings(model: str) -> set[str]:
    """Return the texts that pages open with: their own, and the first examples of their models and this model."""
    pages: Sequence[Page] = visit_state().all_pages
    models = {page.model or RANDOM_WEIGHTS for page in pages} | {model}
    return {page.text for page in pages if page.text} | {
        first_for(name, goes_on).text for name in models for goes_on in (False, True)
    }


def _reads(name: str, text: str) -> bool:
    try:
        source = None if name == RANDOM_WEIGHTS else cache.source(name)
        cache.reader(text_run(text, source)).encode(text)
    except ValueError:
        return False
    return True


def other_model(page: Page, name: str, acted: bool) -> str:
    """Return a sentence if the page shows another model than the last page that showed one; else "".

    It is said until the visitor changes anything, and never on a page to look things up in.

    name: the model of this page.
    acted: whether the visitor has just changed a setting.
    """
    visit = visit_state()
    if page.reference or not (page.uses_model and page.shows_model):
        return ""
    address, came, before = visit.shown_models
    if address != page.address:
        address, came, before = page.address, name, visit.last_model or name
    elif acted:
        before = came = name
    visit.shown_models = address, came, before
    visit.last_model = name
    if name != came or name == before:
        return ""
    new_label, old_label = (option_label(page, model_name) for model_name in (name, before))
    return f"This page shows another model than before: “{new_label}” instead of “{old_label}”."


def page_can_show(page: Page, run: Run, refusal: str) -> bool:
    """Return whether this page can show the model of this run; if not, say so on the page.

    refusal: why the page's own model cannot be used, which the header has said; "" if it can.
    """
    if run.config.architecture in page.architectures:
        return True
    if not refusal:
        st.info(
            f"This page is about {page.kinds}; choose that architecture in the sidebar.", icon=":material/swap_horiz:"
        )
    return False
