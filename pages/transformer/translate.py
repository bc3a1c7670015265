"""A translation, token by token."""

from dataclasses import replace

import streamlit as st
from pages.ui.frame import current_run, model_note
from pages.ui.say import notes, opening, shielded
from pages.ui.settings import ask
from pages.ui.suited import suited
from pages.ui.writing import cache
from pages.ui.writing.masks import mask_note
from pages.ui.writing.player import advance, controls, rest

from core.text.special import EOS
from pages.ui.translate.alignment import show_alignment
from pages.ui.translate.beam import show_beam, show_comparison
from pages.ui.translate.choices import COUNT, LOOKED, TVIEW
from pages.ui.translate.force import show_force
from pages.ui.translate.french import show_french
from pages.ui.translate.steps import show_steps
from pages.ui.translate.text import Translation, translated

PAGE = "translate"
VIEWS = {
    "alignment": show_alignment,
    "your French": show_french,
    "force it": show_force,
    "beam": show_beam,
    "compare": show_comparison,
}


@st.fragment
def _panel() -> None:
    run = replace(current_run(), pads=0)
    notes([mask_note(run.mask)])
    with shielded():
        view = ask(TVIEW)
        if view == "step by step":
            _steps(translated(run, 0))
            return
        rest(PAGE)
        whole = translated(run)
        notes([_cut(whole)])
        VIEWS[view](whole)


def _steps(text: Translation) -> None:
    run = text.run

    def reach(count: int) -> tuple[int, bool]:
        found = translated(run, count)
        return len(found.written), found.ended

    over = advance(PAGE, COUNT, text.most, reach)
    count = controls(PAGE, COUNT, text.most, over, _look_at_last, LOOKED)
    text = replace(text, written=cache.written(run, count=count))
    show_steps(text)
    notes([_cut(text)])


def _cut(text: Translation) -> str | None:
    """That the model was stopped before it wrote </s>, where it was."""
    count = len(text.written)
    if not count or text.written[-1].chosen == EOS or not (text.ended or count == text.most):
        return None
    return f"The translation is cut after {count} tokens."


def _look_at_last() -> None:
    st.session_state[LOOKED.key] = None


opening(
    "How does a sentence become another?",
    "An **encoder** reads the sentence; a **decoder** writes its translation, one **token** (a word or a piece of one) "
    "after the other.",
    "For each token it looks back at what it has written (masked self-attention) and over at the source "
    "(**cross-attention**: queries from the translation, keys and values from the source).",
)
if suited(PAGE):
    model_note()
    _panel()
