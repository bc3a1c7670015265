"""How one token was chosen: from the logits to the draw, and what could have been written instead."""

from dataclasses import dataclass, replace

import streamlit as st

from core.charts.draw_bar import draw_bar_spec
from core.charts.stage_bars import stage_bars_spec
from core.explorer.generation.choice import choice
from core.readings.generation import read_choice, read_removed
from pages.canvas import Candidates
from pages.shell import Shown
from pages.transformer.generate.story import NAME, Story
from pages.transformer.generate.tables import draw_chart, likeliest, stage_chart
from pages.widgets import Caption, Chart, Values, plain, playing, spec

SAMPLING = "core.decoding.sampling"
FILTERS = "core.decoding.filters"


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The likeliest tokens, one of which can be written instead while the text does not play."""

    candidates: Candidates
    at: int

    def draw(self) -> None:
        action = f"Click one: it is written as token {self.at}, and the text goes on anew."
        plays = playing(NAME)
        st.markdown(f"**Go on from another token.** {'Pause to choose one.' if plays else action}")
        (replace(self.candidates, sets=None) if plays else self.candidates).draw()


def show_stages(story: Story, values: Values) -> Shown:
    """From the logits to the draw, stage by stage; a click on a candidate writes it instead."""
    step, sampling = story.step, story.sampling
    chosen = choice(step, sampling)
    removed = read_removed(chosen.stages, chosen.left)
    rank = chosen.ranks[chosen.chosen]
    return Shown(
        lead="Every token of the vocabulary gets a **logit**, a score. A **softmax** turns the scores into chances "
        "that sum to 1. **Temperature** sharpens or flattens them, **top-k** keeps the k likeliest, **top-p** the "
        "fewest that together reach p. A random number then picks one of those that are left.",
        pictures=[
            Chart(
                stage_chart(chosen, sampling),
                spec(stage_bars_spec),
                key="generate-stages",
                name="The chances after each stage",
            ),
            Caption(plain(f"Full colour: the token that was written. ×: removed. {removed}")),
            Chart(draw_chart(step), spec(draw_bar_spec), key="generate-draw", name="The draw"),
            Alternatives(_candidates(story), story.at),
        ],
        takeaway=read_choice(step.piece, step.own, step.probability, step.draw, step.forced, rank),
        formula=_formula(story),
        table=likeliest(step, 50),
        source=(
            f"{SAMPLING}.stages",
            f"{FILTERS}.top_k",
            f"{FILTERS}.top_p",
            f"{FILTERS}.min_p",
            f"{SAMPLING}.uniform",
            f"{SAMPLING}.draw",
        ),
    )


def _candidates(story: Story) -> Candidates:
    ten = story.step.likeliest(10)
    return Candidates(
        ten,
        key="generate-candidates",
        name="The ten likeliest tokens",
        chosen=story.token.chosen,
        sets=story.branch,
        caption="Full bar: the chance at the draw. Outline: the model's own.",
        widest=max(max(each.probability, each.own) for each in ten),
    )


def _formula(story: Story) -> str:
    """The softmax with this step's numbers; at temperature 0 there is none."""
    temperature, logits = story.sampling.temperature, story.step.stages[0].logits
    if not temperature:
        return ""
    return (
        rf"p_i = \frac{{e^{{z_i / T}}}}{{\sum_{{j=1}}^V e^{{z_j / T}}}} \qquad T = {temperature:g} "
        rf"\qquad z_{{\text{{chosen}}}} = {logits[story.token.chosen]:.3f} \qquad V = {len(logits):,}"
    )
