"""Attention over a whole translation, as a matrix or as lines: cross-attention, or either side's self-attention."""

import numpy as np
import streamlit as st
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import ask

from core.analysis.alignment import averaged
from core.analysis.treatments import Side, Treated, Treatment, treat
from core.readings.patterns import read_pattern
from core.readings.treatments import name_treatment, read_treatment
from pages.canvas.lines.lines import TokenLines
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.translate.choices import DRAWN, TUNIT, WHICH
from pages.ui.translate.steps import choose_heads
from pages.ui.translate.text import Translation

SAID = {
    "cross": "Each row is a written token (its query), each column a token of the source (its key): where the decoder "
    "looked to write it.",
    "encoder": "Tokens of the source look at each other; nothing is hidden.",
    "decoder": "Written tokens look at themselves and at those before them; those that come later are hidden.",
}


def show_alignment(text: Translation) -> None:
    """The chosen attention over the whole translation."""
    with st.container(horizontal=True, gap="medium"):
        which, drawn, merge = ask(WHICH), ask(DRAWN), ask(TUNIT) == "words"
    layer, head, over = choose_heads(text)
    st.caption(SAID[which])
    pattern, queries, keys = sides(text, which, layer, head, over)
    found = treat(pattern, queries, keys, Treatment((), merge, 0.0))
    heads = {"this head": f"Layer {layer + 1}, head {head + 1}", "layer": f"Layer {layer + 1}, mean of its heads"}
    title = f"{heads.get(over, 'Mean of all layers and heads')}: {name_treatment(found)}"
    _draw(found, which, drawn, title)
    reading(read_pattern(found.pattern, found.queries, None if which != "cross" else found.keys))
    notes(read_treatment(found))
    queries_count, keys_count = found.pattern.shape
    formula(rf"\underset{{{queries_count} \times {keys_count}}}{{A}} \qquad \sum_j A_{{ij}} = 1")
    numbers("alignment", found.pattern, found.queries, found.keys, "translate-alignment-numbers")
    code(averaged, treat, key="translate-code-alignment")


def sides(text: Translation, which: str, layer: int, head: int, over: str) -> tuple[np.ndarray, Side, Side]:
    """A pattern (Q, K) with its rows and columns. A row of cross-attention bears the token that it writes."""
    seen = text.seen()
    source = Side(_numbered(seen.source_pieces), seen.source_words, seen.source_word_labels)
    read = Side(_numbered(seen.pieces), seen.words, seen.word_labels)
    if which == "encoder" and seen.encoder is not None:
        return averaged(seen.encoder, layer, head, over), source, source
    if which == "decoder" or seen.cross is None:
        return averaged(seen.decoder, layer, head, over), read, read
    first = len(text.start)
    words = [word - seen.words[first] for word in seen.words[first:]]
    writes = Side(_numbered(seen.pieces[first:]), words, seen.word_labels[seen.words[first] :])
    return averaged(seen.cross, layer, head, over)[first - 1 : -1], writes, source


def _numbered(pieces: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{n}:{piece}" for n, piece in enumerate(pieces))


def _draw(found: Treated, which: str, drawn: str, title: str) -> None:
    name = {"cross": "Cross-attention", "encoder": "Self-attention of the encoder"}.get(
        which, "Masked self-attention of the decoder"
    )
    if drawn == "lines":
        sides = found.queries, found.keys
        TokenLines(found.pattern[None], *sides, key="translate-lines", name=name, caption=title).draw()
        return
    values = found.pattern
    if which == "decoder" and values.shape[0] == values.shape[1]:
        values = np.where(np.tri(len(values), dtype=bool), values, -np.inf)
    panel = Panel("pattern", title, values, found.queries, found.keys, "queries", "keys", scale="weight")
    Matrices([panel], key="translate-matrix", name=name, height=560).draw()
