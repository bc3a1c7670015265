"""A click during work begins the run that it asks for, and loses nothing that the run before had yet to draw."""

import threading
import time
from collections.abc import Callable

from streamlit.runtime.script_data import ScriptData

from pages.compute.cancellation import cancel_on_click, raise_if_abandoned
from tests.pages.sessions import Visit, in_a_loop
from tests.pages.sessions import script_of as script_of

SCRIPT = """
import streamlit as st
from tests.pages.shell.test_clicks import work

@st.fragment
def part():
    st.checkbox("above", key="above")
    work()
    st.checkbox("below", key="below")
    st.markdown(f"{st.session_state.above} {st.session_state.below}")

part()
st.markdown("last")
"""
PAGE, PART, EARLY = "FINISHED_SUCCESSFULLY", "FINISHED_FRAGMENT_RUN_SUCCESSFULLY", "FINISHED_EARLY_FOR_RERUN"
LONG, AT_WORK = threading.Event(), threading.Event()
DEADLINE = 20.0  # seconds


def work() -> None:
    """What the script does between its boxes: once LONG is set, until a click ends it."""
    end = time.monotonic() + DEADLINE
    try:
        with cancel_on_click():
            while LONG.is_set():
                assert time.monotonic() < end
                AT_WORK.set()
                raise_if_abandoned()
                time.sleep(0.002)
    finally:
        LONG.clear()


async def clicked_at_work(script: ScriptData, whole: bool) -> tuple[list[str], list[str]]:
    """The last words and runs' ends after a click on the box above, while the page, or its part, waits for work; the
    box below was ticked before."""
    visit = Visit(script)
    visit.come()
    await visit.ended()
    visit.click(below=True)
    await visit.ended()
    AT_WORK.clear()
    LONG.set()
    if whole:
        visit.come()
    else:
        visit.click(below=True)
    await visit.until(AT_WORK.is_set)
    visit.click(above=True, below=True)
    await visit.ended()
    return visit.words[-2:], visit.ends[-2:]


def test_a_click_while_the_page_is_drawn_draws_all_of_it_anew(script_of: Callable[[str], ScriptData]) -> None:
    assert in_a_loop(clicked_at_work(script_of(SCRIPT), whole=True)) == (["True True", "last"], [EARLY, PAGE])


def test_a_click_while_a_part_is_drawn_draws_that_part_anew(script_of: Callable[[str], ScriptData]) -> None:
    assert in_a_loop(clicked_at_work(script_of(SCRIPT), whole=False)) == (["last", "True True"], [EARLY, PART])
