"""Work that takes a while: what stands on the screen meanwhile, and the button that ends it."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import copy_context

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.compute.cancellation import cancel_on_click
from pages.compute.heavy_queue import on_queue_position
from pages.widgets.session import visit_state

NOTICE_SECONDS = 1.0  # seconds: what takes less needs no words


class _Notice:
    """A line of words with a button that ends the work `what`. It stands where the notice was made, whoever speaks,
    since that may be a function whose result is kept for all."""

    def __init__(self, key: str, what: Hashable) -> None:
        self.place, self.key, self.what = st.empty(), key, what
        self.words: DeltaGenerator | None = None
        self.here = copy_context()

    def say(self, words: str) -> None:
        self.here.run(self._write, f":material/hourglass_top: {words}")

    def _write(self, words: str) -> None:
        if self.words is None:
            with self.place.container(horizontal=True, gap="small", vertical_alignment="center", key=self.key):
                self.words = st.empty()
                stop = f"{self.key}-stop"
                st.button("Stop", key=stop, icon=":material/stop:", on_click=_stop, args=(self.what,))
        self.words.markdown(words)


@contextmanager
def work_notice(what: Hashable, seconds: float = 0, key: str = "going", at_once: bool = True) -> Iterator[None]:
    """Within it work of about so many seconds goes on: where that is long the page says so at once, beside a button,
    and where the work waits for others it says how many.

    A click on any control of the view ends it too, since what is asked for then is something else. what: which work.
    key: of the notice, not that of another one on the page. at_once: clicks end it also before anything is said.
    """
    notice = _Notice(key, what)
    at_work = f"The model is at work: about {seconds:.0f} s." if seconds >= NOTICE_SECONDS else "The model is at work."

    def tell(ahead: int) -> None:
        if ahead:
            notice.say(f"Heavy work goes one at a time: {ahead} before you.")
        elif notice.words:
            notice.say(at_work)

    if seconds >= NOTICE_SECONDS:
        notice.say(at_work)
    try:
        with cancel_on_click(lambda: at_once or notice.words is not None), on_queue_position(tell):
            yield
    except Exception:
        notice.place.empty()
        raise
    notice.place.empty()


def was_stopped(what: Hashable) -> bool:
    """Whether the visitor has ended this work; then a button begins it anew."""
    if visit_state().stopped != what:
        return False
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="going-ended"):
        st.markdown(":material/stop: You stopped this.")
        st.button("Run it", key="going-again", icon=":material/play_arrow:", on_click=_begin)
    return True


def _stop(what: Hashable) -> None:
    visit_state().stopped = what


def _begin() -> None:
    visit_state().stopped = None
