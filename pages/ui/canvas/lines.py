"""Tokens in two columns with a line for every weight: the picture of who attends to whom."""

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from pages.ui.canvas.assets import HERE, script, style
from pages.ui.canvas.pack import pack

MAX_HEADS = 16
HTML = """
<div class="canvas-root lines" role="group">
  <div class="controls">
    <div class="heads" role="group" aria-label="Heads shown" data-part="heads"></div>
    <label class="threshold"><span>Hide weak lines</span>
      <input type="range" min="0" max="1000" step="1" aria-label="Hide weights below" data-part="slider">
      <output data-part="threshold"></output></label>
  </div>
  <p class="reading" data-part="reading"></p>
  <div class="ends"><span class="q">Queries</span><span class="k">Keys</span></div>
  <div class="scroll" data-part="scroll">
    <div class="stage" data-part="stage">
      <div class="view"><canvas data-part="all"></canvas><canvas data-part="some"></canvas></div>
      <div class="column q" role="group" aria-label="Queries" data-part="q"></div>
      <div class="column k" role="group" aria-label="Keys" data-part="k"></div>
    </div>
  </div>
  <div class="foot"><span class="caption" data-part="caption"></span><span data-part="save"></span></div>
</div>
"""

JS = f"{script('lines_paint')}\n{(HERE / 'lines.js').read_text(encoding='utf-8')}"

_lines = st.components.v2.component("token_lines", html=HTML, css=style("lines"), js=JS)


def token_lines(
    weights: np.ndarray,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    key: str,
    name: str,
    head_names: Sequence[str] = (),
    threshold: float = 0.0,
    pinned: int | None = None,
    on_pin: Callable[[int | None], None] | None = None,
    on_threshold: Callable[[float], None] | None = None,
    caption: str = "",
) -> None:
    """Draw a line from each query to each key, as strong as its weight.

    weights: (H, Q, K) in [0, 1], each row over K with sum 1 (or 0: nothing to attend to). queries, keys: token
    labels, unlike each other within their column ("3:cat"). name: what a screen reader calls the picture, and the
    stem of the saved file. threshold: where the slider that hides weak lines starts. pinned: the query whose lines
    are kept. on_pin: called before the rerun with the query that the visitor pinned, or None; without it the
    browser keeps the pin to itself. on_threshold: called before the rerun with the weight at which the visitor let
    go of the slider. Raises ValueError when the sizes disagree or a weight is no weight.
    """
    heads, *sides = weights.shape
    if sides != [len(queries), len(keys)]:
        raise ValueError(f"weights {weights.shape} do not fit {len(queries)} queries and {len(keys)} keys")
    if not 1 <= heads <= MAX_HEADS or (head_names and len(head_names) != heads):
        raise ValueError(f"{heads} heads with {len(head_names)} names: 1 to {MAX_HEADS} heads, a name for each or none")
    if not (np.isfinite(weights).all() and weights.min(initial=0) >= 0 and weights.max(initial=0) <= 1 + 1e-5):
        raise ValueError("weights must be between 0 and 1")
    meta = {
        "queries": list(queries),
        "keys": list(keys),
        "heads": list(head_names) or [f"head {head + 1}" for head in range(heads)],
        "name": name,
        "caption": caption,
        "threshold": min(1.0, max(0.0, float(threshold))),
        "pinned": pinned if pinned is not None and 0 <= pinned < len(queries) else None,
        "controlled": on_pin is not None,
        "tells": on_threshold is not None,
    }

    def picked() -> None:
        query = pinned_query(st.session_state[key]["pin"], len(queries))
        if on_pin is not None and query is not None:
            on_pin(None if query < 0 else query)

    def let_go() -> None:
        weight = valid_threshold(st.session_state[key]["threshold"])
        if on_threshold is not None and weight is not None:
            on_threshold(weight)

    _lines(data=pack(meta, {"weights": weights}), key=key, on_pin_change=picked, on_threshold_change=let_go)


def pinned_query(value: object, count: int) -> int | None:
    """The query that the browser names: 0 to count - 1, -1 for "unpinned", None for anything it should not send."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if -1 <= value < count else None


def valid_threshold(value: object) -> float | None:
    """The weight in [0, 1] that the browser names, None for anything it should not send."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None
