"""The query of the address as Streamlit holds it for this run."""

from collections.abc import Mapping, Sequence

from streamlit.runtime.scriptrunner import get_script_run_ctx


def replace(params: Mapping[str, Sequence[str]]) -> None:
    """Make these the query, before any widget reads it; the browser is told where that changes anything.

    `st.query_params` cannot: it refuses to change what a widget is bound to, and what it changes is not what widgets
    read when they are drawn for the first time.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as held:
        for key in params:
            if held.get_all(key) != list(params[key]):
                held.set_corrected_value(key, list(params[key]), "string_array_value")
        gone = [key for key in held if key not in params]
        for key in gone[:-1]:
            held.discard_param_no_forward_msg(key)
        for key in gone[-1:]:
            held.remove_param(key)
        held.set_initial_query_params_from_current()
