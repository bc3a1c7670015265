"""What stands round every page: the text, the model and its settings, and the run that they make."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.device import choose
from core.model.config import TransformerConfig
from core.model.masks import MaskSpec
from core.run import Run, TokenRow
from pages.ui import address, cache, choices
from pages.ui.choices import FRAME
from pages.ui.say import notes, plain
from pages.ui.settings import Setting, ask

EXAMPLES = {
    "who is it?": "The animal didn't cross the street because it was too tired.",
    "again and again": "the cat sat on the mat and the cat sat on the mat",
    "river bank": "She sat on the bank of the river and counted the money from the bank.",
    "far apart": "The keys that the man in the long grey coat had lost were on the table.",
    "emoji and accents": "Über naïve café: 日本語 مرحبا 👩‍🚀!",
}
TARGET_EXAMPLES = {
    "a summary": choices.TARGET.default,
    "in French": "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.",
}
SCORES = {"scaled dot": "scaled_dot"}
STYLE = """<style>
[data-testid="stMainBlockContainer"] { max-width: 1500px; margin: 0 auto; }
[data-testid="stMain"] h1 { padding: 0 0 0.5rem; }
.st-key-examples, .st-key-target-examples { margin: -0.75rem 0 -0.25rem; }
@media (min-width: 640px) { [data-testid="stMainBlockContainer"] { padding-left: 2.5rem; padding-right: 2.5rem; } }
</style>"""
TEXT_CHARACTERS = 4000  # what an address can carry, whatever the script


def frame() -> None:
    """Draw the frame and make the run that the page looks at."""
    st.html(STYLE)
    address.report()
    with st.sidebar:
        chosen = _model_settings()
    text, target = _text_row(chosen["kind"] == "encoder-decoder")
    run = _usable(chosen, text, target)
    st.session_state["run"] = run
    rows = cache.check(run)
    notes([row.note for row in rows.values()])


def current_run() -> Run:
    """The run that the frame made for this page."""
    return st.session_state["run"]


def warm_up() -> None:
    """Make and check the run of the defaults once."""
    cache.check(make_run(DEFAULTS, choices.TEXT.default, choices.TARGET.default))


def tokens(run: Run) -> dict[str, TokenRow]:
    """The run's tokens, by stack."""
    return cache.check(run)


def random_weights_note() -> None:
    """Said wherever a fresh model's patterns are shown."""
    st.caption(
        ":material/casino: These are **random weights**: every number is computed from your text, "
        "but the pattern means nothing yet."
    )


def _text_row(with_target: bool) -> tuple[str, str]:
    text = _text_with_examples(choices.TEXT, EXAMPLES, "examples")
    target = choices.TARGET.default
    if with_target:
        target = _text_with_examples(choices.TARGET, TARGET_EXAMPLES, "target-examples")
    return text, target


def _text_with_examples(setting: Setting, examples: Mapping[str, str], key: str) -> str:
    text = _ask_text(setting)
    with st.container(horizontal=True, gap="small", key=key):
        for label, example in examples.items():
            st.button(label, key=f"example-{label}", type="tertiary", on_click=_put, args=(setting.key, example))
    return text


def _ask_text(setting: Setting) -> str:
    """A text box that takes any length, keeps what a link can carry, and says so."""
    text = ask(setting, on_change=_trim, args=(setting.key,)) or ""
    typed = max(len(text), st.session_state.get(f"{setting.key}-typed", 0))
    if typed > TEXT_CHARACTERS:
        notes([f"Only the first {TEXT_CHARACTERS:,} of {typed:,} characters are kept."])
    return text[:TEXT_CHARACTERS]


def _trim(key: str) -> None:
    typed = len(st.session_state[key] or "")
    st.session_state[f"{key}-typed"] = typed
    if typed > TEXT_CHARACTERS:
        st.session_state[key] = st.session_state[key][:TEXT_CHARACTERS]


def _put(key: str, example: str) -> None:
    st.session_state[key] = example
    _trim(key)


def _model_settings() -> dict[str, Any]:
    values = {setting.key: ask(setting) for setting in choices.MODEL}
    for kind, setting in choices.MASK_SIZES.items():
        values[setting.key] = ask(setting) if kind in values["mask"] else setting.default
    for title, group in (
        ("Inside a head", choices.HEAD),
        ("The block", choices.BLOCK),
        ("Tokenizer and device", choices.DEVICE),
    ):
        with st.expander(title):
            values |= {setting.key: ask(setting) for setting in group}
    placement = choose(values["device"], values["dtype"])
    st.caption(f"Runs on **{placement.device}** in **{placement.dtype}**: {placement.reason}.")
    return values | {"placement": placement}


def _usable(chosen: dict[str, Any], text: str, target: str) -> Run:
    """The run that the settings describe; where they cannot be run, say why and keep the last one that could."""
    try:
        run = make_run(chosen, text, target)
        cache.check(run)
    except ValueError as mistake:
        last = st.session_state.get("run") or make_run(DEFAULTS, choices.TEXT.default, choices.TARGET.default)
        shown = "what could be shown last" if "run" in st.session_state else "the first example"
        sentence = str(mistake).rstrip(".")
        st.error(f"{plain(sentence)}. Below is {shown}.", icon=":material/error:")
        return last
    return run


def make_run(chosen: dict[str, Any], text: str, target: str) -> Run:
    """A run from the values of the widgets; ValueError where they do not go together."""
    config = TransformerConfig(
        architecture=chosen["kind"],
        vocab_size=cache.tokenizer(chosen["tok"]).vocab_size,
        d_model=chosen["d"],
        heads=chosen["h"],
        layers=chosen["n"],
        d_k=chosen["dk"],
        d_v=chosen["dv"],
        d_ff=chosen["ff"],
        activation=chosen["act"],
        norm_position=chosen["norm"],
        norm=chosen["normkind"],
        residual=chosen["residual"],
        positions=chosen["pos"],
        position_base=chosen["base"],
        score=SCORES.get(chosen["score"], chosen["score"]),
        tied=chosen["tied"],
        seed=chosen["seed"],
    )
    mask = MaskSpec(_mask_kinds(chosen), chosen["window"], chosen["prefix"], chosen["block"])
    pads = chosen["pads"] if "padding" in chosen["mask"] else 0
    two = chosen["kind"] == "encoder-decoder"
    return Run(text, config, target if two else "", chosen["tok"], mask, pads, placement=chosen["placement"])


def _mask_kinds(chosen: dict[str, Any]) -> tuple[str, ...]:
    """The masks by their names in the core. "As built" is causal in a decoder, unless a prefix takes its place."""
    kinds = {kind.replace(" ", "_") for kind in chosen["mask"] if kind != "as built"}
    if "as built" in chosen["mask"] and chosen["kind"] != "encoder" and "prefix" not in kinds:
        kinds.add("causal")
    return tuple(sorted(kinds))


DEFAULTS = {setting.key: setting.default for setting in FRAME} | {"placement": choose()}
