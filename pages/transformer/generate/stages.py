"""The view of how one token was chosen: from the logits to the draw, and the tokens that could replace it."""

from functools import partial
from typing import Any

from core.export.asked import GUESSES
from core.readings.generation import name_stages, read_choice, read_removed, write_tempered_softmax
from core.topics.generate.charts.draw_bar import draw_bar_data, draw_bar_spec
from core.topics.generate.charts.stage_bars import stage_bars_data, stage_bars_spec
from core.topics.generate.choice import choice, draw_segments
from core.topics.generate.records import GenerationStep
from core.topics.generate.story import Story
from pages.canvas import Candidates
from pages.compute import generation as queries
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.generate.settings import BRANCHES, COUNT, LOOKED_AT_TOKEN
from pages.transformer.generate.story import NAME, once_written
from pages.widgets import Caption, Chart, Choices, Markdown, Table, Values, plain, playing, spec, stop_player

FILTERS = tuple(f"core.decoding.filters.{name}" for name in ("top_k", "top_p", "min_p"))


def _show(story: Story, values: Values) -> Shown:
    """Show the choice from the logits to the draw, stage by stage; a click on a candidate writes it instead."""
    step = queries.step(story.run, story.ids, story.sampling, story.at, story.forced_here)
    staged_choice = core_call(choice, step, story.sampling)
    logits = step.stages[1].logits  # the logits that the softmax reads
    removed = read_removed(staged_choice.stages, staged_choice.left)
    bars = stage_bars_data(
        name_stages(staged_choice.stages, staged_choice.left, vars(story.sampling)),
        staged_choice.labels,
        staged_choice.logits,
        staged_choice.probabilities,
        staged_choice.kept,
        staged_choice.others,
        staged_choice.chosen,
    )
    draw = draw_bar_data(draw_segments(step), step.draw)
    return Shown(
        lead="Every token of the vocabulary gets a score. The scores become chances, unlikely ones may be cut, and "
        "one of those that are left is drawn.",
        pictures=[
            Chart(bars, spec(stage_bars_spec), key="generate-stages", name="The chances after each stage"),
            Caption(plain(f"Full colour: the token that was written. ×: removed. {removed}")),
            Chart(draw, spec(draw_bar_spec), key="generate-draw", name="The draw"),
            _alternatives(story, step),
        ],
        takeaway=read_choice(step.piece, step.own, step.probability, step.draw, step.forced, staged_choice.stages[1:]),
        formula=write_tempered_softmax(
            story.sampling.temperature, logits[step.chosen], len(logits), "repetition penalty" in staged_choice.stages
        ),
        about="The scores are **logits**; a **softmax** makes chances of them that sum to 1. The **repetition "
        "penalty** lowers what was said before; **temperature** sharpens or flattens; **top-k** keeps the k likeliest, "
        "**top-p** the fewest that together reach p. Rows are in the order of the chances at the draw, so a token that "
        "a penalty lowered stands below likelier ones.",
        table=Table("candidates", *step.table, corner="token"),
        source=(
            "core.decoding.sampling.stages",
            *FILTERS,
            "core.decoding.sampling.uniform",
            "core.decoding.sampling.draw",
        ),
    )


def _alternatives(story: Story, step: GenerationStep) -> Choices:
    """Return the likeliest tokens; a click writes one of them instead, unless the text is playing."""
    ten, index, plays = step.likeliest(10), story.at, playing(NAME)
    action = f"Click one: it is written as token {index}, and the text goes on from there."
    candidates = Candidates(
        ten,
        key="generate-candidates",
        name="The ten likeliest tokens",
        chosen=story.token.chosen,
        sets=None if plays else partial(_begin_branch, story, index),
        caption="Full bar: the chance at the draw. Outline: the model's own.",
        widest=max(max(candidate.probability, candidate.own) for candidate in ten),
    )
    heading = Markdown(f"**Go on from another token.** {'Pause to choose one.' if plays else action}")
    return Choices([heading, candidates])


def _begin_branch(story: Story, index: int, token: int) -> dict[str, Any]:
    """Stop the player, and return the settings with which the text continues with another token at this place."""
    stop_player(NAME)
    return {BRANCHES.key: story.branches_with(token), LOOKED_AT_TOKEN.key: None, COUNT.key: index + 1}


VIEW = View("next word", once_written(_show), export=GUESSES)
