"""What is kept from token to token, and what it saves."""

from dataclasses import replace

import streamlit as st

from core.explorer.generation.records import GeneratedToken
from core.text.special import EOS
from core.tracing.run import text_limit
from pages.ui import cache as shared
from pages.ui.frame import current_run, model_note
from pages.ui.kv_cache.choices import KVIEW, STEPS
from pages.ui.kv_cache.costs import show_memory, show_operations
from pages.ui.kv_cache.moment import Moment
from pages.ui.kv_cache.same import show_same
from pages.ui.kv_cache.step import show_step, show_why
from pages.ui.kv_cache.text import draw_text
from pages.ui.kv_cache.time import show_time
from pages.ui.say import notes, opening, shielded
from pages.ui.settings import ask
from pages.ui.suited import suited
from pages.ui.writing import cache
from pages.ui.writing.masks import mask_note
from pages.ui.writing.player import advance, controls

PAGE = "kv-cache"
VIEWS = {
    "one step": show_step,
    "why it may be kept": show_why,
    "operations": show_operations,
    "memory": show_memory,
    "time": show_time,
    "same answer": show_same,
}


@st.fragment
def _panel() -> None:
    run = replace(current_run(), pads=0)
    with shielded():
        start = cache.start(run)
        limit = text_limit(run.config)
        room = limit - len(start)
        most = max(1, room)

        def read(count: int) -> list[GeneratedToken]:
            return [each for each in cache.written(run, count=min(count, room)) if each.chosen != EOS]

        def reach(count: int) -> tuple[int, bool]:
            ahead = len(read(count + 1))  # one more than asked for, to know whether there is one
            return min(count, ahead), ahead <= count

        over = advance(PAGE, STEPS, most, reach)
        written = read(controls(PAGE, STEPS, most, over))
        if len(run.config.stacks) == 2:
            notes(["Here the decoder writes by itself: the decoder's text above is not read."])
        notes([mask_note(run.mask)])
        source = len(shared.check(run)["encoder"]) if len(run.config.stacks) == 2 else 0
        moment = Moment(run, (*start, *(each.chosen for each in written)), len(start), source, limit)
        draw_text(moment, [each.piece for each in written])
        VIEWS[ask(KVIEW)](moment)


opening(
    "What need not be computed again?",
    "To choose the next token, attention compares the newest token's **query** with the **key** of every token before "
    "it, and mixes their **values**.",
    "Under the causal mask the keys and values of earlier tokens never change: a **KV cache** keeps them, and each "
    "step computes one row instead of all.",
)
if suited(PAGE):
    model_note()
    _panel()
