"""A step of writing as the arrays, tables and words that its pictures need."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.charts.along_text import along_text_data
from core.charts.draw_bar import draw_bar_data
from core.explorer.generation_records import GenerationStep, Written

NAMES = ("own", "repetition", "temperature", "top-k", "top-p", "min-p")
WINDOW = 40
SEGMENTS = 12


def stage_matrix(step: GenerationStep, count: int) -> tuple[np.ndarray, tuple[str, ...], list[str]]:
    """(count + 1, stages) chances of the likeliest tokens and of all others together; −∞ where they were removed."""
    ids = [i for i, _ in step.likely[:count]]
    rows = []
    for stage in step.stages:
        chances = stage.probabilities[ids].astype(np.float64)
        others = max(0.0, 1.0 - chances.sum())
        removed = np.isneginf(stage.logits[ids])
        rows.append([*np.where(removed, -np.inf, chances), others])
    labels = [f"{n}:{piece}" for n, (_, piece) in enumerate(step.likely[:count])]
    return np.array(rows, dtype=np.float32).T, NAMES, [*labels, "all others"]


def draw_chart(step: GenerationStep) -> pd.DataFrame:
    rows = [each for each in step.likeliest(SEGMENTS) if each.probability > 0]
    return draw_bar_data([each.piece for each in rows], np.array([each.probability for each in rows]), step.draw)


def stage_words(step: GenerationStep) -> str:
    """How the token came to be written, in a sentence."""
    kept = {stage.name: stage.kept for stage in step.stages}
    size = len(step.stages[0].logits)
    chance = f"“{step.piece}” had a chance of {100 * step.own:.3g} % by the model itself"
    if step.forced:
        return f"{chance}; it was written in the model's place."
    if step.draw is None:
        return f"{chance}; it is the likeliest of {size:,} tokens, and at temperature 0 the likeliest is taken."
    return (
        f"{chance} and {100 * step.probability:.3g} % at the draw: top-k left {kept['top-k']:,} of {size:,} tokens, "
        f"top-p {kept['top-p']:,}, min-p {kept['min-p']:,}; the number {step.draw:.4f} fell on it."
    )


def listed(step: GenerationStep, count: int) -> tuple[np.ndarray, list[str]]:
    """(count, 3) logit, own chance and chance at the draw, NaN where there is none, and the rows' labels."""
    rows = step.likeliest(count)
    logits = step.stages[0].logits
    table = np.array([[logits[each.id], each.own, each.probability] for each in rows])
    return table, [f"{each.id}:{each.piece}" for each in rows]


def along(written: Sequence[Written], at: int) -> pd.DataFrame:
    """The tokens around `at`, at most 40 of them."""
    first, shown = window(len(written), at)
    part = written[first : first + shown]
    labels = [f"{first + n}:{each.piece}" for n, each in enumerate(part)]
    return along_text_data(labels, [e.surprisal for e in part], [e.entropy for e in part], at - first)


def window(length: int, at: int, most: int = WINDOW) -> tuple[int, int]:
    """The first place and the number of a stretch of at most `most` that holds `at`."""
    first = max(0, min(at - most // 2, length - most))
    return first, min(most, length)
