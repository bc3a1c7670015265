"""Matrices and a grid of heads from a seeded generator, for the browser tests; choices come from the URL."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.canvas.head_grid.head_grid import HeadGrid
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.canvas.runtime import modules

HOSTILE = ["0:<img src=x onerror=alert(1)>", "1:</svg><script>alert(2)</script>", "2:\u202eקטة", "3:👩‍👩‍👧‍👦"]


def labels(count: int, hostile: bool) -> list[str]:
    words = ["the", "cat", "sat", "on", "a", "mat", "because", "extraordinarily", "tired"]
    plain = [f"{i}:{words[i % len(words)]}" for i in range(count)]
    return (HOSTILE + plain[len(HOSTILE) :])[:count] if hostile else plain


def softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def picked(panel: str, row: int, col: int) -> Mapping[str, Any]:
    return {"pick": (panel, row, col)}


def chosen(name: str) -> tuple[int, int] | None:
    panel, row, col = st.session_state.get("pick", ("none", 0, 0))
    return (row, col) if panel == name else None


def show_matrices(rng: np.random.Generator) -> None:
    params = st.query_params
    tokens, width = int(params.get("n", 8)), int(params.get("e", 4))
    query, keys = rng.standard_normal((2, tokens, width)).astype(np.float32)
    names = labels(tokens, "hostile" in params)
    scores = query @ keys.T / np.sqrt(width)
    masked = np.where(np.tri(tokens, dtype=bool), scores, -np.inf)
    square = partial(Panel, rows=names, cols=names, row_axis="queries", col_axis="keys")
    if "dense" not in params:
        q = Panel("q", "Q = X W_Q", query, names, row_axis="queries", col_axis="d_k", tint="q", outlines=[(1, None)])
        k = Panel("k", "Kᵀ", keys.T, cols=names, row_axis="d_k", col_axis="keys", tint="k", before="×")
        s = square("s", "S = Q Kᵀ / √d_k", scores, before="=", selected=chosen("s"))
        cell = int(params["cell"]) if "cell" in params else None
        Matrices([q, k, s], key="product", name="scores step by step", cell=cell, sets=picked).draw()
    faint = 0.01 if "faint" in params else None
    weights = partial(square, scale="weight", limit=faint, before="→", selected=chosen("a"))
    panels = [
        square("mask", "Mask", np.tri(tokens, dtype=bool), scale="mask"),
        square("masked", "Scores after the mask", masked, before="→", selected=chosen("masked")),
        weights("a", "A = softmax(S): rows sum to 1", softmax(masked) * (faint or 1)),
    ]
    Matrices(panels, key="attention", name="mask and softmax", sets=picked).draw()


def show_heads(rng: np.random.Generator) -> None:
    params = st.query_params
    layers, heads = int(params.get("layers", 3)), int(params.get("heads", 4))
    noise = rng.standard_normal((layers, heads, 24, 24)).astype(np.float32) * np.linspace(0.5, 4, heads)[:, None, None]
    shades = np.round(255 * softmax(np.where(np.tri(24, dtype=bool), noise, -np.inf))).astype(np.uint8)
    head = st.session_state.get("head", (0, 0))
    st.text(f"head {head[0]} {head[1]}")
    HeadGrid(
        shades,
        key="heads",
        name="all heads",
        selected=head,
        sets=lambda layer, head: {"head": (layer, head)},
        hidden=[(1, 2)],
        caption="Demo",
        limit=0.01 if "faint" in params else 1.0,
        masked=~np.tri(24, dtype=bool),
    ).draw()


def main() -> None:
    st.set_page_config(page_icon="🔎", layout="wide")
    seed = int(st.query_params.get("seed", 0)) + st.session_state.setdefault("step", 0)
    rng = np.random.default_rng(seed)
    pick = st.session_state.get("pick", ("none", 0, 0))
    st.text(f"picked {pick[0]} {pick[1]} {pick[2]}")
    st.button("new numbers", on_click=lambda: st.session_state.update(step=st.session_state["step"] + 1))
    show_matrices(rng)
    show_heads(rng)


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, routes=modules.routes())
