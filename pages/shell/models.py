"""Choosing a model: fresh weights, or a trained model and the step of its training."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from core.checkpoints.examples import Example, first_example, known_texts, texts_of
from core.checkpoints.shipped import Shipped
from core.explorer.shared.requests import text_run
from core.readings.models import read_sizes
from core.tracing.run import Run
from pages.queries import models as cache
from pages.shell.page import Page
from pages.shell.settings import (
    CHOSEN,
    FRAME,
    FREE,
    FRESH,
    MODEL,
    PATIENT,
    PRESENT,
    SUITED,
    TARGET,
    TEXT,
    pin_settings,
)
from pages.widgets import PLACE, Setting, ask, plain


def known(own: Iterable[Setting]) -> list[Setting]:
    """Everything that a visitor can set, with the models that there are. own: the settings of all pages."""
    found = [_chooser() if setting is CHOSEN else setting for setting in (*FRAME, PATIENT, PRESENT, *PLACE, *own)]
    return [*found, *pin_settings(found)]


def _chooser() -> Setting:
    return replace(CHOSEN, options=(*CHOSEN.options, *cache.model_names()))


def fixed_by(model: str) -> tuple[Setting, ...]:
    """The settings that this model's weights fix; none for fresh weights and for what is no model that can be used."""
    try:
        return FREE if model in cache.model_names() and cache.trained(model) else ()
    except ValueError:
        return ()


def shown_model(page: Page, asked: str, kind: str) -> str:
    """The model that a page shows: the one asked for where the page can show it, else its own; `FRESH` where it has
    none. kind: the architecture of random weights. A model that cannot be read is left to say so itself."""
    own = page.model if page.model in cache.model_names() else FRESH
    if asked == SUITED:
        return own
    try:
        shows = kind if asked == FRESH else cache.trained(asked).config.architecture
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
    asked = ask(_chooser(), on_change=fit_texts, args=(page,))
    name, note = shown_model(page, asked, requested_kind()), ""
    if asked not in (SUITED, name):
        kinds = " or ".join(f"{'an' if kind[0] == 'e' else 'a'} {kind}" for kind in page.architectures)
        note = f"This page is about {kinds}, so it shows the {name}. Other pages show what you chose: {asked}."
    if name == FRESH:
        return ChosenModel(note=note)
    try:
        found = cache.trained(name)
    except ValueError as mistake:
        return ChosenModel(None, str(mistake), note)
    st.caption(f"Its weights fix: {plain(read_sizes(found.config))}.")
    return ChosenModel(found, "", note)


def requested_kind() -> str:
    """The architecture that random weights would have, from the session or the address."""
    kind = MODEL[0]
    return str(st.session_state.get(kind.key) or st.query_params.get(kind.key, kind.default))


def requested_model() -> str:
    """The model that the session or the address asks for."""
    return str(st.session_state.get(CHOSEN.key) or st.query_params.get(CHOSEN.key, CHOSEN.default))


def model_words(run: Run) -> str:
    """What is true of the weights that a run uses, as markdown."""
    if not run.checkpoint:
        return (
            ":material/casino: These are **random weights**: every number is computed from your text, "
            "but the pattern means nothing yet."
        )
    found = cache.trained(run.checkpoint.partition("/")[0])
    data = "; ".join(source["text"] for source in found.card.data)
    said = [f":material/school: **{plain(found.name)}**, trained here: {plain(found.card.what)}. Data: {plain(data)}."]
    if found.lower:
        said.append("It reads your text in lower case.")
    if found.card.family == "classifier":
        said.append(
            "These pages show its encoder; its verdict, at the end of the journey, is one more layer on the mean of "
            "what comes out."
        )
    return " ".join([*said, "Weights show mixing, not cause."])


def put(example: Example) -> None:
    """Make an example the text of the frame, and the decoder's where it has one; for callbacks."""
    for setting, text in ((TEXT, example.text or None), (TARGET, example.target)):
        if text is not None:
            st.session_state[setting.key] = text
            st.session_state[f"{setting.key}-typed"] = len(text)


def fit_texts(page: Page) -> None:
    """Another model is shown: texts that are examples, or that it cannot read, make place for its own example."""
    state = st.session_state
    name = shown_model(page, requested_model(), requested_kind())
    if name != FRESH and not fixed_by(name):
        return
    first = first_example(name)
    text, target = (state.get(setting.key) or "" for setting in (TEXT, TARGET))
    if text in known_texts() - texts_of(name) or not _reads(name, text):
        put(first)
    elif not _reads(name, target):
        put(replace(first, text=""))


def _reads(name: str, text: str) -> bool:
    checkpoint = "" if name == FRESH else name
    try:
        cache.reader(text_run(text, checkpoint)).encode(text)
    except ValueError:
        return False
    return True
