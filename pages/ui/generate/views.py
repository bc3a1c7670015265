"""The views of one token of a text: how it was chosen, and what the model saw."""

import streamlit as st

from core.decoding.sampling import draw, stages
from core.explorer.generation import per_token
from pages.ui.canvas.candidates import candidates
from pages.ui.canvas.chart_save import chart_save
from pages.ui.canvas.matrices import Panel, matrices
from pages.ui.generate.choices import SAMPLES
from pages.ui.generate.inside import show_attention, show_layers, show_mask
from pages.ui.generate.numbers import along, draw_chart, listed, stage_matrix, stage_words
from pages.ui.generate.specs import along_text_spec, draw_bar_spec
from pages.ui.generate.text import Story, branch
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask
from pages.ui.writing import cache

SHOWN = 20


def show_stages(story: Story, at: int) -> None:
    """From the logits to the draw, filter by filter; a click on a candidate writes it instead."""
    step = story.step(at)
    chances, names, pieces = stage_matrix(step, SHOWN)
    left, right = st.columns([3, 2], gap="large")
    with left:
        panel = Panel(
            "stages", "The chances after each stage", chances, pieces, names, "token", "stage", scale="weight"
        )
        matrices([panel], key="generate-stages", name="Chances after each stage", height=520)
        with st.container(key="generate-draw"):
            st.vega_lite_chart(draw_chart(step), draw_bar_spec(), width="stretch")
        chart_save("generate-draw", name="The draw")
    with right:
        st.markdown(f"**The ten likeliest for token {at}: click one to go on from there**")
        candidates(
            step.likeliest(10),
            key="generate-candidates",
            name="The ten likeliest tokens",
            chosen=step.chosen,
            on_pick=lambda token: branch(story, at, token),
            caption="Full bar: the chance after all stages. Outline: the model's own.",
        )
    reading(stage_words(step))
    temperature = story.sampling.temperature
    top = step.stages[0].logits[step.chosen]
    if temperature:
        formula(
            rf"p_i = \frac{{e^{{z_i / T}}}}{{\sum_j e^{{z_j / T}}}} \qquad T = {temperature:g} "
            rf"\qquad z_{{\text{{chosen}}}} = {top:.3f} \qquad V = {len(step.stages[0].logits):,}"
        )
    table, rows = listed(step, 50)
    numbers("candidates", table, rows, ["logit", "own chance", "chance at the draw"], "generate-listed", "token")
    code(stages, draw, key="generate-code-stages")


def show_along(story: Story, at: int) -> None:
    """Entropy and surprisal of every token that was written."""
    with st.container(key="generate-along"):
        st.vega_lite_chart(along(story.written, at), along_text_spec(), width="stretch")
    chart_save("generate-along", name="Entropy and surprisal along the text")
    mean = sum(each.surprisal for each in story.written) / len(story.written)
    here = story.written[at]
    reading(
        f"On average a token surprised the model by {mean:.2f} bits. Before {at}:{here.piece} its entropy was "
        f"{here.entropy:.2f} bits, as unsure as among {2**here.entropy:,.1f} equal choices."
    )
    formula(
        r"\text{surprisal} = -\log_2 p_{\text{chosen}} \qquad \text{entropy} = -\sum_i p_i \log_2 p_i"
        rf"\qquad -\log_2 {here.own:.4f} = {here.surprisal:.3f}"
    )


def show_samples(story: Story, at: int) -> None:
    """Several texts drawn at once."""
    count = ask(SAMPLES)
    most = max(8, len(story.written))
    found = cache.samples(story.run, story.sampling, count, most)
    bits = [round(-per_token(each.log_probability, len(each.ids)), 3) for each in found]
    rows = {
        "text": [each.text for each in found],
        "bits per token": bits,
        "tokens": [len(each.ids) for each in found],
        "ended": ["yes" if each.ended else "no" for each in found],
    }
    st.dataframe(rows, row_height=64, hide_index=False, key="generate-samples")
    same = next((n for n in range(most) if len({each.ids[n : n + 1] for each in found}) > 1), most)
    words = "all of them" if same >= most else f"the first {same}" if same else "none of them"
    likely = min(range(count), key=bits.__getitem__)
    reading(
        f"Of {most} tokens, {words} are the same in every text; text {likely} is the likeliest, "
        f"with {bits[likely]} bits a token. Text 0 is the one above, without its branches."
    )


VIEWS = {
    "stages": show_stages,
    "along the text": show_along,
    "layers": show_layers,
    "attention": show_attention,
    "mask": show_mask,
    "samples": show_samples,
}
