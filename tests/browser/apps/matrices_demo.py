"""Matrices and a grid of heads from a seeded generator, for the browser tests; choices come from the URL."""

from functools import partial

import numpy as np
import streamlit as st

from pages.canvas.head_grid.head_grid import HeadGrid
from pages.canvas.matrices.matrices import Matrices, Panel

HOSTILE = ["0:<img src=x onerror=alert(1)>", "1:</svg><script>alert(2)</script>", "2:\u202eקטة", "3:👩‍👩‍👧‍👦"]


def labels(count: int, hostile: bool) -> list[str]:
    words = ["the", "cat", "sat", "on", "a", "mat", "because", "extraordinarily", "tired"]
    plain = [f"{i}:{words[i % len(words)]}" for i in range(count)]
    return (HOSTILE + plain[len(HOSTILE) :])[:count] if hostile else plain


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


st.set_page_config(page_icon="🔎", layout="wide")
params = st.query_params
tokens, width, seed = (int(params.get(name, value)) for name, value in (("n", 8), ("e", 4), ("seed", 0)))
rng = np.random.default_rng(seed + st.session_state.setdefault("step", 0))
query, keys = rng.standard_normal((2, tokens, width)).astype(np.float32)
names = labels(tokens, "hostile" in params)
scores = query @ keys.T / np.sqrt(width)
allowed = np.tri(tokens, dtype=bool)
masked = np.where(allowed, scores, -np.inf)


def picked(panel: str, row: int, col: int) -> None:
    st.session_state["pick"] = (panel, row, col)


def head_picked(layer: int, head: int) -> None:
    st.session_state["head"] = (layer, head)


pick = st.session_state.get("pick", ("none", 0, 0))
st.text(f"picked {pick[0]} {pick[1]} {pick[2]}")
st.button("new numbers", on_click=lambda: st.session_state.update(step=st.session_state["step"] + 1))


def chosen(name: str) -> tuple[int, int] | None:
    return pick[1:] if pick[0] == name else None


square = partial(Panel, rows=names, cols=names, row_axis="queries", col_axis="keys")
if "dense" not in params:
    Matrices(
        [
            Panel(
                "q", "Q = X W_Q", query, rows=names, row_axis="queries", col_axis="d_k", tint="q", outlines=[(1, None)]
            ),
            Panel("k", "Kᵀ", keys.T, cols=names, row_axis="d_k", col_axis="keys", tint="k", before="×"),
            square("s", "S = Q Kᵀ / √d_k", scores, before="=", selected=chosen("s")),
        ],
        key="product",
        name="scores step by step",
        cell=int(params["cell"]) if "cell" in params else None,
        sets=picked,
    ).draw()
Matrices(
    [
        square("mask", "Mask", allowed, scale="mask"),
        square("masked", "Scores after the mask", masked, before="→", selected=chosen("masked")),
        square(
            "a",
            "A = softmax(S): rows sum to 1",
            softmax(masked) * (0.01 if "faint" in params else 1),
            scale="weight",
            limit=0.01 if "faint" in params else None,
            before="→",
            selected=chosen("a"),
        ),
    ],
    key="attention",
    name="mask and softmax",
    sets=picked,
).draw()
layers, heads = int(params.get("layers", 3)), int(params.get("heads", 4))
noise = rng.standard_normal((layers, heads, 24, 24)).astype(np.float32) * np.linspace(0.5, 4, heads)[:, None, None]
thumbs = np.round(255 * softmax(np.where(np.tri(24, dtype=bool), noise, -np.inf))).astype(np.uint8)
head = st.session_state.get("head", (0, 0))
st.text(f"head {head[0]} {head[1]}")
HeadGrid(
    thumbs,
    key="heads",
    name="all heads",
    selected=head,
    sets=head_picked,
    hidden=[(1, 2)],
    caption="Demo",
    limit=0.01 if "faint" in params else 1.0,
).draw()
