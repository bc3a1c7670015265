"""Sentences about a model's learned positions: plain text, true of the numbers given."""

from collections.abc import Mapping

import numpy as np

from core.readings.words import plural


def read_learnt(title: str, by_distance: Mapping[str, np.ndarray]) -> tuple[str, str]:
    """Return sentences on whether neighbours in a learned table are more alike than positions apart, and how much.

    by_distance: mean cosines (L,) by distance, of the table "learnt", of "sinusoidal" and, if known, "before training".
    """
    learnt, waves, start = by_distance["learnt"], by_distance["sinusoidal"], by_distance.get("before training")
    far = min(10, len(learnt) - 1)
    before = "" if start is None else f"; before training both were about {start[1:].mean():.2f}"
    order = "more alike than" if learnt[1] > learnt[far] else "less alike than"
    order = "about as alike as" if abs(learnt[1] - learnt[far]) <= 0.05 else order
    return (
        f"In the table that “{title}” learnt, neighbours are {order} positions {far} apart.",
        f"Neighbours have a mean cosine of {learnt[1]:.2f}, positions {far} apart {learnt[far]:.2f}{before}. Of "
        f"sinusoids these are {waves[1]:.2f} and {waves[far]:.2f}.",
    )


def read_strongest(stack: str, head: int, step: int) -> str:
    """Say which head's relative positions change a score of a stack the most, and where the key stands.

    step: the key's distance behind its query; negative if the key comes before it.
    """
    return f"In the {stack}, head {head + 1} changes a score the most: that of {_key_at(step)}."


def read_relative(stack: str, head: int, step: int, added: float) -> str:
    """Say which number of relative positions in a stack is the strongest.

    step: the key's distance behind its query; negative if the key comes before it.
    """
    sized = f"{added:+.2f}".replace("-", "−")
    return f"In the {stack}, head {head + 1} has the strongest number: {sized} on the score of {_key_at(step)}."


def _key_at(step: int) -> str:
    side = "before the query" if step < 0 else "behind the query"
    return f"a key {plural(abs(step), 'token')} {side}" if step else "the query itself"
