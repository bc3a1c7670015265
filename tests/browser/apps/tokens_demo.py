"""Tokens, candidates, a strip and a mask to paint, for the browser tests; `?still` lets nothing be picked."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from core.topics.generate.records import Candidate
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.mask_paint.mask_paint import MaskPaint
from pages.canvas.runtime import modules
from pages.canvas.strip.strip import Strip, Tile
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.canvas.token_chips.token_chips import TokenChips

PIECES = ("the", "·cat", "·sat", "s")
PROBABILITIES = (0.5, 0.3, 0.15, 0.05)


def sets(name: str) -> Callable[..., dict[str, Any]] | None:
    return None if "still" in st.query_params else lambda value, *cell: {name: value}


def show_tokens() -> None:
    flags: tuple[dict[str, Any], ...] = ({}, {"new": True}, {"forced": True, "new": True}, {"struck": True})
    tokens = [
        Token(piece, f"weight {probability:.2f}", probability, **each)
        for piece, probability, each in zip(PIECES, PROBABILITIES, flags, strict=True)
    ]
    TokenButtons(tokens, key="tokens", name="The text", selected=1, caption="A caption.", sets=sets("token")).draw()
    TokenChips(PIECES, (5, 6, 7, 8), (0, 1, 2, 2), ("the", "cat", "sats"), key="chips", name="Pieces").draw()
    rows = [
        Candidate(number, piece, probability, probability / 2)
        for number, (piece, probability) in enumerate(zip(PIECES, PROBABILITIES, strict=True))
    ]
    Candidates(rows, key="candidates", name="The likeliest", chosen=0, sets=sets("candidate")).draw()


def show_pictures() -> None:
    values = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    causal = np.where(np.tri(4, dtype=bool), 0.25, -np.inf)
    click = "" if "still" in st.query_params else "to choose it"
    texts = ("text", "text")
    tiles = [
        Tile("x", "X", values, "L × D = 4 × 6", tint="q", texts=("text", ""), click=click, pick=True, chosen=True),
        Tile("a", "A", causal, "L × L = 4 × 4", scale="weight", rows=PIECES, cols=PIECES, texts=texts, before="→"),
    ]
    Strip(tiles, key="strip", name="A stage", sets=sets("tile")).draw()
    mask = np.tri(4, dtype=bool)
    MaskPaint(
        mask, mask, PIECES, key="mask", name="Causal", title="The mask", sets=lambda strokes: {"strokes": strokes}
    ).draw()


def main() -> None:
    st.set_page_config(page_icon="🔎", layout="wide")
    show_tokens()
    show_pictures()
    for name in ("token", "candidate", "tile", "strokes"):
        st.text(f"{name}: {st.session_state.get(name)}")


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, routes=modules.routes())
