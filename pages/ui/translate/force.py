"""Force it: point a token's cross-attention elsewhere, hide a word, silence heads; both translations side by side."""

import streamlit as st
from pages.ui.say import code, formula, plain, reading
from pages.ui.settings import ask
from pages.ui.writing import cache

from core.analysis.alignment import changed
from core.explorer.generation.records import Candidate, Intervention
from core.explorer.translate.interventions import pointed, silenced
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.translate.choices import AT_SOURCE, AT_TARGET, FORCE, REACH
from pages.ui.translate.steps import choose_heads
from pages.ui.translate.text import Translation, tokens, translated


def show_force(text: Translation) -> None:
    """What the visitor forces, the two translations, and the choice that it changed first."""
    st.caption(
        "Does the word come from where the decoder looks? Make it look elsewhere, hide a word, or silence heads, and "
        "compare what is written then."
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        what = ask(FORCE)
        if what == "attention":
            ask(AT_TARGET, high=max(0, len(text.written) - 1), width=170)
        if what != "silence heads":
            ask(AT_SOURCE, high=len(text.source) - 1, width=170)
    layer, head, over = (0, 0, "layer") if what == "hide a word" else choose_heads(text, REACH)
    row, source = _chosen(AT_TARGET.key, len(text.written)), _chosen(AT_SOURCE.key, len(text.source))
    forced, words = _forced(text, what, row, source, layer, head, over)
    after = translated(text.run, intervention=forced)
    lost, new = changed(text.ids, after.ids)
    _draw_source(text, what, source)
    st.markdown("**The translation as it was**" + (" (click the token to redirect)" if what == "attention" else ""))
    TokenButtons(
        tokens(text, struck=lost),
        key="translate-before",
        name="The translation as it was",
        selected=row if what == "attention" else None,
        sets=(lambda place: _set(AT_TARGET.key, place)) if what == "attention" else None,
    ).draw()
    st.markdown(f"**With {plain(words)}**")
    TokenButtons(tokens(after, shaded=new), key="translate-after", name="The translation that was forced").draw()
    reading(_said(text, after, words))
    _first_change(text, after, forced, row if what == "attention" else 0)
    formula(_rule(what, row, source))
    code(pointed, silenced, changed, key="translate-code-force")


def _rule(what: str, row: int, source: int) -> str:
    """What is set inside the model, as a formula; row: of the query that writes this token."""
    if what == "attention":
        return rf"A_{{{row},{source}}} = 1 \qquad A_{{{row},j}} = 0 \text{{ for }} j \ne {source}"
    if what == "hide a word":
        return rf"S_{{i,{source}}} = -\infty \text{{ for every }} i \qquad A = \mathrm{{softmax}}(S)"
    return r"z = A V \qquad z \leftarrow 0 \text{ in every silent head}"


def _draw_source(text: Translation, what: str, source: int) -> None:
    if what == "silence heads":
        return
    action = "the token to look at" if what == "attention" else "the token to hide"
    st.markdown(f"**The source** (click {action})")
    TokenButtons(
        [Token(piece, "", 0.0, struck=what != "attention" and n == source) for n, piece in enumerate(text.source)],
        key="translate-force-source",
        name="The source",
        selected=source,
        sets=lambda place: _set(AT_SOURCE.key, place),
        hue="k",
    ).draw()


def _forced(
    text: Translation, what: str, row: int, source: int, layer: int, head: int, over: str
) -> tuple[Intervention, str]:
    """What is forced, and the same in words."""
    config = text.run.config
    where = {"this head": f"head {head + 1} of layer {layer + 1}", "layer": f"all heads of layer {layer + 1}"}.get(
        over, "all heads of all layers"
    )
    if what == "hide a word":
        return Intervention(hidden=(source,)), f"“{text.source[source]}” hidden from everyone"
    if what == "attention":
        found = pointed(config, row, source, len(text.source), layer, head, over)
        return found, f"{where} looking only at “{text.source[source]}” when token {row} is written"
    heads = (head,) if over == "this head" else tuple(range(config.heads))
    layers = range(config.layers) if over == "all" else (layer,)
    edits = tuple(edit for n in layers for edit in silenced(n, heads).edits)
    return Intervention(edits), f"{where} silent in cross-attention"


def _said(text: Translation, after: Translation, words: str) -> str:
    lost, new = changed(text.ids, after.ids)
    if not lost and not new:
        return f"With {words}, every token stays the same."
    first = min([*lost, *new])
    are = "is" if len(new) == 1 else "are"
    return f"With {words}, {len(new)} of the {len(after.ids)} tokens {are} new; the translations part at token {first}."


def _first_change(text: Translation, after: Translation, forced: Intervention, row: int) -> None:
    """The likeliest tokens at the first place where the two differ, or at the forced one, before and after."""
    pairs = zip(text.ids, after.ids, strict=False)
    place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(row, len(text.ids) - 1))
    read = text.read(place)
    before = cache.step(text.run, read, number=place).stages[0].probabilities
    now = cache.step(text.run, read, number=place, intervention=forced)
    likely = {each.id: each for each in now.likeliest(6)} | {
        each.id: each for each in cache.step(text.run, read, number=place).likeliest(6)
    }
    rows = [
        Candidate(i, each.piece, float(now.stages[0].probabilities[i]), float(before[i])) for i, each in likely.items()
    ]
    st.markdown(f"**What was likeliest for token {place}, before and after**")
    Candidates(
        sorted(rows, key=lambda each: -each.probability)[:10],
        key="translate-change",
        name="The likeliest tokens before and after",
        chosen=now.chosen,
        caption="Full bar: with what you forced. Outline: without.",
        before="without",
    ).draw()


def _chosen(key: str, count: int) -> int:
    return min(int(st.session_state.get(key) or 0), max(0, count - 1))


def _set(key: str, place: int) -> None:
    st.session_state[key] = place
