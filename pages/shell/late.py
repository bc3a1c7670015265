"""What a run of the script says last reaches the browser, also where a click comes in the moment in which it ends."""

import time
from collections import deque
from weakref import WeakKeyDictionary

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

SOON, PATIENCE = 0.002, 0.5  # seconds from one look to the next, and in all


def hear_runs_out() -> None:
    """Let a click on a part of a page wait until the server has taken everything from a run that has just ended.

    Streamlit 1.67 begins a new runner for such a click, and drops what the old one had handed over and the server's
    loop had not taken yet. The click draws its own part of the page only, so what stands below was gone for good.
    """
    request = AppSession.request_rerun
    waiting: WeakKeyDictionary[AppSession, deque[ClientState | None]] = WeakKeyDictionary()

    def request_in_order(self: AppSession, client_state: ClientState | None) -> None:
        if self in waiting:
            waiting[self].append(client_state)
        elif client_state and client_state.fragment_id and _ends(self):
            waiting[self] = deque([client_state])
            look(self, time.monotonic() + PATIENCE)
        else:
            request(self, client_state)

    def look(session: AppSession, end: float) -> None:
        if _ends(session) and time.monotonic() < end:
            session._event_loop.call_later(SOON, look, session, end)
            return
        for client_state in waiting.pop(session):
            request(session, client_state)

    AppSession.request_rerun = request_in_order  # type: ignore[method-assign]


def _ends(session: AppSession) -> bool:
    """Whether its runner takes no further request and the server has not heard of its end."""
    runner = session._scriptrunner
    return runner is not None and runner._requests._state == ScriptRequestType.STOP
