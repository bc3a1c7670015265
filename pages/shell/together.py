"""What a run of the script says reaches the browser together."""

import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

HOLD_SECONDS = 0.06  # seconds
HELD = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)
_OWN = threading.local()  # of a run's thread: hands over what the run has said so far


def send_together() -> None:
    """Hand a run's messages over when it ends, or `HOLD_SECONDS` after the first.

    Streamlit 1.67 hands over each by itself: the server's loop wakes for it and takes Python's lock from the run, and
    the browser draws the page several times.
    """
    held: WeakKeyDictionary[AppSession, deque[Callable[[], None]]] = WeakKeyDictionary()

    def receive(self: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **said: Any) -> None:
        events = held.setdefault(self, deque())
        hand_over = partial(_hand_over, events)
        events.append(partial(self._handle_scriptrunner_event_on_event_loop, sender, event, **said))
        if event not in HELD:
            self._call_soon_on_event_loop(hand_over)
        elif len(events) == 1:
            self._call_soon_on_event_loop(lambda: later(self, hand_over))
        if event == ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
            _OWN.hand_over = partial(self._call_soon_on_event_loop, hand_over)

    def later(session: AppSession, hand_over: Callable[[], None]) -> None:
        session._event_loop.call_later(HOLD_SECONDS, hand_over)

    AppSession._on_scriptrunner_event = receive  # type: ignore[method-assign, assignment]


def hand_over_now() -> None:
    """Hand over what this run has said so far: what comes next takes its time."""
    if hand_over := getattr(_OWN, "hand_over", None):
        hand_over()


def _hand_over(events: deque[Callable[[], None]]) -> None:
    while events:
        events.popleft()()
