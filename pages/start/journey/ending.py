"""How the journey ends: a verdict, the next words, or a translation."""

import numpy as np

from core.charts.bars import bars_data, tokens_bars_spec
from core.explorer.journey.records import Journey
from core.explorer.journey.verdict import Verdict
from core.readings.words import percent
from core.tracing.run import Run
from pages.queries.generation import own_translation
from pages.widgets import Chart, Link, Markdown, Part, plain, spec

FRESH_WORDS = 12  # random weights write what means nothing, and need not end


def ending(run: Run, journey: Journey, verdict: Verdict) -> list[Part]:
    """What the model makes of the whole text, as far as it makes anything of it."""
    parts: list[Part] = []
    if verdict:
        (label, chance), *others = verdict
        rest = ", ".join(f"{plain(other)} {percent(share)}" for other, share in others)
        parts.append(Markdown(f"**The verdict: {plain(label)}, {percent(chance)}** ({rest})"))
    if len(run.config.stacks) == 2:
        parts += _translation(run)
    if journey.next_pieces:
        parts.append(_next_tokens(journey))
    if run.config.architecture == "decoder":
        parts.append(Link("Watch it write", "generate"))
    return parts


def _translation(run: Run) -> list[Part]:
    written = plain(own_translation(run, None if run.checkpoint else FRESH_WORDS).strip() or "nothing")
    said = (
        f"**From your text the model writes:** {written}"
        if run.checkpoint
        else f"Its weights are random, so what it writes from your text means nothing: {written}"
    )
    return [Markdown(said), Link("Watch it write, word by word", "translate")]


def _next_tokens(journey: Journey) -> Part:
    pieces, chances = zip(*journey.next_pieces, strict=True)
    data = bars_data(np.array(chances), [f"{rank}: {piece}" for rank, piece in enumerate(pieces, 1)], decimals=4)
    drawn = spec(tokens_bars_spec, "What comes next?", "probability")
    return Chart(data, drawn, key="journey-next", name="likeliest next tokens")
