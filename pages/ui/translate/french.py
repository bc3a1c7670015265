"""Teacher forcing: the visitor's own French, token by token, beside what the model writes by itself."""

import streamlit as st

from core.explorer.generation import per_token, score_text
from core.explorer.generation_records import ScoredToken
from pages.ui.canvas.token_buttons import Token, token_buttons
from pages.ui.say import code, formula, reading
from pages.ui.translate.text import Translation
from pages.ui.writing import cache


def show_french(text: Translation) -> None:
    """The decoder's text of the frame, as the model scores it, and the free translation."""
    own = cache.own_ids(text.run)
    scored = cache.scored(text.run, own)
    free = cache.scored(text.run, text.ids)
    st.markdown("**Your French** (the second text box above). The darker a token, the less likely it was to the model.")
    token_buttons(_tokens(scored), key="translate-own-french", name="Your French, token by token")
    st.markdown("**What the model writes by itself**")
    token_buttons(_tokens(free), key="translate-free-french", name="The model's translation, token by token")
    totals = [sum(-each.surprisal for each in each_text) for each_text in (scored, free)]
    worst = min(scored, key=lambda each: each.probability)
    reading(
        f"Your text has {totals[0] / len(scored):.2f} bits of log-probability a token, the model's own "
        f"{totals[1] / max(1, len(free)):.2f}. Least expected was “{worst.piece}” ({100 * worst.probability:.3g} %, "
        f"place {worst.rank:,} of {text.run.config.vocab_size:,}): the model would have said “{worst.best}” "
        f"({100 * worst.best_probability:.3g} %)."
    )
    formula(
        rf"\log_2 p(\text{{yours}}) = \sum_t \log_2 p(y_t \mid y_{{<t}}, x) = {totals[0]:.2f}"
        rf"\qquad \log_2 p(\text{{model's}}) = {totals[1]:.2f}"
    )
    rows = {
        "token": [f"{n}:{each.piece}" for n, each in enumerate(scored)],
        "probability": [each.probability for each in scored],
        "rank": [each.rank for each in scored],
        "bits": [each.surprisal for each in scored],
        "the model would say": [each.best for each in scored],
        "with": [each.best_probability for each in scored],
    }
    st.dataframe(rows, hide_index=True, key="translate-scored")
    code(score_text, per_token, key="translate-code-french")


def _tokens(scored: tuple[ScoredToken, ...]) -> list[Token]:
    return [
        Token(
            each.piece,
            f"chance {100 * each.probability:.3g} %, rank {each.rank}, the model would say {each.best}",
            1.0 - each.probability,
            True,
        )
        for each in scored
    ]
