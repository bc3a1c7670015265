"""The charts of the page Positions, each built once."""

from functools import cache
from typing import Any

from core.charts.positions_lines import lines_spec
from core.charts.positions_random import cosines_spec, means_spec, variance_spec
from core.charts.positions_shuffle import shuffle_spec


@cache
def waves() -> dict[str, Any]:
    return lines_spec("How does one number change?", "position", "value")


@cache
def penalties() -> dict[str, Any]:
    return lines_spec("What does a key lose with distance?", "position of the query", "penalty")


@cache
def distances() -> dict[str, Any]:
    return lines_spec("How alike are two positions?", "distance |p − q|", "dot product")


@cache
def penalties_by_distance() -> dict[str, Any]:
    return lines_spec("What does ALiBi add to a score?", "distance |p − q|", "added to the score")


@cache
def shift_errors() -> dict[str, Any]:
    return lines_spec("How far is M(k) · PE(p) from PE(p + k)?", "position p", "largest error", log=True)


@cache
def turned() -> dict[str, Any]:
    return lines_spec("Does the place change the score?", "position p of the key", "q · k")


@cache
def moved() -> dict[str, Any]:
    return lines_spec("Does the place change the penalty?", "position p of the key", "change")


@cache
def pair() -> dict[str, Any]:
    return lines_spec(
        "What becomes of a score far away?",
        "distance from query to key",
        "score",
        limit="model's length",
    )


@cache
def long_text(surprise: bool) -> dict[str, Any]:
    title = "How surprised is the model?" if surprise else "How many keys does the head look at?"
    up = "surprise, bits" if surprise else "keys, 2 to the entropy"
    return lines_spec(title, "position in the repeated text", up, limit="model's length")


@cache
def cosines() -> dict[str, Any]:
    return cosines_spec("What are the cosines at the chosen n?")


@cache
def angles() -> dict[str, Any]:
    return cosines_spec("Are tokens and positions orthogonal?")


variance = cache(variance_spec)
means = cache(means_spec)
shuffle = cache(shuffle_spec)
