"""A text, written token by token."""

from dataclasses import replace

import streamlit as st

from core.decoding.sampling import Sampling
from core.text.special import EOS
from core.tracing.run import text_limit
from pages.ui.frame import current_run, model_note
from pages.ui.generate.choices import COUNT, DRAW_SEED, FORCED, GVIEW, HOT, LOOKED, MIN_P, PENALTY, TOP_K, TOP_P
from pages.ui.generate.text import MOST, PAGE, Story, branches, draw_text, unbranch
from pages.ui.generate.views import VIEWS
from pages.ui.say import notes, opening, shielded
from pages.ui.settings import ask
from pages.ui.suited import suited
from pages.ui.writing import cache
from pages.ui.writing.masks import mask_note
from pages.ui.writing.player import advance, controls


@st.fragment
def _panel() -> None:
    run = replace(current_run(), pads=0)
    notes([mask_note(run.mask)])
    with shielded():
        sampling = _sampling()
        start = cache.start(run)
        forced = branches(run)
        most = max(1, min(MOST, text_limit(run.config) - len(start) + 1))

        def reach(count: int) -> tuple[int, bool]:
            found = cache.written(run, sampling, forced, count)
            return len(found), bool(found and found[-1].ended)

        over = advance(PAGE, COUNT, most, reach)
        count = controls(PAGE, COUNT, most, over, _look_at_last, LOOKED)
        story = Story(run, sampling, forced, start, cache.written(run, sampling, forced, count))
        at = draw_text(story)
        notes([_end(story)])
        if at is None:
            st.info("Nothing is written yet: press Step or Play.", icon=":material/play_arrow:")
            return
        view = ask(GVIEW)
        VIEWS[view](story, at)


def _end(story: Story) -> str | None:
    """Why nothing follows, where nothing does."""
    if not (story.written and story.written[-1].ended):
        return None
    if story.written[-1].chosen == EOS:
        return "The model has written </s>: its text is over."
    read = len(story.ids(len(story.written) - 1))
    return f"The text fills the {read:,} tokens that the model can read, so nothing follows."


def _look_at_last() -> None:
    st.session_state[LOOKED.key] = None


def _sampling() -> Sampling:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        temperature = ask(HOT, step=0.1, format="%g", width=130)
        top_k = ask(TOP_K, width=130)
        top_p = ask(TOP_P, step=0.05, format="%g", width=130)
        with st.popover("More", icon=":material/tune:"):
            min_p = ask(MIN_P, step=0.05, format="%g")
            penalty = ask(PENALTY, step=0.1, format="%g")
            seed = ask(DRAW_SEED)
            ask(FORCED, max_chars=400)
            st.button("Take all branches back", on_click=unbranch, icon=":material/undo:")
    return Sampling(temperature, top_k, top_p, min_p, penalty, seed)


opening(
    "How does a model choose the next word?",
    "A language model reads a text and gives every **token** (a word or a piece of one) a chance to come next. One is "
    "drawn and written behind the text, and the model reads it all again.",
    "Press Play; click a token to see how it was chosen, and a candidate to let the text go on from there.",
)
if suited(PAGE):
    model_note()
    _panel()
