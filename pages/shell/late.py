"""What a run of the script says last reaches the browser, also where a click comes in the moment in which it ends."""

import time
from collections import deque
from weakref import WeakKeyDictionary

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

SOON, PATIENCE = 0.002, 10.0  # seconds from one look to the next, and in all


def hear_runs_out() -> None:
    """Mend what Streamlit 1.67 drops of a run of the whole page when a click on a part of it comes as it ends. The
    click draws its own part only, so what stands below was gone for good."""
    _wait_for_ended_runs()
    _keep_whole_pages()


def _wait_for_ended_runs() -> None:
    """Let a click that the runner refuses, since it has ended, wait until the server has taken everything from it: when
    a new runner begins, Streamlit drops what the old one had handed over and the server's loop had not taken yet."""
    create = AppSession._create_scriptrunner
    waiting: WeakKeyDictionary[AppSession, deque[RerunData]] = WeakKeyDictionary()

    def create_in_order(self: AppSession, initial_rerun_data: RerunData) -> None:
        if self in waiting:
            waiting[self].append(initial_rerun_data)
        elif self._scriptrunner is not None:
            waiting[self] = deque([initial_rerun_data])
            look(self, time.monotonic() + PATIENCE)
        else:
            create(self, initial_rerun_data)

    def look(session: AppSession, end: float) -> None:
        if session._scriptrunner is not None and time.monotonic() < end:
            session._event_loop.call_later(SOON, look, session, end)
            return
        first, *others = waiting.pop(session)
        if session._state == AppSessionState.SHUTDOWN_REQUESTED:
            return
        create(session, first)
        for asked in others:
            if session._scriptrunner is None or not session._scriptrunner.request_rerun(asked):
                create_in_order(session, asked)

    AppSession._create_scriptrunner = create_in_order  # type: ignore[method-assign]


def _keep_whole_pages() -> None:
    """Leave a whole page that has not been sent yet as it is when a part of it is drawn anew: Streamlit takes that part
    out, so the browser closes the gap, and then draws the part over what has moved there."""
    clear = AppSession._clear_queue

    def clear_parts(self: AppSession, fragment_ids_this_run: list[str] | None = None) -> None:
        queue = self._browser_queue
        if fragment_ids_this_run and any(_ends_a_page(message) for message in queue._queue):
            queue._delta_index_map = {}  # what comes is not to take the place of what stands before that end
        else:
            clear(self, fragment_ids_this_run)

    AppSession._clear_queue = clear_parts  # type: ignore[method-assign]


def _ends_a_page(message: ForwardMsg) -> bool:
    """Whether with it the browser removes everything that the last run of the whole page has not drawn."""
    return message.WhichOneof("type") == "script_finished" and (
        message.script_finished == ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY
    )
