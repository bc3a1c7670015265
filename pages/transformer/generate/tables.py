"""A step of writing as the tables and headings that its pictures need."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.charts.along_text import along_text_data
from core.charts.draw_bar import draw_bar_data
from core.charts.stage_bars import stage_bars_data
from core.decoding.sampling import Sampling
from core.explorer.generation.choice import Choice, draw_segments
from core.explorer.generation.records import GeneratedToken, GenerationStep
from pages.widgets import Table

WINDOW = 40
Heading = tuple[tuple[str, str], tuple[str, str], tuple[str, str]]


def headings(chosen: Choice, sampling: Sampling) -> list[Heading]:
    """Three lines above each column, each in full and short: what the stage is, how it is set, how many are left."""
    size = chosen.left[0]
    k, p, share, penalty = sampling.top_k, sampling.top_p, sampling.min_p, sampling.repetition_penalty
    set_to = {
        "repetition penalty": (("penalty", "pen."), f"r = {penalty:g}"),
        "temperature": (("temperature", "temp."), f"T = {sampling.temperature:g}"),
        "top-k": (("top-k", "top-k"), f"k = {k}" if k else "off"),
        "top-p": (("top-p", "top-p"), f"p = {p:g}" if p < 1 else "off"),
        "min-p": (("min-p", "min-p"), f"m = {share:g}"),
    }
    found: list[Heading] = [
        (("logits", "logits"), ("the model's scores", "scores"), (f"{size:,} tokens", f"{size:,}")),
        (("chances", "chances"), ("after a softmax", "softmax"), (f"{size:,} left", f"{size:,}")),
    ]
    for name, before, left in zip(chosen.stages[1:], chosen.left, chosen.left[1:], strict=False):
        names, setting = set_to[name]
        removed = f" (−{before - left:,})" if left < before else ""
        found.append((names, (setting, setting), (f"{left:,} left{removed}", f"{left:,}")))
    return found


def stage_chart(chosen: Choice, sampling: Sampling) -> pd.DataFrame:
    """What `stage_bars_spec` draws of a choice."""
    return stage_bars_data(
        headings(chosen, sampling),
        [f"{rank} {piece}" for rank, piece in zip(chosen.ranks, chosen.pieces, strict=True)],
        chosen.logits,
        chosen.chances,
        chosen.kept,
        chosen.others,
        chosen.chosen,
    )


def draw_chart(step: GenerationStep) -> pd.DataFrame:
    """What `draw_bar_spec` draws of a step."""
    return draw_bar_data([(part.piece, part.start, part.end, part.chosen) for part in draw_segments(step)], step.draw)


def likeliest(step: GenerationStep, count: int) -> Table:
    """The `count` likeliest tokens with their logit, own chance and chance at the draw."""
    rows, logits = step.likeliest(count), step.stages[0].logits
    return Table(
        "candidates",
        np.array([[logits[each.id], each.own, each.probability] for each in rows]),
        [f"{each.id}:{each.piece}" for each in rows],
        ("logit", "own chance", "chance at the draw"),
        corner="token",
    )


def along(written: Sequence[GeneratedToken], at: int) -> pd.DataFrame:
    """What `along_text_spec` draws: the tokens of the window around `at`."""
    first, shown = window(len(written), at)
    part = written[first : first + shown]
    labels = [f"{first + n}:{each.piece}" for n, each in enumerate(part)]
    return along_text_data(labels, [each.surprisal for each in part], [each.entropy for each in part], at - first)


def window(length: int, at: int, most: int = WINDOW) -> tuple[int, int]:
    """The first place and the number of a stretch of at most `most` that holds `at`."""
    first = max(0, min(at - most // 2, length - most))
    return first, min(most, length)
