"""The Python behind a picture: code that makes its numbers again, and the source of the functions that ran."""

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache
from pkgutil import resolve_name

import streamlit as st

COPY_NOTE = "Copied into python in the project's folder, this gives the numbers of this view:"


def show_source(paths: Sequence[str], key: str, write_piece: Callable[[], str]) -> None:
    """Draw a folded panel with Python that makes the numbers of a view again, and the source of what ran.

    paths: functions by their dotted paths, as in "core.model.attention.attention".
    write_piece: writes the Python to be copied, "" if there is none; called only if the panel is open.
    """
    panel = st.expander("The Python that ran", icon=":material/code:", key=key, on_change="rerun")
    if panel.open:
        with panel:
            if piece := write_piece():
                st.caption(COPY_NOTE)
                st.code(piece, language="python", wrap_lines=True)
                st.caption("What these functions do:")
            for path in paths:
                st.code(source(path), language="python", wrap_lines=True)


@lru_cache(maxsize=256)
def source(path: str) -> str:
    """Return the source of a function or class, below the name of its file.

    Raises ImportError or AttributeError for a path that leads nowhere.
    """
    resolved = resolve(path)
    return f"# {resolved.__module__.replace('.', '/')}.py\n{inspect.getsource(resolved)}"


def resolve(path: str) -> type:
    """Return the function or class at a dotted path.

    Raises ImportError if no module is found, and AttributeError if the module lacks the name.
    """
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        module, attributes = ".".join(parts[:count]), ".".join(parts[count:])
        try:
            resolved: type = resolve_name(f"{module}:{attributes}")
        except ModuleNotFoundError:
            continue
        return resolved
    raise ImportError(f"nothing stands at {path}")
