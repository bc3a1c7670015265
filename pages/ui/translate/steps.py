"""One step of the decoder: what it had written, what it may see, where it looks, and what could come next."""

import numpy as np
import streamlit as st
from pages.ui.choices import PLACE
from pages.ui.formulas import SCORES
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, reading
from pages.ui.settings import Setting, ask
from pages.ui.writing import cache

from core.analysis.alignment import averaged
from core.explorer.generation.records import Candidate
from core.explorer.generation.texts import step as step_verb
from core.model.masks import causal
from core.readings.heads import read_row
from core.tracing.run import END
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.translate.choices import LOOKED, OVER
from pages.ui.translate.text import Translation

_, LAYER, HEAD = PLACE
LINES = 2  # of the translation, before it scrolls


def show_steps(text: Translation) -> None:
    """The translation so far, and the choice of the token that is looked at."""
    if not text.written:
        st.info("Nothing is written yet: press Step or Play.", icon=":material/play_arrow:")
        return
    wished = st.session_state.get(LOOKED.key)
    at = len(text.written) - 1 if wished is None else min(int(wished), len(text.written) - 1)
    layer, head, over = choose_heads(text)
    read = text.read(at)
    seen = cache.attentions(text.run, read)
    if seen.cross is None:
        raise ValueError("This model has no cross-attention.")
    looks = averaged(seen.cross, layer, head, over)[-1]
    back = averaged(seen.decoder, layer, head, over)[-1]
    left, right = st.columns([3, 2], gap="large")
    with left:
        _draw(text, at, looks, back, seen.source_pieces)
    with right:
        _candidates(text, at)
    labels = [f"{n}:{piece}" for n, piece in enumerate(seen.source_pieces)]
    reading(f"To write “{text.written[at].piece}”: {read_row(looks, f'{at}:{text.written[at].piece}', labels)}")
    mean = "" if over == "this head" else r"\underset{\text{heads}}{\mathrm{mean}}\;"
    config = text.run.config
    formula(
        rf"\underset{{1 \times {len(labels)}}}{{a}} = {mean}\mathrm{{softmax}}\Big({SCORES[config.score]}\Big) \qquad "
        rf"K \text{{ from the source}} \qquad d_k = {config.key_width} \qquad \text{{tokens read}} = {len(read)}"
    )
    numbers("cross-attention", looks[None], [f"{at}:{text.written[at].piece}"], labels, "translate-row", "token")
    code(step_verb, averaged, causal, key="translate-code-steps")


def choose_heads(text: Translation, which: Setting = OVER) -> tuple[int, int, str]:
    """Layer, head (from 0) and, by the setting `which`, whether one head is meant, a layer's, or all."""
    config = text.run.config
    with st.container(horizontal=True, gap="medium"):
        over = ask(which)
        layer = head = "1"
        if over != "all":
            layer = ask(LAYER, options=LAYER.options[: config.layers])
        if over == "this head":
            head = ask(HEAD, options=HEAD.options[: config.heads])
    return min(int(layer or 1), config.layers) - 1, min(int(head or 1), config.heads) - 1, over


def _draw(text: Translation, at: int, looks: np.ndarray, back: np.ndarray, source: tuple[str, ...]) -> None:
    def pick(place: int) -> None:
        st.session_state[LOOKED.key] = place

    over = " The model has written </s>: its translation is over." if text.ids[-1] == END else ""
    st.markdown("**The translation**")
    written = [
        Token(each.piece, f"chance {100 * each.own:.3g} %", 0.0, True, dim=n > at)
        for n, each in enumerate(text.written)
    ]
    TokenButtons(
        written,
        key="translate-text",
        name="The translation",
        selected=at,
        sets=pick,
        caption=f"Click a token to see how it was chosen.{over}",
        lines=LINES,
    ).draw()
    st.markdown("**Where it looks in the source**")
    TokenButtons(
        [Token(piece, f"weight {weight:.3f}", float(weight)) for piece, weight in zip(source, looks, strict=True)],
        key="translate-source",
        name="Cross-attention over the source",
        hue="k",
        caption="The stronger the colour, the more weight; the weights sum to 1.",
    ).draw()
    st.markdown("**What it may see of its own text, and where it looks there**")
    pieces = [*cache.start_pieces(text.run), *(each.piece for each in text.written)]
    row = [Token(piece, f"weight {back[n]:.3f}", float(back[n])) for n, piece in enumerate(pieces[: at + 1])]
    hidden = [Token(piece, "hidden by the causal mask", struck=True) for piece in pieces[at + 1 :]]
    TokenButtons(
        row + hidden,
        key="translate-own",
        name="Self-attention over the translation",
        selected=at,
        caption="Outlined: the last token read, which asks. Crossed out: not written yet when it asked.",
        lines=LINES,
    ).draw()


def _candidates(text: Translation, at: int) -> None:
    step = cache.step(text.run, text.read(at), number=at)
    ten = [Candidate(each.id, each.piece, each.own, each.own) for each in step.likeliest(11)]
    ten = sorted(ten, key=lambda each: -each.own)[:10]
    st.markdown(f"**The ten likeliest for token {at}**")
    Candidates(ten, key="translate-candidates", name="The ten likeliest tokens", chosen=step.chosen).draw()
    st.caption(f"Greedy: the likeliest is written. Entropy {step.entropy:.2f} bits.")
