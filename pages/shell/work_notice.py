"""Work that takes a while: the notice on the screen meanwhile, and the button that stops it."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import copy_context

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.compute.cancellation import cancel_on_click
from pages.compute.heavy_queue import on_queue_position
from pages.session.visit import visit_state

NOTICE_SECONDS = 1.0  # seconds: shorter work needs no notice


class _Notice:
    """A line of words with a button that stops the work `what`.

    It is drawn in the place where the notice was made, whichever code calls `say`, because that may be a function whose
    result is cached for all visitors.
    """

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
    """Show a notice with a button "Stop" while the work in this context takes long or waits for other work.

    The notice comes at once if the work takes NOTICE_SECONDS or more; if it waits, it says how many come before it. A
    click on any control of the view stops the work too, because something else is asked for then.

    what: identifies the work.
    seconds: about how long the work takes.
    key: key of the notice; each notice on a page needs its own.
    at_once: whether a click stops the work even before there is a notice.
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
    """Return whether the visitor has stopped this work; if so, draw a button that starts it again."""
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
