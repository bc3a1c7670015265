"""The charts of the page Positions, each built once."""

from functools import cache
from typing import Any

from core.charts.positions_lines import lines_spec
from core.charts.positions_random import cosines_spec, means_spec, variance_spec
from core.charts.positions_shuffle import shuffle_spec


@cache
def waves() -> dict[str, Any]:
    return lines_spec("How does one number of the vector change along the text?", "position", "value")


@cache
def penalties() -> dict[str, Any]:
    return lines_spec("What does a key lose as the query moves away?", "position of the query", "penalty")


@cache
def distances() -> dict[str, Any]:
    return lines_spec("How alike are two positions, by their distance?", "distance |p − q|", "dot product")


@cache
def penalties_by_distance() -> dict[str, Any]:
    return lines_spec("What does ALiBi add to a score, by distance?", "distance |p − q|", "added to the score")


@cache
def shift_errors() -> dict[str, Any]:
    return lines_spec("How far is M(k) · PE(p) from PE(p + k)?", "position p", "largest error", log=True)


@cache
def turned() -> dict[str, Any]:
    return lines_spec("Does the score depend on where the pair stands?", "position p of the key", "q · k")


@cache
def moved() -> dict[str, Any]:
    return lines_spec("Does the penalty depend on where the pair stands?", "position p of the key", "change")


@cache
def pair() -> dict[str, Any]:
    return lines_spec(
        "What becomes of a score at distances beyond the model's length?",
        "distance from query to key",
        "score",
        limit="model's length",
    )


@cache
def long_text(surprise: bool) -> dict[str, Any]:
    title = "How surprised is the model, token by token?" if surprise else "Over how many keys does the head spread?"
    up = "surprise, bits" if surprise else "keys, 2 to the entropy"
    return lines_spec(title, "position in the repeated text", up, limit="model's length")


@cache
def cosines() -> dict[str, Any]:
    return cosines_spec("What are the cosines at the chosen n?")


@cache
def angles() -> dict[str, Any]:
    return cosines_spec("Do tokens and positions stand at right angles in this model?")


variance = cache(variance_spec)
means = cache(means_spec)
shuffle = cache(shuffle_spec)
