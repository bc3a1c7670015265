"""The views of one token of a text: how it was chosen, and how sure the model was."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from core.decoding.filters import min_p, top_k, top_p
from core.decoding.sampling import draw, stages, uniform
from core.explorer.generation.choice import choice
from core.explorer.generation.texts import generate
from core.readings.generation import read_along, read_choice
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.generate.clickable import clickable
from pages.ui.generate.inside import show_attention, show_layers, show_mask
from pages.ui.generate.numbers import along, draw_chart, listed, removed_words, stage_chart
from pages.ui.generate.several import show_samples
from pages.ui.generate.specs import along_text_spec, draw_bar_spec, stage_bars_spec
from pages.ui.generate.text import PAGE, Story, branch, look_at
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, plain, reading
from pages.ui.writing.player import playing


def show_stages(story: Story, at: int) -> None:
    """From the logits to the draw, stage by stage; a click on a candidate writes it instead."""
    step = story.step(at)
    chosen = choice(step, story.sampling)
    st.caption(
        "Every token of the vocabulary gets a **logit**, a score. A **softmax** turns the scores into chances that sum "
        "to 1. **Temperature** sharpens or flattens them, **top-k** keeps the k likeliest, **top-p** the fewest that "
        "together reach p. A random number then picks one of those that are left."
    )
    with st.container(key="generate-stages"):
        st.vega_lite_chart(stage_chart(chosen, story.sampling), stage_bars_spec(), width="stretch")
    chart_save("generate-stages", name="The chances after each stage")
    st.caption(plain(f"Full colour: the token that was written. ×: removed. {removed_words(chosen)}"))
    with st.container(key="generate-draw"):
        st.vega_lite_chart(draw_chart(step), draw_bar_spec(), width="stretch")
    chart_save("generate-draw", name="The draw")
    rank = chosen.ranks[chosen.chosen]
    reading(read_choice(step.piece, step.own, step.probability, step.draw, step.forced, rank))
    _branch(story, at)
    if temperature := story.sampling.temperature:
        top = step.stages[0].logits[step.chosen]
        formula(
            rf"p_i = \frac{{e^{{z_i / T}}}}{{\sum_{{j=1}}^V e^{{z_j / T}}}} \qquad T = {temperature:g} "
            rf"\qquad z_{{\text{{chosen}}}} = {top:.3f} \qquad V = {len(step.stages[0].logits):,}"
        )
    table, rows = listed(step, 50)
    numbers("candidates", table, rows, ["logit", "own chance", "chance at the draw"], "generate-listed", "token")
    code(stages, top_k, top_p, min_p, uniform, draw, key="generate-code-stages")


def _branch(story: Story, at: int) -> None:
    ten, plays = story.step(at).likeliest(10), playing(PAGE)
    action = "Pause to choose one." if plays else f"Click one: it is written as token {at}, and the text goes on anew."
    st.markdown(f"**Go on from another token.** {action}")
    Candidates(
        ten,
        key="generate-candidates",
        name="The ten likeliest tokens",
        chosen=story.written[at].chosen,
        sets=None if plays else lambda token: branch(story, at, token),
        caption="Full bar: the chance at the draw. Outline: the model's own.",
        widest=max(max(each.probability, each.own) for each in ten),
    ).draw()


def show_along(story: Story, at: int) -> None:
    """Entropy and surprisal of every token that was written."""
    st.caption(
        "**Surprisal** is high where the model gave the written token a small chance. **Entropy** is the surprisal "
        "that was to be expected: high where many tokens were about equally likely. Click a bar to look at its token."
    )
    data, (first, last) = along(story.written, at)
    clickable("generate-along", data, along_text_spec(), lambda place: look_at(first + place))
    chart_save("generate-along", name="Entropy and surprisal along the text")
    if last - first + 1 < len(story.written):
        notes([f"These are tokens {first} to {last} of {len(story.written)}; click one above to move on."])
    here, pieces = story.written[at], [each.piece for each in story.written]
    surprisal, entropy = ([getattr(e, name) for e in story.written] for name in ("surprisal", "entropy"))
    reading(read_along(pieces, surprisal, entropy, at))
    formula(
        r"\text{surprisal} = -\log_2 p_{\text{chosen}} \qquad \text{entropy} = -\sum_i p_i \log_2 p_i"
        rf"\qquad -\log_2 {here.own:.4f} = {here.surprisal:.3f}"
    )
    table = np.array([[e.surprisal, e.entropy, e.own, e.probability] for e in story.written])
    names = ["surprisal, bits", "entropy, bits", "own chance", "chance at the draw"]
    numbers("along", table, [f"{n}:{piece}" for n, piece in enumerate(pieces)], names, "generate-bits", "token")
    code(generate, key="generate-code-along")


VIEWS: dict[str, Callable[[Story, int], None]] = {
    "stages": show_stages,
    "along the text": show_along,
    "layers": show_layers,
    "attention": show_attention,
    "mask": show_mask,
    "samples": show_samples,
}
