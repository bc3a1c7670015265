"""One visitor's connection: what a browser sends to Streamlit's server, and what it makes of the answers."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import parse_qs, urlencode

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ContextInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.benchmarks.load.controls import Value, holds, state_of
from tests.benchmarks.load.screen import Screen, Shown

CONTROLS = ("button_group", "checkbox", "multiselect", "number_input", "radio", "selectbox", "slider", "text_input")
PATIENCE = 120  # seconds that an answer may take
CONTEXT = ContextInfo(timezone="Europe/London", locale="en-GB", color_scheme="light")
ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


@dataclass
class Answer:
    """What came for one change: how long it took, its bytes by kind of element, and what in it was wrong.

    refused: the sentence of a refusal on the screen.
    """

    seconds: float = 0
    sent: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    refused: str = ""

    @property
    def size(self) -> int:
        return self.sent.total()


class Visit:
    """A page of the app, open in a browser that draws nothing.

    pages: what the navigation leads to, by name; page: the one that is open. Every call that changes something waits
    for the answer; it raises ConnectionError or TimeoutError where none comes.
    """

    def __init__(self, url: str) -> None:
        self.screen, self.pages, self.page = Screen(), dict[str, str](), ""
        self.query: dict[str, list[str]] = {}
        self._url, self._hash = url, ""
        self._values: dict[str, Value] = {}
        self._socket: ClientConnection | None = None

    async def open(self, page: str, query: str = "") -> Answer:
        """Come by an address: a page's name and a query."""
        stream = f"ws{self._url.removeprefix('http')}/_stcore/stream"
        start = perf_counter()
        self._socket = await connect(
            stream, subprotocols=[Subprotocol("streamlit")], compression=None, max_size=None, open_timeout=PATIENCE
        )
        self.query = parse_qs(query, keep_blank_values=True)
        return await self._ask(start, page_name=page)

    async def go(self, page: str) -> Answer:
        """Follow the navigation to another page."""
        return await self._ask(page_script_hash=self.pages[page])

    async def change(self, control: Shown, value: Value) -> Answer:
        """Give a control another value."""
        self._values[control.proto.id] = value
        return await self._ask(page_script_hash=self._hash, fragment_id=control.fragment)

    async def close(self) -> None:
        if self._socket:
            await self._socket.close()

    def controls(self) -> list[Shown]:
        """What can be worked, the frame's and the page's own."""
        found = [each for each in self.screen.shown() if each.kind in CONTROLS]
        return [each for each in found if not each.proto.disabled and each.proto.id]

    def value(self, control: Shown) -> Value:
        return self._values[control.proto.id]

    async def _ask(self, start: float | None = None, **state: str) -> Answer:
        assert self._socket
        wish = BackMsg()
        asked = wish.rerun_script
        for name, value in state.items():
            setattr(asked, name, value)
        asked.query_string = urlencode(self.query, doseq=True)
        asked.context_info.CopyFrom(CONTEXT)
        asked.context_info.url = self._url
        kinds = {each.proto.id: each.kind for each in self.screen.shown() if each.kind in CONTROLS}
        asked.widget_states.widgets.extend(
            state_of(name, kind, self._values[name]) for name, kind in sorted(kinds.items()) if name in self._values
        )
        start = perf_counter() if start is None else start
        answer = Answer()
        await self._socket.send(wish.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._take(await self._socket.recv(decode=False), answer):
                pass
        answer.seconds = perf_counter() - start
        self._settle(answer)
        return answer

    def _take(self, data: bytes, answer: Answer) -> bool:
        """Take one message; whether it ends the answer."""
        message = ForwardMsg.FromString(data)
        kind = str(message.WhichOneof("type"))
        answer.sent[_label(kind, message)] += len(data)
        match kind:
            case "new_session":
                run = message.metadata.run
                self.screen.begin(run.script_run_id, frozenset(run.fragment_ids))
            case "delta":
                self.screen.put(list(message.metadata.delta_path), message.delta)
            case "navigation":
                self.pages = {each.url_pathname: each.page_script_hash for each in message.navigation.app_pages}
                self._hash = message.navigation.page_script_hash
                self.page = next(name for name, own in self.pages.items() if own == self._hash)
            case "page_info_changed":
                self.query = parse_qs(message.page_info_changed.query_string, keep_blank_values=True)
            case "page_not_found" | "session_event" | "ref_hash":
                answer.errors.append(kind)
            case "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    answer.errors.append("compile error")
                    return True
                if message.script_finished in ENDS:
                    self.screen.end()
                    return True
        return False

    def _settle(self, answer: Answer) -> None:
        """Read what the controls hold now, and what is wrong on the screen."""
        for each in self.screen.shown():
            if each.kind in CONTROLS and (each.proto.set_value or each.proto.id not in self._values):
                self._values[each.proto.id] = holds(each.kind, each.proto)
                each.proto.set_value = False
            elif each.kind == "bidi_component" and each.proto.component_name == "address":
                self.query = parse_qs(json.loads(each.proto.json)["query"], keep_blank_values=True)
            elif each.kind == "exception":
                answer.errors.append(f"{each.proto.type}: {each.proto.message}")
            elif each.kind == "alert" and each.proto.format == Alert.ERROR:
                answer.refused = each.proto.body


def _label(kind: str, message: Any) -> str:
    """What a message is, for the sums of bytes."""
    if kind != "delta":
        return kind
    delta = message.delta
    element = delta.new_element if delta.WhichOneof("type") == "new_element" else None
    if element is None:
        return "block"
    found = str(element.WhichOneof("type"))
    return element.bidi_component.component_name if found == "bidi_component" else found
