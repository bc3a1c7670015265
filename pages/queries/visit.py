"""Whether the visitor for whom a run of the script computes still waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

LOOK = 0.25  # seconds from one look whether somebody still waits to the next


@contextmanager
def ended_by_clicks(may: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Within it work, and waiting for another's, also ends when a control of the same part of the page is touched,
    which by itself Streamlit looks at only when the work is done. may: whether it may end so now."""
    visit = get_script_run_ctx(suppress_warning=True)
    if visit is None:
        yield
        return
    before = visit.yield_check

    def look() -> None:
        before()
        if may() and getattr(visit.script_requests, "_state", None) == ScriptRequestType.RERUN:
            raise StopException

    visit.yield_check = look
    try:
        yield
    finally:
        visit.yield_check = before


def check_visit() -> None:
    """Ends this run of the script where nobody waits for it any more: the tab is closed, or something else chosen."""
    visit = get_script_run_ctx(suppress_warning=True)
    if visit is not None:
        visit.yield_check()
