"""The headline of each step names the key and the number that the matrices of the step have for the query."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.readings.heads import read_look
from core.readings.words import capital, number
from core.text.labels import token_name
from core.topics.self_attention.headlines import read_step
from tests.core.topics.self_attention.test_cells import record

QUERY = 2


@pytest.mark.parametrize("chosen", [{}, {"positions": "alibi"}, {"score": "dot"}, {"score": "additive"}])
def test_each_step_follows_one_token(chosen: dict[str, Any]) -> None:
    head = record(**chosen)
    labels, keys = head.queries.labels, head.keys.labels
    who, best = token_name(labels, QUERY), int(head.raw[QUERY].argmax())
    key, most = token_name(keys, best), token_name(keys, int(head.pattern[QUERY].argmax()))
    look = read_look(head.pattern[QUERY], labels, QUERY, keys)
    assert read_step(head, "5 softmax", QUERY) == look
    assert read_step(head, "1 project", QUERY) == f"Step 1 makes the query with which {look[0].lower()}{look[1:]}"
    score = number(float(head.raw[QUERY, best]))
    said = f"The key that fits the query of {who} best is that of {key}: its score is {score}."
    assert read_step(head, "2 score", QUERY) == said
    hidden = int((~head.mask[QUERY]).sum())
    told = f"{hidden} of {len(keys)} tokens" if hidden else "nothing"
    assert read_step(head, "4 mask", QUERY) == f"The mask hides {told} from {who}."
    mixed = read_step(head, "6 mix", QUERY)
    assert mixed in (
        f"So {who} takes in mostly the value of {most}.",
        f"So {who} takes in a mix of values; the largest part is that of {most}.",
    )


@pytest.mark.parametrize(
    ("chosen", "how"),
    [
        ({}, "Divided by √{width}, the score of {who} with {key} becomes {score}."),
        (
            {"positions": "alibi"},
            "Divided by √{width} and with a number for their distance, the score of {who} with {key} becomes {score}.",
        ),
        ({"score": "dot"}, "Nothing is divided here: the score of {who} with {key} stays {score}."),
    ],
)
def test_the_scaled_score_is_that_of_the_best_key(chosen: dict[str, Any], how: str) -> None:
    head = record(**chosen)
    best = int(head.raw[QUERY].argmax())
    who, key = token_name(head.queries.labels, QUERY), token_name(head.keys.labels, best)
    score = number(float(head.scores[QUERY, best]))
    said = how.format(width=head.q.shape[1], who=who, key=key, score=score)
    assert read_step(head, "3 scale", QUERY) == said


def test_a_query_that_may_look_at_nothing_says_so_in_each_step() -> None:
    head = record()
    empty = replace(head, mask=np.zeros_like(head.mask), pattern=np.zeros_like(head.pattern))
    assert {read_step(empty, name, QUERY) for name in ("1 project", "2 score", "6 mix")} == {
        f"{capital(token_name(head.queries.labels, QUERY))} may look at no word, so it takes in nothing."
    }
