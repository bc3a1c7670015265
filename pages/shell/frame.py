"""What stands round every page: the text, the model and its settings, and the run that they make."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from core.checkpoints.examples import Example, examples_of, first_example, targets_of
from core.checkpoints.shipped import Shipped
from core.device import choose
from core.explorer.shared.requests import run_of
from core.tracing.run import Run
from pages.canvas import keep_history
from pages.queries import models
from pages.shell import address, settings
from pages.shell.models import choose_model, put
from pages.shell.page import Page
from pages.shell.settings import CHOSEN, FRAME
from pages.shell.suited import settle
from pages.widgets import Setting, ask, notes, plain

STYLE = """<style>
[data-testid="stMainBlockContainer"] { max-width: 1500px; margin: 0 auto; }
[data-testid="stMain"] h1 { padding: 0 0 0.5rem; }
.st-key-history { display: none; }
.st-key-examples, .st-key-target-examples { margin: -0.75rem 0 -0.25rem; }
@media (min-width: 640px) { [data-testid="stMainBlockContainer"] { padding-left: 2.5rem; padding-right: 2.5rem; } }
</style>"""
TEXT_CHARACTERS = 4000  # what an address can carry, whatever the script


def frame(page: Page, known: Sequence[Setting]) -> None:
    """Draw the frame and make the run that the page looks at."""
    st.html(STYLE)
    keep_history(address.read(known))
    settle(page)
    address.report()
    with st.sidebar:
        trained, refusal = choose_model()
        chosen = _settings(trained)
    refused = st.container() if refusal else None
    text, target = _text_row(chosen["kind"], trained)
    run = _usable(chosen, text, target, trained)
    if refused:
        below = (
            " Below are random weights." if not run.checkpoint and run.config.architecture in page.architectures else ""
        )
        refused.error(f"{plain(str(refusal))}{below}", icon=":material/error:")
    st.session_state["run"] = run
    rows = models.check(run)
    notes([row.note for row in rows.values()])


def current_run() -> Run:
    """The run that the frame made for this page."""
    return st.session_state["run"]


def warm_up() -> None:
    """Make and check the run of the defaults once."""
    models.check(make_run(DEFAULTS, settings.TEXT.default, settings.TARGET.default))


def _text_row(architecture: str, trained: Shipped | None) -> tuple[str, str]:
    model = trained.name if trained else CHOSEN.default
    text, target = first_example(model).text, first_example(model).target
    text = _ask_text(settings.TEXT, text)
    _chips(examples_of(model), "examples")
    if architecture == "encoder-decoder":
        target = _ask_text(settings.TARGET, target)
        if targets := targets_of(model):
            _chips(targets, "target-examples")
    return text, target


def _chips(examples: Mapping[str, Example], key: str) -> None:
    with st.container(horizontal=True, gap="small", key=key):
        for label, example in examples.items():
            st.button(label, key=f"example-{label}", type="tertiary", on_click=put, args=(example,))


def _ask_text(setting: Setting, default: str) -> str:
    """A text box that takes any length, keeps what a link can carry, and says so."""
    text = ask(setting, default=default, on_change=_trim, args=(setting.key,)) or ""
    typed = max(len(text), st.session_state.get(f"{setting.key}-typed", 0))
    if typed > TEXT_CHARACTERS:
        notes([f"Only the first {TEXT_CHARACTERS:,} of {typed:,} characters are kept."])
    return text[:TEXT_CHARACTERS]


def _trim(key: str) -> None:
    typed = len(st.session_state[key] or "")
    st.session_state[f"{key}-typed"] = typed
    if typed > TEXT_CHARACTERS:
        st.session_state[key] = st.session_state[key][:TEXT_CHARACTERS]


def _settings(trained: Shipped | None) -> dict[str, Any]:
    """The values of the sidebar's widgets; a trained model has fewer, for its weights fix the rest."""
    fresh = trained is None
    values = {setting.key: ask(setting) for setting in settings.MODEL} if fresh else dict(DEFAULTS)
    if trained:
        values["kind"] = trained.config.architecture
    mask = ask(settings.MASK)
    for kind, setting in settings.MASK_SIZES.items():
        values[setting.key] = ask(setting) if kind in mask else setting.default
    if fresh:
        values[settings.SEED.key] = ask(settings.SEED)
    groups = [("Tokenizer and device" if fresh else "Device", (settings.TOKENIZER,) * fresh + settings.DEVICE)]
    if fresh:
        groups = [("Inside a head", settings.HEAD), ("The block", settings.BLOCK), *groups]
    for title, group in groups:
        with st.expander(title):
            values |= {setting.key: ask(setting) for setting in group}
    placement = choose(values["device"], values["dtype"])
    st.caption(f"Runs on **{placement.device}** in **{placement.dtype}**: {placement.reason}.")
    return values | {"mask": mask, "placement": placement}


def _usable(chosen: dict[str, Any], text: str, target: str, trained: Shipped | None) -> Run:
    """The run that the settings describe; where they cannot be run, say why and keep the last one that could.

    Where nothing can be run, for want of a tokenizer, the page ends with that sentence.
    """
    try:
        run = make_run(chosen, text, target, trained)
        models.check(run)
    except ValueError as mistake:
        last, shown = st.session_state.get("run"), "what could be shown last"
        if last is None:
            last, shown = _first_run(trained)
        below = f" Below is {shown}." if last else ""
        st.error(f"{plain(str(mistake).rstrip('.'))}.{below}", icon=":material/error:")
        if last is None:
            st.stop()
        return last
    return run


def _first_run(trained: Shipped | None) -> tuple[Run | None, str]:
    """The first example with every default, and its name; where the default tokenizer is missing, in another's pieces.

    None where no tokenizer can be read.
    """
    first = first_example(trained.name if trained else CHOSEN.default)
    for name in sorted(settings.TOKENIZER.options, key=lambda name: name != settings.TOKENIZER.default):
        with suppress(ValueError):
            run = make_run(DEFAULTS | {settings.TOKENIZER.key: name}, first.text, first.target, trained)
            models.check(run)
            default = name == settings.TOKENIZER.default
            return run, "the first example" if default else f"the first example, in the pieces of {name}"
    return None, ""


def make_run(chosen: Mapping[str, Any], text: str, target: str, trained: Shipped | None = None) -> Run:
    """A run from the values of the widgets; ValueError where they do not go together."""
    return run_of(chosen, text, target, 0 if trained else models.tokenizer(chosen["tok"]).vocab_size, trained)


DEFAULTS = {setting.key: setting.default for setting in FRAME} | {"placement": choose()}
