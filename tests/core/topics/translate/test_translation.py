"""A translation as a page looks at it, a given one scored token by token, and the tables of what was found."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.text.special import BOS, EOS
from core.topics.generate.records import (
    NO_INTERVENTION,
    BeamNode,
    BeamText,
    BeamTree,
    GeneratedToken,
    GenerationStep,
    Intervention,
    ScoredToken,
    StageRecord,
)
from core.topics.generate.setup import translation_limit
from core.topics.translate.scored import ScoredText
from core.topics.translate.translation import Translation
from core.tracing.run import Run

CONFIG = TransformerConfig("encoder-decoder", 1000, 16, 2, 2, max_length=40)


def token(chosen: int, ended: bool = False) -> GeneratedToken:
    return GeneratedToken(chosen, f"t{chosen}", 0.5, 0.25, None, False, 1.0, 2.0, ended)


class Writer:
    """Writes these tokens, and remembers what it was asked for."""

    def __init__(self, *tokens: GeneratedToken) -> None:
        self.tokens, self.asked = tokens, list[Any]()

    def __call__(self, count: int, intervention: Intervention) -> tuple[GeneratedToken, ...]:
        self.asked.append((count, intervention))
        return self.tokens[:count]


def translation(writer: Writer, source: int = 4, config: TransformerConfig = CONFIG) -> Translation:
    return Translation(Run("a", config), (BOS,), tuple("s" * source), writer)


def test_who_asks_for_a_quick_one_does_not_wait_for_a_slow_one() -> None:
    begun, go_on = Event(), Event()

    def slowly(count: int, intervention: Intervention) -> tuple[GeneratedToken, ...]:
        begun.set()
        assert go_on.wait(60)
        return (token(5),)

    slow, quick = Translation(Run("a", CONFIG), (BOS,), ("s",), slowly), translation(Writer(token(6)))
    with ThreadPoolExecutor(1) as other:
        written = other.submit(lambda: slow.ids)
        try:
            assert begun.wait(60)
            with ThreadPoolExecutor(1) as mine:
                assert mine.submit(lambda: quick.ids).result(5) == (6,)
        finally:
            go_on.set()
        assert written.result(60) == (5,)


def test_nothing_is_written_before_it_is_asked_for_and_then_only_once() -> None:
    writer = Writer(token(5), token(6), token(EOS, ended=True))
    text = translation(writer)
    assert not writer.asked and text.ids == (5, 6, EOS) and text.ended
    assert text.written[0].piece == "t5" and writer.asked == [(26, NO_INTERVENTION)]
    forced = Intervention(hidden=(1,))
    assert text.first(2).ids == (5, 6) and not text.first(2).ended and text.under(forced).ids == text.ids
    assert writer.asked[1:] == [(2, NO_INTERVENTION), (2, NO_INTERVENTION), (26, forced)]


@pytest.mark.parametrize(("source", "most"), [(4, 26), (20, 39), (1, 21)])
def test_a_translation_may_be_half_again_as_long_as_its_source(source: int, most: int) -> None:
    assert translation(Writer(), source).max_tokens == most


def test_a_long_context_still_ends_after_200_tokens() -> None:
    assert translation(Writer(), 400, TransformerConfig("encoder-decoder", max_length=512)).max_tokens == 200


def test_what_the_decoder_had_read() -> None:
    text = translation(Writer(*(token(number) for number in range(10, 49))), 30)
    assert text.read(0) == (BOS,) and text.read(2) == (BOS, 10, 11)
    assert len(text.ids) == 39 and text.read() == (BOS, *range(10, 49))


def test_only_a_text_that_was_stopped_is_cut() -> None:
    assert not translation(Writer(token(5), token(EOS, ended=True))).is_cut
    assert not translation(Writer(token(5))).first(1).is_cut and not translation(Writer()).is_cut
    assert translation(Writer(token(5), token(6, ended=True))).is_cut
    assert translation(Writer(*map(token, range(5, 40)))).is_cut


def test_a_given_text_names_the_token_that_was_least_expected() -> None:
    likely, other = ScoredToken(5, "a", 0.5, 1, "a", 0.5), ScoredToken(6, "b", 0.25, 3, "c", 0.75)
    found = ScoredText((likely, other))
    assert found.surprisals == [1, 2] and found.least_expected == other
    assert {name: list(cells)[1] for name, cells in found.table.items()} == {
        "token": "1:b",
        "probability": 0.25,
        "rank": 3,
        "bits": 2.0,
        "the model would say": "c",
        "with": 0.75,
    }


def test_the_tree_s_table_says_which_texts_were_cut() -> None:
    node = BeamNode(0, None, 1, 5, "a", float(np.log(0.25)), -1.4, -1.2, "kept")
    tree = BeamTree((node,), (BeamText("a", (0,), -1.386294, -1.2, False), BeamText("b", (0, 1), -2, -1.5, True)))
    (drawn,) = tree.drawn
    assert drawn["chance"] == pytest.approx(0.25) and (drawn["piece"], drawn["fate"]) == ("a", "kept")
    assert tree.table == {
        "text": ["a", "b"],
        "tokens": [1, 2],
        "log probability": [-1.3863, -2],
        "score": [-1.2, -1.5],
        "ends": ["with (end)", "cut at the limit"],
    }


def test_the_likeliest_without_the_filters_are_sorted_by_the_models_own_chance() -> None:
    before, after = np.array([3.0, 2.0, 1.0], np.float32), np.array([-np.inf, 1.0, 2.0], np.float32)
    stages = (StageRecord("logits", before, 3), StageRecord("top-k", after, 2))
    likely = ((2, "c"), (1, "b"), (0, "a"))
    step = GenerationStep(2, "c", 0.7, 0.1, 0.5, False, 1.0, 1.0, False, 0, (2,), ("<s>",), stages, likely)
    own = stages[0].probabilities
    assert [(each.id, each.own) for each in step.likeliest_unfiltered()[:2]] == [(0, own[0]), (1, own[1])]
    assert all(each.probability == each.own for each in step.likeliest_unfiltered())
    numbers, rows, columns = step.table
    np.testing.assert_allclose(numbers[0], [1.0, own[2], stages[1].probabilities[2]])
    assert rows == ["2:c", "1:b", "0:a"] and len(columns) == 3


@pytest.mark.parametrize(("start", "source", "limit"), [(1, 4, 26), (1, 20, 39), (38, 4, 2), (40, 4, 1)])
def test_a_translation_is_cut_by_its_source_or_by_what_the_decoder_can_read(
    start: int, source: int, limit: int
) -> None:
    assert translation_limit(CONFIG, start, source) == limit


def test_no_translation_is_longer_than_two_hundred_tokens() -> None:
    assert translation_limit(replace(CONFIG, max_length=1000), 1, 500) == 200
