"""A run's messages are handed over together, in their order, and what comes after them is not waited for."""

import asyncio
import threading
from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.runtime.script_data import ScriptData

from pages.compute import streamlit_patches
from tests.pages.sessions import Visit, in_a_loop
from tests.pages.sessions import script_of as script_of

SCRIPT = """
import streamlit as st
from tests.pages.compute.test_message_batching import pause

st.markdown("first")
st.markdown("second")
pause()
st.markdown("last")
"""
WAITS, GO_ON, NOW = threading.Event(), threading.Event(), threading.Event()


def pause() -> None:
    if NOW.is_set():
        streamlit_patches.hand_over_now()
    WAITS.set()
    assert GO_ON.wait(10)


@pytest.fixture(autouse=True)
def patched(script_of: Callable[[str], ScriptData]) -> None:
    streamlit_patches.wait_for_ended_runs()
    streamlit_patches.keep_unsent_pages()
    streamlit_patches.send_together()
    for each in (WAITS, GO_ON, NOW):
        each.clear()


async def words_while_it_waits(script: ScriptData, expected: list[str]) -> tuple[list[str], list[str]]:
    """What has been handed over while the run waits, and what in the end. expected: waited for where it is something;
    else what has come after 50 ms."""
    visit = Visit(script)
    visit.come()
    await visit.until(lambda: WAITS.is_set() and (not expected or len(visit.words) >= len(expected)))
    await asyncio.sleep(0.05)
    early = visit.words
    GO_ON.set()
    await visit.ended()
    return early, visit.words


ALL = ["first", "second", "last"]


@pytest.mark.parametrize(("hold", "now", "early"), [(60.0, False, []), (60.0, True, ALL[:2]), (0.001, False, ALL[:2])])
def test_messages_wait_for_the_end_of_a_run_but_not_long(
    hold: float,
    now: bool,
    early: list[str],
    script_of: Callable[[str], ScriptData],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streamlit_patches, "HOLD_SECONDS", hold)
    if now:
        NOW.set()
    assert in_a_loop(words_while_it_waits(script_of(SCRIPT), early)) == (early, ALL)


def test_a_click_at_the_end_of_a_run_comes_after_it(script_of: Callable[[str], ScriptData]) -> None:
    script = script_of(SCRIPT.replace("pause()", "st.fragment(lambda: st.markdown('part'))()"))

    async def clicked() -> tuple[list[str], list[str]]:
        visit = Visit(script)
        visit.come().join()
        visit.click()
        await visit.ended()
        return visit.words, visit.ends

    words, ends = in_a_loop(clicked())
    assert words == [*ALL[:2], "part", "last", "part"]
    assert ends == ["FINISHED_SUCCESSFULLY", "FINISHED_FRAGMENT_RUN_SUCCESSFULLY"]


def test_outside_of_a_run_there_is_nothing_to_hand_over() -> None:
    assert not st.runtime.exists()
    streamlit_patches.hand_over_now()
