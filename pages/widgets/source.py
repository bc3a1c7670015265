"""The Python behind a picture, named by its dotted path and read from its file."""

import inspect
from collections.abc import Sequence
from functools import lru_cache
from pkgutil import resolve_name

import streamlit as st


def show_source(paths: Sequence[str], key: str) -> None:
    """The Python that ran, folded: read from the source when it is opened. paths: "core.model.attention.attention"."""
    panel = st.expander("The Python that ran", icon=":material/code:", key=key, on_change="rerun")
    if panel.open:
        with panel:
            for path in paths:
                st.code(source(path), language="python", wrap_lines=True)


@lru_cache(maxsize=256)
def source(path: str) -> str:
    """The source of a function or class, under the name of its file. Raises ImportError or AttributeError for a path
    that leads nowhere."""
    found = resolve(path)
    return f"# {found.__module__.replace('.', '/')}.py\n{inspect.getsource(found)}"


def resolve(path: str) -> type:
    """What stands at a dotted path below core."""
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        module, rest = ".".join(parts[:count]), ".".join(parts[count:])
        try:
            found: type = resolve_name(f"{module}:{rest}")
        except ModuleNotFoundError:
            continue
        return found
    raise ImportError(f"nothing stands at {path}")
