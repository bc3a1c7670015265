"""Teacher forcing: the visitor's own French, token by token, beside what the model writes by itself."""

from collections.abc import Sequence

import streamlit as st
from pages.ui.say import code, formula, reading
from pages.ui.writing import cache

from core.explorer.generation.records import ScoredToken
from core.explorer.generation.texts import per_token, score_text
from core.readings.words import number, percent
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.translate.tables import listed
from pages.ui.translate.text import Translation


def show_french(text: Translation) -> None:
    """The decoder's text of the frame, as the model scores it, and the free translation."""
    own = cache.own_ids(text.run)
    scored = cache.scored(text.run, own)
    free = cache.scored(text.run, text.ids)
    st.caption(
        "**Teacher forcing**: the decoder is given your translation, token by token, whatever it would have written, "
        "and says each time how likely your next token was. Running free, it goes on from its own tokens."
    )
    st.markdown("**Your translation.** Write it in the box “Text of the decoder” above.")
    TokenButtons(
        _tokens(scored),
        key="translate-own-french",
        name="Your translation, token by token",
        caption="The stronger the colour, the less likely it was to the model. Dashed: the model would have written "
        "something else.",
    ).draw()
    st.markdown("**What the model writes by itself**")
    TokenButtons(_tokens(free), key="translate-free-french", name="The model's translation, token by token").draw()
    totals = [sum(-each.surprisal for each in each_text) for each_text in (scored, free)]
    reading(_said(scored, free, text.run.config.vocab_size))
    formula(
        rf"\log_2 p(\text{{yours}}) = \sum_t \log_2 p(y_t \mid y_{{<t}}, x) \qquad = {totals[0]:.2f}"
        rf"\qquad \log_2 p(\text{{model's}}) = {totals[1]:.2f}"
    )
    rows: dict[str, Sequence[str | int | float]] = {
        "token": [f"{n}:{each.piece}" for n, each in enumerate(scored)],
        "probability": [each.probability for each in scored],
        "rank": [each.rank for each in scored],
        "bits": [each.surprisal for each in scored],
        "the model would say": [each.best for each in scored],
        "with": [each.best_probability for each in scored],
    }
    listed("scored", rows, "translate-scored")
    code(score_text, per_token, key="translate-code-french")


def _said(scored: tuple[ScoredToken, ...], free: tuple[ScoredToken, ...], vocabulary: int) -> str:
    """How surprising both texts were, and the token that was expected least."""
    yours, own = (sum(each.surprisal for each in text) / max(1, len(text)) for text in (scored, free))
    said = f"Your text surprised the model by {number(yours)} bits a token, its own by {number(own)}. "
    worst = min(scored, key=lambda each: each.probability)
    said += (
        f"Least expected was “{worst.piece}” with {percent(worst.probability)}, place {worst.rank:,} of {vocabulary:,}"
    )
    if worst.rank == 1:
        return f"{said}: the likeliest all the same."
    return f"{said}: the model would have said “{worst.best}” ({percent(worst.best_probability)})."


def _tokens(scored: tuple[ScoredToken, ...]) -> list[Token]:
    return [
        Token(
            each.piece,
            f"chance {100 * each.probability:.3g} %, rank {each.rank}, the model would say {each.best}",
            1.0 - each.probability,
            new=True,
            forced=each.rank > 1,
        )
        for each in scored
    ]
