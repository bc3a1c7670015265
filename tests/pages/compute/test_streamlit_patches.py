"""A click that comes in the moment in which a run of the script ends takes nothing of that run away."""

import asyncio
import re
import threading
from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import script_runner

from pages.compute import streamlit_patches
from pages.compute.streamlit_patches import Patch
from tests.pages.sessions import Visit, in_a_loop
from tests.pages.sessions import script_of as script_of
from tests.rooms import sources

SCRIPT = """
import streamlit as st

@st.fragment
def part():
    st.markdown("part")

part()
st.markdown("last")
"""
PAGE, PART = "FINISHED_SUCCESSFULLY", "FINISHED_FRAGMENT_RUN_SUCCESSFULLY"


@pytest.fixture
def script(script_of: Callable[[str], ScriptData]) -> ScriptData:
    return script_of(SCRIPT)


async def clicked_at_the_end(script: ScriptData, clicks: int, busy: bool = True) -> tuple[list[str], list[str]]:
    """The words and the runs' ends that the browser is sent where so many clicks come while the loop had no time for a
    run that has ended."""
    visit = Visit(script)
    thread = visit.come()
    if busy:
        thread.join()
    else:
        await visit.ended()
    for _ in range(clicks):
        visit.click()
    await visit.ended()
    return visit.words, visit.ends


async def clicked_before_the_end(script: ScriptData, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """The same for a click while the page is drawn, if the loop has no time until the part is drawn too."""
    begun, clicked = threading.Event(), threading.Event()
    run = script_runner.ScriptRunner._run_script

    def run_later(self: script_runner.ScriptRunner, asked: script_runner.RerunData) -> None:
        run(self, asked)
        begun.set()
        assert clicked.wait(10)

    visit = Visit(script)
    with monkeypatch.context() as slow:
        slow.setattr(script_runner.ScriptRunner, "_run_script", run_later)
        thread = visit.come()
        assert begun.wait(10)
        visit.click()
        clicked.set()
        thread.join()
    await visit.ended()
    return visit.words, visit.ends


def test_the_end_of_the_page_is_not_lost(script: ScriptData) -> None:
    assert in_a_loop(clicked_at_the_end(script, 1))[0] == ["part"], "Streamlit itself sends it now: that can go"
    streamlit_patches.wait_for_ended_runs()
    streamlit_patches.keep_unsent_pages()
    assert in_a_loop(clicked_at_the_end(script, 1)) == (["part", "last", "part"], [PAGE, PART])
    words, ends = in_a_loop(clicked_at_the_end(script, 3))
    assert (words[:2], words[-1], ends[0], ends[-1]) == (["part", "last"], "part", PAGE, PART)
    assert in_a_loop(clicked_at_the_end(script, 1, busy=False)) == (["part", "last", "part"], [PAGE, PART])


def test_the_page_keeps_its_part_until_the_browser_has_closed_its_gaps(
    script: ScriptData, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped = in_a_loop(clicked_before_the_end(script, monkeypatch))
    assert dropped == (["last", "part"], [PAGE, PART]), "Streamlit itself keeps it now: that can go"
    streamlit_patches.wait_for_ended_runs()
    streamlit_patches.keep_unsent_pages()
    assert in_a_loop(clicked_before_the_end(script, monkeypatch)) == (["part", "last", "part"], [PAGE, PART])


async def clicked_after_a_restart(script: ScriptData) -> tuple[list[str], list[str]]:
    """The words and the runs' ends that the browser is sent where it touches the part in a session that has drawn
    nothing, with the id that the part had in the session before, and again before the page is drawn."""
    before, after = Visit(script), Visit(script)
    before.come()
    await before.ended()
    for _ in range(2):
        after.click(before.part)
    await after.ended()
    return after.words, after.ends


def test_the_first_click_after_a_restart_is_answered(script: ScriptData) -> None:
    assert in_a_loop(clicked_after_a_restart(script)) == ([], []), "Streamlit itself answers it now: that can go"
    streamlit_patches.wait_for_ended_runs()
    streamlit_patches.keep_unsent_pages()
    streamlit_patches.draw_the_page_first()
    words, ends = in_a_loop(clicked_after_a_restart(script))
    assert (words[:2], words[-1], ends[0], ends[-1]) == (["part", "last"], "part", PAGE, PART)


def test_a_change_is_left_out_if_streamlit_lacks_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    inside, gone = "streamlit.runtime.app_session:AppSession._clear_queue", "streamlit.runtime.app_session:Gone.it"
    patches = (
        Patch(lambda: made.append("needed"), (inside,), "it breaks."),
        Patch(lambda: made.append("gone"), (inside, gone), "pages flicker."),
        Patch(lambda: made.append("quick"), (inside,), "it is slower.", quickens=True),
    )
    monkeypatch.setattr(streamlit_patches, "PATCHES", patches)
    assert streamlit_patches.apply() == [f"Streamlit has no {gone} any more: pages flicker."]
    assert made == ["needed", "quick"]
    made.clear()
    monkeypatch.setattr(streamlit_patches, "TESTED_VERSION", "1.2")
    first, *_ = streamlit_patches.apply(quicken=False)
    assert made == ["needed"] and first.endswith("the changes to its inside were tested with 1.2.")


def test_this_version_of_streamlit_has_all_that_the_changes_need() -> None:
    assert st.__version__.startswith(f"{streamlit_patches.TESTED_VERSION}.")
    paths = [path for patch in streamlit_patches.PATCHES for path in patch.needs]
    assert all(streamlit_patches._exists(path) for path in paths)
    for gone in ("streamlit.gone:App", "streamlit.runtime.app_session:AppSession()._gone", "streamlit:Gone()._it"):
        assert not streamlit_patches._exists(gone)


def test_private_names_of_streamlit_stand_in_one_file() -> None:
    """Of the modules of Streamlit only these few are meant for others."""
    inside = re.compile(r"^\s*(?:from|import) streamlit\.(?!components|testing|errors|delta_generator)", re.MULTILINE)
    files = [path for path, source in sources().items() if not path.startswith("tests/") and inside.search(source)]
    assert files == ["pages/compute/streamlit_patches.py"]


def test_clicks_keep_their_order_and_do_not_wait_for_a_run_that_does_not_end(
    script: ScriptData, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    class Runner:
        """As Streamlit's; from the beginning it takes no further request, or takes all."""

        def __init__(self, takes: bool) -> None:
            self.takes = takes

        def request_rerun(self, asked: script_runner.RerunData) -> bool:
            if self.takes:
                begun.append(f"then {asked.query_string}")
            return self.takes

        def request_stop(self) -> None:
            self.takes = False

    def create(session: AppSession, asked: script_runner.RerunData) -> None:
        begun.append(asked.query_string)
        session._scriptrunner = Runner(True)  # type: ignore[assignment]

    monkeypatch.setattr(AppSession, "_create_scriptrunner", create)
    monkeypatch.setattr(AppSession, "has_fragment", lambda session, fragment: True)
    streamlit_patches.wait_for_ended_runs()

    async def clicks(patience: float, ended: bool) -> list[str]:
        begun.clear()
        monkeypatch.setattr(streamlit_patches, "MAX_WAIT_SECONDS", patience)
        session = Visit(script).session
        session._scriptrunner = Runner(False)  # type: ignore[assignment]
        session.request_rerun(ClientState(fragment_id="a", query_string="first"))
        if patience:
            await asyncio.sleep(0.02)
            assert not begun
        if ended:
            session._scriptrunner = None
        session.request_rerun(ClientState(query_string="second"))
        while not begun:
            await asyncio.sleep(0.001)
        return begun

    assert in_a_loop(clicks(3600.0, ended=True)) == ["first", "then second"]
    assert in_a_loop(clicks(0.0, ended=False)) == ["first", "second"]

    async def leave() -> None:
        begun.clear()
        monkeypatch.setattr(streamlit_patches, "MAX_WAIT_SECONDS", 3600.0)
        session = Visit(script).session
        session._scriptrunner = Runner(False)  # type: ignore[assignment]
        session.request_rerun(ClientState(fragment_id="a"))
        session._state, session._scriptrunner = AppSessionState.SHUTDOWN_REQUESTED, None
        await asyncio.sleep(0.02)
        assert not begun

    in_a_loop(leave())
