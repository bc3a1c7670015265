"""Whether the visitor for whom a run of the script computes still waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext, get_script_run_ctx

POLL_SECONDS = 0.25  # seconds from one look whether somebody still waits to the next


@contextmanager
def cancel_on_click(may: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Within it work, and waiting for another's, also ends when a control of the same part of the page is touched,
    which by itself Streamlit looks at only when the work is done. may: whether it may end so now."""
    visit = get_script_run_ctx(suppress_warning=True)
    if visit is None:
        yield
        return
    before = visit.yield_check

    def look() -> None:
        before()
        if may():
            _follow_click(visit)

    visit.yield_check = look
    try:
        yield
    finally:
        visit.yield_check = before


def raise_if_abandoned() -> None:
    """Ends this run of the script where nobody waits for it any more: the tab is closed, or something else chosen."""
    visit = get_script_run_ctx(suppress_warning=True)
    if visit is not None:
        visit.yield_check()


def _follow_click(visit: ScriptRunContext) -> None:
    """Ends this run and begins the one that a click on this page has asked for, as `st.rerun` would: so the browser
    and the server both keep the settings that this run has not drawn yet.

    The new run draws all that this one was to draw: the whole page where this one did.
    """
    requests = visit.script_requests
    if requests is None or requests._state != ScriptRequestType.RERUN:
        return
    if requests._rerun_data.page_script_hash != visit.page_script_hash:
        return
    request = requests.on_scriptrunner_ready()
    if request.type != ScriptRequestType.RERUN:
        raise StopException
    asked, drawing = request.rerun_data.fragment_id_queue, visit.fragment_ids_this_run
    parts = dict.fromkeys([*drawing, *asked]) if drawing and asked else ()
    raise RerunException(replace(request.rerun_data, fragment_id_queue=list(parts)))
