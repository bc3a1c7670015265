"""A visit as Streamlit's server has it, without a server: real runs of a script in threads of their own."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import MagicMock

import pytest
import streamlit.runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

Result = TypeVar("Result")
# Streamlit's own, kept before any test starts the app, which changes them for the rest of the process.
UNCHANGED = {
    name: getattr(AppSession, name)
    for name in ("request_rerun", "_create_scriptrunner", "_clear_queue", "_on_scriptrunner_event")
}


def in_a_loop(task: Coroutine[Any, Any, Result]) -> Result:
    """In a thread of its own: the loop of a browser's test may run in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, task).result()


class Visit:
    """To be made within a loop."""

    def __init__(self, script: ScriptData) -> None:
        self.session = AppSession(script, MagicMock(), ScriptCache(), lambda: None, {})
        self.boxes: dict[str, str] = {}

    def come(self) -> threading.Thread:
        """Ask for the whole page; the thread in which it is drawn."""
        self.session.request_rerun(ClientState())
        runner = self.session._scriptrunner
        assert runner and runner._script_thread
        return runner._script_thread

    @property
    def part(self) -> str:
        """The id of the script's part."""
        storage: Any = self.session._fragment_storage
        return str(next(iter(storage._fragments)))

    def click(self, part: str = "", **values: bool) -> None:
        """Touch the script's part, whose checkboxes then have these values."""
        state = ClientState(fragment_id=part or self.part)
        state.page_script_hash = self.session.page_script_hash
        drawn = [each.new_element.checkbox for each in self.deltas if each.new_element.HasField("checkbox")]
        self.boxes |= {box.label: box.id for box in drawn}
        for label, value in values.items():
            state.widget_states.widgets.add(id=self.boxes[label], bool_value=value)
        self.session.request_rerun(state)

    async def until(self, ready: Callable[[], bool]) -> None:
        while not ready():
            await asyncio.sleep(0.001)

    async def ended(self) -> None:
        await asyncio.sleep(0.02)
        await self.until(lambda: self.session._scriptrunner is None)

    @property
    def messages(self) -> list[ForwardMsg]:
        """What has been sent to the browser."""
        return self.session._browser_queue._queue

    @property
    def deltas(self) -> list[Delta]:
        return [message.delta for message in self.messages if message.WhichOneof("type") == "delta"]

    @property
    def words(self) -> list[str]:
        """What was written, in its order."""
        elements = [each.new_element for each in self.deltas]
        return [each.markdown.body for each in elements if each.HasField("markdown")]

    @property
    def ends(self) -> list[str]:
        """How the runs ended."""
        finished = [each for each in self.messages if each.WhichOneof("type") == "script_finished"]
        return [ForwardMsg.ScriptFinishedStatus.Name(each.script_finished) for each in finished]


@pytest.fixture
def script_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ScriptData]:
    """A script of these lines, for a visit without a server, in a Streamlit that nothing has changed."""
    for name, own in UNCHANGED.items():
        monkeypatch.setattr(AppSession, name, own)
    monkeypatch.setattr(streamlit.runtime, "get_instance", MagicMock())
    monkeypatch.setattr(script_runner, "runtime", MagicMock())

    def write(lines: str) -> ScriptData:
        path = tmp_path / "script.py"
        path.write_text(lines, encoding="utf-8")
        return ScriptData(str(path), False)

    return write
