"""Changes to Streamlit's internals; every private name of Streamlit that this project uses is in this file.

`apply` makes the changes once, when the server starts. The docstring of each says what Streamlit 1.67 does without it,
and which test fails once Streamlit no longer needs it. Without the changes that only save time, the app is slower but
works.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pkgutil import resolve_name
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import streamlit as st
from streamlit import net_util
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext, get_script_run_ctx

TESTED_VERSION = "1.67"
POLL_SECONDS, MAX_WAIT_SECONDS = 0.002, 10.0  # for the end of a run
HOLD_SECONDS = 0.06
HELD_EVENTS = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
_OWN = threading.local()  # of a run's thread: hands over what the run has said so far


@dataclass(frozen=True)
class Patch:
    """One change to Streamlit.

    make: makes the change.
    needs: the attributes that it replaces or uses, by dotted path; "module:Class().name" is one that `__init__` sets.
        If one is missing, the change is left out.
    without: what the app does if the change is left out, as the rest of a sentence.
    quickens: whether the change only makes the app quicker.
    """

    make: Callable[[], None]
    needs: tuple[str, ...]
    without: str
    quickens: bool = False


def apply(quicken: bool = True) -> list[str]:
    """Make all changes that this version of Streamlit allows; return a sentence for each deviation.

    quicken: False leaves out the changes that only make the app quicker.
    """
    sentences = []
    if not st.__version__.startswith(f"{TESTED_VERSION}."):
        sentences.append(
            f"This is Streamlit {st.__version__}; the changes to its inside were tested with {TESTED_VERSION}."
        )
    for patch in PATCHES:
        if patch.quickens and not quicken:
            continue
        if missing := [path for path in patch.needs if not _exists(path)]:
            sentences.append(f"Streamlit has no {missing[0]} any more: {patch.without}")
        else:
            patch.make()
    return sentences


def _exists(path: str) -> bool:
    owner, _, name = path.partition("().")
    try:
        found = resolve_name(owner)
        return not name or name in found.__init__.__code__.co_names
    except (AttributeError, ImportError):
        return False


def wait_for_ended_runs() -> None:
    """Delay the run of a late click until the server has taken all messages from the run before it.

    If a fragment is clicked while a run of the whole page ends, that run's runner refuses the click, and Streamlit
    starts a new runner. This drops the messages that the old runner had handed over and the server's loop had not taken
    yet, so everything below the fragment is gone for good (streamlit/streamlit#8298 describes the queue). Can go when
    test_streamlit_patches.py::test_the_end_of_the_page_is_not_lost fails at its first line.
    """
    create = AppSession._create_scriptrunner
    waiting: WeakKeyDictionary[AppSession, deque[RerunData]] = WeakKeyDictionary()

    def create_in_order(self: AppSession, initial_rerun_data: RerunData) -> None:
        if self in waiting:
            waiting[self].append(initial_rerun_data)
        elif self._scriptrunner is not None:
            waiting[self] = deque([initial_rerun_data])
            look(self, time.monotonic() + MAX_WAIT_SECONDS)
        else:
            create(self, initial_rerun_data)

    def look(session: AppSession, end: float) -> None:
        if session._scriptrunner is not None and time.monotonic() < end:
            session._event_loop.call_later(POLL_SECONDS, look, session, end)
            return
        first, *others = waiting.pop(session)
        if session._state == AppSessionState.SHUTDOWN_REQUESTED:
            return
        create(session, first)
        for asked in others:
            if session._scriptrunner is None or not session._scriptrunner.request_rerun(asked):
                create_in_order(session, asked)

    AppSession._create_scriptrunner = create_in_order  # type: ignore[method-assign]


def keep_unsent_pages() -> None:
    """Keep a whole page in the queue that has not been sent yet while one of its fragments is drawn anew.

    Streamlit takes the fragment's messages out of the queue, so the browser closes the gap, and then draws the fragment
    over the parts that have moved there (streamlit/streamlit#10132 repairs the same for the end of a run only).
    Can go when test_streamlit_patches.py::test_the_page_keeps_its_part_… fails at its first line.
    """
    clear = AppSession._clear_queue

    def clear_parts(self: AppSession, fragment_ids_this_run: list[str] | None = None) -> None:
        queue = self._browser_queue
        if fragment_ids_this_run and any(_ends_a_page(message) for message in queue._queue):
            queue._delta_index_map = {}  # what comes is not to take the place of what stands before that end
        else:
            clear(self, fragment_ids_this_run)

    AppSession._clear_queue = clear_parts  # type: ignore[method-assign]


def draw_the_page_first() -> None:
    """Draw the page that the address names before a session's first click is taken.

    A browser whose server was started anew, or that a proxy has led to another copy, goes on in a new session, and asks
    for nothing until a click. Streamlit gives no answer to a click in a fragment that this session has not drawn, and
    to any other it draws what the address says, which the click has not reached yet.
    Can go when test_streamlit_patches.py::test_the_first_click_after_a_restart_… fails at its first line.
    """
    request = AppSession.request_rerun
    begun: WeakSet[AppSession] = WeakSet()
    waiting: WeakKeyDictionary[AppSession, list[ClientState | None]] = WeakKeyDictionary()

    def request_after_a_page(self: AppSession, client_state: ClientState | None) -> None:
        new = self not in begun
        begun.add(self)
        if self in waiting:
            waiting[self].append(client_state)
        elif new and client_state and (client_state.fragment_id or client_state.widget_states.widgets):
            visit = ClientState()
            visit.CopyFrom(client_state)
            for name in ("widget_states", "fragment_id"):
                visit.ClearField(name)
            request(self, visit)
            waiting[self] = [client_state]
            look(self, time.monotonic() + MAX_WAIT_SECONDS)
        else:
            request(self, client_state)

    def look(session: AppSession, end: float) -> None:
        if session._scriptrunner is not None and time.monotonic() < end:
            session._event_loop.call_later(POLL_SECONDS, look, session, end)
            return
        for asked in waiting.pop(session):
            request(session, asked)

    AppSession.request_rerun = request_after_a_page  # type: ignore[method-assign]


def _ends_a_page(message: ForwardMsg) -> bool:
    """Return whether a message makes the browser remove all that the last run of the whole page has not drawn."""
    return message.WhichOneof("type") == "script_finished" and (
        message.script_finished == ForwardMsg.ScriptFinishedStatus.FINISHED_SUCCESSFULLY
    )


def send_together() -> None:
    """Hand a run's messages to the server together: when the run ends, or `HOLD_SECONDS` after the first message.

    Streamlit hands over each message by itself: the server's loop wakes for it and takes Python's lock from the run,
    and the browser draws the page several times. The page that is shown is the same without this change:
    test_message_batching.py.
    """
    held: WeakKeyDictionary[AppSession, deque[Callable[[], None]]] = WeakKeyDictionary()

    def receive(self: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **data: Any) -> None:
        events = held.setdefault(self, deque())
        hand_over = partial(_hand_over, events)
        events.append(partial(self._handle_scriptrunner_event_on_event_loop, sender, event, **data))
        if event not in HELD_EVENTS:
            self._call_soon_on_event_loop(hand_over)
        elif len(events) == 1:
            self._call_soon_on_event_loop(lambda: later(self, hand_over))
        if event == ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            _OWN.hand_over = partial(self._call_soon_on_event_loop, hand_over)

    def later(session: AppSession, hand_over: Callable[[], None]) -> None:
        session._event_loop.call_later(HOLD_SECONDS, hand_over)

    AppSession._on_scriptrunner_event = receive  # type: ignore[method-assign, assignment]


def hand_over_now() -> None:
    """Send at once the messages that this run has held back so far, because its next part takes time."""
    if hand_over := getattr(_OWN, "hand_over", None):
        hand_over()


def _hand_over(events: deque[Callable[[], None]]) -> None:
    while events:
        events.popleft()()


def read_theme_once() -> None:
    """Compute the theme of the config file once, and not six times in every run of the script.

    That took a tenth of the processor time of a change. The file cannot change while the server runs:
    test_startup.py::test_the_theme_is_made_once_and_is_streamlits_own.
    """
    fill = app_session._populate_theme_msg

    @cache
    def made(section: str) -> CustomThemeConfig:
        fill(theme := CustomThemeConfig(), section)
        return theme

    def fill_once(msg: CustomThemeConfig, section: str = "theme") -> None:
        if made(section).ByteSize():  # merging nothing would say that there is such a theme
            msg.MergeFrom(made(section))

    app_session._populate_theme_msg = fill_once


def ask_nobody_for_an_address() -> None:
    """Keep the server from asking another host for its own address (streamlit/streamlit#7721).

    Streamlit asks whenever a request has an `Origin` header that it does not know, whoever sends it. It does so to
    admit a browser that reached it by the machine's IP address, behind a proxy that hides this address. Such a proxy
    can be named in `server.corsAllowedOrigins` or `browser.serverAddress` instead. A browser whose `Origin` is the host
    that it asks for is admitted without that question.
    """
    net_util.get_external_ip = net_util.get_internal_ip = _no_address


def _no_address() -> None:
    return None


def use_no_pages_folder() -> None:
    """Tell Streamlit that `pages/` is not the folder of its old kind of multi-page app.

    Otherwise the first visitor after a start reads "Page not found" if the visit begins with a deep link.
    """
    PagesManager.uses_pages_directory = False


_SESSION = "streamlit.runtime.app_session:AppSession"
PATCHES = (
    Patch(
        wait_for_ended_runs,
        (
            f"{_SESSION}._create_scriptrunner",
            *(f"{_SESSION}().{name}" for name in ("_scriptrunner", "_event_loop", "_state")),
        ),
        "a click as a page ends can lose what stands below it.",
    ),
    Patch(
        keep_unsent_pages,
        (
            f"{_SESSION}._clear_queue",
            f"{_SESSION}()._browser_queue",
            *(
                f"streamlit.runtime.forward_msg_queue:ForwardMsgQueue().{name}"
                for name in ("_queue", "_delta_index_map")
            ),
        ),
        "a click as a page ends can draw a part of it twice.",
    ),
    Patch(
        draw_the_page_first,
        (f"{_SESSION}.request_rerun", *(f"{_SESSION}().{name}" for name in ("_scriptrunner", "_event_loop"))),
        "the first click after a restart may get no answer.",
    ),
    Patch(
        ask_nobody_for_an_address,
        ("streamlit.net_util:get_external_ip", "streamlit.net_util:get_internal_ip"),
        "the server may ask another host for its address.",
    ),
    Patch(
        use_no_pages_folder,
        ("streamlit.runtime.pages_manager:PagesManager.uses_pages_directory",),
        "the first deep link after a start may lead nowhere.",
    ),
    Patch(
        send_together,
        (
            *(
                f"{_SESSION}.{name}"
                for name in (
                    "_on_scriptrunner_event",
                    "_handle_scriptrunner_event_on_event_loop",
                    "_call_soon_on_event_loop",
                )
            ),
            f"{_SESSION}()._event_loop",
        ),
        "pages are drawn in several steps, and slower.",
        quickens=True,
    ),
    Patch(
        read_theme_once,
        ("streamlit.runtime.app_session:_populate_theme_msg",),
        "every change takes a little longer.",
        quickens=True,
    ),
)


def run_context() -> ScriptRunContext | None:
    """Return Streamlit's context of the script run in this thread; None if the thread is no script run."""
    return get_script_run_ctx(suppress_warning=True)


def follow_click(context: ScriptRunContext) -> None:
    """End this script run and start the one that a click on this page has requested, as `st.rerun` would.

    If there was no such click, nothing happens. Ending the run in this way keeps the values of widgets that it has not
    drawn yet. The new run draws all that this one was to draw: the whole page if this one did.
    """
    requests = context.script_requests
    if requests is None or requests._state != ScriptRequestType.RERUN:
        return
    if requests._rerun_data.page_script_hash != context.page_script_hash:
        return
    request = requests.on_scriptrunner_ready()
    if request.type != ScriptRequestType.RERUN:
        raise StopException
    asked, drawing = request.rerun_data.fragment_id_queue, context.fragment_ids_this_run
    parts = dict.fromkeys([*drawing, *asked]) if drawing and asked else ()
    raise RerunException(replace(request.rerun_data, fragment_id_queue=list(parts)))


def history_query() -> str | None:
    """Return the address's query if the visitor came to it by Back or Forward in this run; None in any other run."""
    context = run_context()
    return context.query_string if context is not None and context.is_history_navigation else None
