"""A click that comes in the moment in which a run of the script ends takes nothing of that run away."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import MagicMock

import pytest
import streamlit.runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from pages.shell import late

SCRIPT = """
import streamlit as st

@st.fragment
def part():
    st.markdown("part")

part()
st.markdown("last")
"""
Result = TypeVar("Result")


def run(task: Coroutine[Any, Any, Result]) -> Result:
    """In a thread of its own: the loop of a browser's test may run in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, task).result()


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptData:
    monkeypatch.setattr(streamlit.runtime, "get_instance", MagicMock())
    monkeypatch.setattr(script_runner, "runtime", MagicMock())
    monkeypatch.setattr(AppSession, "request_rerun", AppSession.request_rerun)
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return ScriptData(str(path), False)


async def said(script: ScriptData, clicks: int, busy: bool = True) -> list[str]:
    """The words that the browser is sent where so many clicks on the part come while the loop had no time for a run
    that has ended."""
    session = AppSession(script, MagicMock(), ScriptCache(), lambda: None, {})
    session.request_rerun(ClientState())
    runner = session._scriptrunner
    assert runner and runner._script_thread
    if busy:
        runner._script_thread.join()
    else:
        await ended(session)
    storage: Any = session._fragment_storage
    for _ in range(clicks):
        session.request_rerun(ClientState(fragment_id=next(iter(storage._fragments))))
    await asyncio.sleep(0.02)
    await ended(session)
    deltas = [message.delta for message in session._browser_queue._queue if message.WhichOneof("type") == "delta"]
    return [delta.new_element.markdown.body for delta in deltas if delta.HasField("new_element")]


async def ended(session: AppSession) -> None:
    while session._scriptrunner is not None:
        await asyncio.sleep(0.001)


def test_the_end_of_the_page_is_not_lost(script: ScriptData) -> None:
    assert run(said(script, 1)) == ["part"], "Streamlit itself sends it now: late.py can go"
    late.hear_runs_out()
    assert run(said(script, 1)) == ["last", "part"]
    assert run(said(script, 3))[-1] == "part"
    assert run(said(script, 1, busy=False)) == ["last", "part"]


def test_clicks_keep_their_order_and_do_not_wait_for_a_run_that_does_not_end(
    script: ScriptData, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ends = list[str](), [True]
    monkeypatch.setattr(AppSession, "request_rerun", lambda session, state: asked.append(state.query_string))
    monkeypatch.setattr(late, "_ends", lambda session: ends[0])
    monkeypatch.setattr(late, "PATIENCE", 3600.0)
    late.hear_runs_out()

    async def clicks() -> None:
        session = AppSession(script, MagicMock(), ScriptCache(), lambda: None, {})
        session.request_rerun(ClientState(fragment_id="a", query_string="first"))
        session.request_rerun(ClientState(query_string="second"))
        await asyncio.sleep(0.02)
        assert not asked
        ends[0] = False
        while len(asked) < 2:
            await asyncio.sleep(0.001)
        ends[0] = True
        monkeypatch.setattr(late, "PATIENCE", 0.0)
        session.request_rerun(ClientState(fragment_id="a", query_string="third"))
        session.request_rerun(ClientState(query_string="fourth"))

    run(clicks())
    assert asked == ["first", "second", "third", "fourth"]
