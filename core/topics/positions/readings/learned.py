"""Sentences about a model's learned positions: plain text, true of the numbers given."""

from collections.abc import Mapping

import numpy as np

from core.readings.words import plural


def read_learnt(title: str, by_distance: Mapping[str, np.ndarray]) -> str:
    """Say whether nearer positions of a learned table are more alike than distant ones.

    by_distance: mean cosines (L,) by distance, of the table "learnt", of "sinusoidal" and, if known, "before training".
    """
    learnt, waves, start = by_distance["learnt"], by_distance["sinusoidal"], by_distance.get("before training")
    far = min(10, len(learnt) - 1)
    before = "" if start is None else f"; before training both were about {start[1:].mean():.2f}"
    order = "nearer positions grew more alike" if learnt[1] > learnt[far] + 0.05 else "near and far are about as alike"
    return (
        f"In the table that “{title}” learnt, {order}: neighbours have a mean cosine of {learnt[1]:.2f}, positions "
        f"{far} apart {learnt[far]:.2f}{before}. Of sinusoids these are {waves[1]:.2f} and {waves[far]:.2f}."
    )


def read_relative(stack: str, head: int, step: int, added: float) -> str:
    """Say which number of relative positions in a stack is the strongest.

    step: the key's distance behind its query; negative if the key comes before it.
    """
    where = "the query itself" if not step else f"a key {plural(abs(step), 'token')} "
    side = "" if not step else "before the query" if step < 0 else "behind it"
    return f"In the {stack}, head {head + 1} has the strongest: {added:+.2f} on the score of {where}{side}."
