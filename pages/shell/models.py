"""Choosing a model: fresh weights, or a trained model and the step of its training."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from core.checkpoints.examples import Example, first_example, known_texts
from core.checkpoints.shipped import Shipped
from core.explorer.shared.requests import text_run
from core.readings.models import read_sizes
from core.tracing.run import Run
from pages.queries import models as cache
from pages.shell.cards import show_cards
from pages.shell.settings import CHOSEN, FRAME, FREE, PATIENT, TARGET, TEXT
from pages.widgets import PLACE, Setting, ask, plain


def known(own: Iterable[Setting]) -> list[Setting]:
    """Everything that a visitor can set, with the models that there are. own: the settings of all pages."""
    return [_chooser() if setting is CHOSEN else setting for setting in (*FRAME, PATIENT, *PLACE, *own)]


def _chooser() -> Setting:
    return replace(CHOSEN, options=(CHOSEN.default, *cache.model_names()))


def fixed_by(model: str) -> tuple[Setting, ...]:
    """The settings that this model's weights fix; none for fresh weights and for what is no model that can be used."""
    try:
        return FREE if model in cache.model_names() and cache.trained(model) else ()
    except ValueError:
        return ()


def choose_model() -> tuple[Shipped | None, str | None]:
    """Ask for the model. None for fresh weights; and for a model that cannot be used, with the reason."""
    name = ask(_chooser(), on_change=_fit_texts)
    if name == CHOSEN.default:
        _offer_cards(name)
        return None, None
    try:
        found = cache.trained(name)
    except ValueError as mistake:
        return None, str(mistake)
    st.caption(f"Its weights fix: {plain(read_sizes(found.config))}.")
    _offer_cards(name)
    return found, None


def _offer_cards(name: str) -> None:
    fresh = name == CHOSEN.default
    label = "About the trained models" if fresh else "About this model"
    if st.button(label, icon=":material/id_card:", width="stretch", type="tertiary" if fresh else "secondary"):
        show_cards(name)


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
        said.append("These pages show its encoder; its verdict is one more layer, on the mean of what comes out.")
    return " ".join([*said, "Weights show mixing, not cause."])


def put(example: Example) -> None:
    """Make an example the text of the frame, and the decoder's where it has one; for callbacks."""
    for setting, text in ((TEXT, example.text), (TARGET, example.target)):
        if text:
            st.session_state[setting.key] = text
            st.session_state[f"{setting.key}-typed"] = len(text)


def choose_for(name: str) -> None:
    """Choose a model for the visitor, with a text that it can read; before its widget is drawn, or as a callback."""
    st.session_state[CHOSEN.key] = name
    _fit_texts()


def _fit_texts() -> None:
    """Another model was chosen: texts that are examples, or that it cannot read, make place for its own example."""
    state = st.session_state
    name = state[CHOSEN.key]
    if name != CHOSEN.default and not fixed_by(name):
        return
    first = first_example(name)
    text, target = (state.get(setting.key) or "" for setting in (TEXT, TARGET))
    if text in known_texts() or not _reads(name, text):
        put(first)
    elif not _reads(name, target):
        put(replace(first, text=""))


def _reads(name: str, text: str) -> bool:
    checkpoint = "" if name == CHOSEN.default else name
    try:
        cache.reader(text_run(text, checkpoint)).encode(text)
    except ValueError:
        return False
    return True
