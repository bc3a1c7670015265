"""The page Sequence to sequence: its views, called as the layout calls them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis.word_contexts import cosine_rows
from core.checkpoints.shipped import recurrent_config
from core.topics.sequence_to_sequence.changed_words import changed_size
from core.topics.sequence_to_sequence.lengths import JOINED_SCORE, WHOLE_SCORE
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, MAX_SOURCE_TOKENS, TITLES
from core.topics.sequence_to_sequence.steps import states_by_step
from core.topics.sequence_to_sequence.timing import LENGTHS
from pages.canvas import Matrices, Strip, TokenButtons
from pages.comparisons.sequence_to_sequence import queries, timing
from pages.comparisons.sequence_to_sequence.page import PAGE
from pages.comparisons.sequence_to_sequence.parts import BENCH
from pages.comparisons.sequence_to_sequence.settings import (
    OTHER_WORD,
    REDIRECTED_TOKEN,
    SOURCE_TOKEN,
    STEP,
    TOKEN_COUNT,
    WORD,
)
from pages.compute.cache import cards
from pages.compute.heavy_queue import exclusive
from pages.compute.memory_budget import Bookings
from pages.shell import Shown
from pages.widgets import Chart, Columns, Listing, Setting, Table, Values
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import said

SHORT = "Go!"


def shown(view: str, values: dict[Setting, Any], text: str = PAGE.text) -> Shown:
    found: Shown = PAGE.view(view).show(text, Values(values))
    return found


def translations(found: Shown) -> list[str]:
    assert isinstance(found.table, Listing)
    return [str(each) for each in found.table.columns["translation"]]


def test_it_opens_on_a_sentence_that_only_the_bottleneck_gets_wrong() -> None:
    found = shown("three translations", {})
    first, second, third = translations(found)
    assert second == third and "livre" in second and "livre" not in first
    assert found.said[0] == "With one vector “lit” and “livre” are lost; with attention the GRU keeps them."
    assert "with attention, all 17." in found.said[1]


def test_tokens_that_are_not_written_yet_are_pale_and_have_no_row() -> None:
    found = shown("three translations", {TOKEN_COUNT: 3})
    rows = [part for part in found.pictures if isinstance(part, TokenButtons)]
    matrices = found.pictures[-1]
    assert [[token.dim for token in row.tokens].index(True) for row in rows] == [3, 3, 3]
    assert isinstance(matrices, Matrices)
    assert [int(np.isfinite(panel.values).all(1).sum()) for panel in matrices.panels] == [3, 3]
    assert shown("three translations", {TOKEN_COUNT: 0}).pictures


def test_states_appear_token_by_token_and_the_transformers_all_at_once() -> None:
    length, layers = len(queries.source_tokens(PAGE.text)), queries.translator_run(PAGE.text).config.layers

    def made(step: int) -> list[int]:
        strip = next(part for part in shown("hidden states", {STEP: step}).pictures if isinstance(part, Strip))
        return [int(np.isfinite(tile.values).all(1).sum()) for tile in strip.tiles]

    assert made(layers - 1) == [layers - 1, 0, *[layers - 1] * 2, 0, 0, 0]
    assert made(layers) == [layers, 0, *[layers] * 2, 0, length, 0]
    assert made(length + 5) == [length, 5, length, length, 5, length, 5]
    done, counted, fewest, _ = shown("hidden states", {STEP: layers}).said
    assert done == f"A GRU is still at token {layers} of {length}; the transformer’s encoder is done."
    assert f"{layers} of {length} states" in counted
    assert fewest == "“GRU, one vector” gives its decoder the fewest numbers about this sentence."
    assert shown("hidden states", {STEP: 0}).said[0] == (
        "A GRU has read nothing yet; the transformer’s encoder is not done yet."
    )
    written = f"All {length} tokens are read, and 5 steps of writing done."
    assert shown("hidden states", {STEP: length + 5}).said[:2] == [written, fewest]
    whole = shown("hidden states", {})
    states = queries.passage(BOTTLENECK, PAGE.text).states["forwards.state"]
    cosines = cosine_rows(states, states[-1:])
    line, every = [part for part in whole.pictures if isinstance(part, TokenButtons)]
    np.testing.assert_allclose([token.shade for token in line.tokens], cosines.clip(0, 1), atol=1e-4)
    assert whole.said[0] == (
        f"With every word the state changes: the last one hardly resembles that after “A” (cosine {cosines[0]:.3f})."
    )
    assert [float(token.under.replace("−", "-")) for token in line.tokens] == pytest.approx(cosines.tolist(), abs=0.006)
    strip = next(part for part in whole.pictures if isinstance(part, Strip))
    assert len({(tile.unit, tile.limit) for tile in strip.tiles}) == 2, "one scale of the GRUs, one of the transformer"
    assert whole.said[1] == fewest and {token.shade for token in every.tokens} == {1.0}
    early = next(part for part in shown("hidden states", {STEP: 3}).pictures if isinstance(part, TokenButtons))
    assert [token.dim for token in early.tokens] == [False] * 3 + [True] * (length - 3)
    np.testing.assert_allclose(early.tokens[0].shade, cosine_rows(states[:1], states[2:3])[0].clip(0, 1), atol=1e-4)
    backwards = queries.passage(ADDITIVE, PAGE.text)
    last = states_by_step(backwards, "backwards.state", 1, layers)
    assert np.isfinite(last[-1]).all() and np.isneginf(last[:-1]).all(), "it reads from the right"


def test_the_bottleneck_says_its_size_and_which_word_is_changed() -> None:
    found = shown("the bottleneck", {WORD: 5})
    strip = next(part for part in found.pictures if isinstance(part, Strip))
    size = queries.passage(BOTTLENECK, PAGE.text).states["forwards.state"].shape[1]
    assert f"its {size} numbers" in found.said[0] and np.shape(strip.tiles[1].values) == (1, size)
    assert strip.tiles[1].title == "with “red” changed" and "“red”" in found.said[-1]


def test_the_scores_by_length_are_those_of_the_cards() -> None:
    found = shown("length", {})
    columns = found.pictures[0]
    assert isinstance(columns, Columns)
    first, last = (
        cards()[BOTTLENECK].scores[WHOLE_SCORE][words]["bleu"] / cards()[ADDITIVE].scores[WHOLE_SCORE][words]["bleu"]
        for words in ("1-5", "21-30")
    )
    assert (
        found.said[0] == "The longer the sentence, the smaller the part of attention’s score that one vector reaches."
    )
    assert f"reaches {first:.0%} of the score with attention at 1-5 words, {last:.0%} at 21-30." in " ".join(
        found.about
    )
    for (chart,), score in zip(columns.columns, (WHOLE_SCORE, JOINED_SCORE), strict=True):
        assert isinstance(chart, Chart)
        for name, title in TITLES.items():
            scores = list(cards()[name].scores[score].values())
            drawn = chart.data[chart.data.model == title]
            np.testing.assert_allclose(drawn.bleu, [each["bleu"] for each in scores], rtol=1e-6)
            np.testing.assert_allclose(drawn.low, [each["low"] for each in scores], rtol=1e-6)
    long = [each["sentences"] for each in list(cards()[ADDITIVE].scores[JOINED_SCORE].values())[1:]]
    assert sum(long) > 300, "sentences over 20 words"


def test_a_forced_token_of_the_page_is_another_translation() -> None:
    found = shown("force it", {REDIRECTED_TOKEN: 6, SOURCE_TOKEN: 18})
    opened = shown("force it", {})
    assert opened.said[0] == "When it may look at “beach” alone, the GRU writes “plage” in place of “livre”."
    assert opened.said[1].startswith("1 of ")
    as_it_was, forced = translations(found)
    assert as_it_was == queries.passage(ADDITIVE, PAGE.text).text != forced


@pytest.mark.parametrize("view", [view.name for view in PAGE.views])
@pytest.mark.parametrize("text", [SHORT, "and " * 3 * MAX_SOURCE_TOKENS])
def test_views_stand_for_one_word_and_for_too_many(view: str, text: str) -> None:
    choices: tuple[dict[Setting, Any], ...] = ({}, {OTHER_WORD: "", WORD: MAX_SOURCE_TOKENS - 1})
    for values in choices:
        assert shown(view, values, text).pictures


def test_the_line_of_the_gates_shows_the_last_state() -> None:
    found = shown("gates", {})
    line, table = found.pictures[0], found.table
    assert isinstance(line, TokenButtons) and isinstance(table, Table)
    last = np.asarray(table.values)[-1]
    np.testing.assert_allclose([token.shade for token in line.tokens], last / last.max(), atol=1e-6)
    most = line.tokens[int(last.argmax())]
    assert most.piece in found.said[0] and most.under in found.said[0]
    assert float(most.under.rstrip("%")) == pytest.approx(100 * last.max(), abs=0.1)


def test_models_are_timed_in_turns_that_can_be_stopped(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MEASURE_SECONDS", 60.0)
    at = open_page(path_of(PAGE), sequence_to_sequence_view="time")
    assert len(at.get("vega_lite_chart")) == 2 and "Not measured yet" in said(at)
    at.button(key=f"{BENCH}-measure").click().run()
    while not at.get("progress"):
        at.run()
    assert at.button(key=f"{BENCH}-measure").label == "Stop" and "tokens, " in str(at.get("progress")[0].proto)
    at.button(key=f"{BENCH}-measure").click().run()
    (_, job), _ = at.session_state["visit"].jobs[BENCH], at.run()
    done = job.look()
    assert at.button(key=f"{BENCH}-measure").label == "Measure" and 0 < len(done) < len(LENGTHS) * len(TITLES)
    monkeypatch.setattr(timing, "MEASURE_SECONDS", 3.0)
    at.button(key=f"{BENCH}-measure").click().run()
    while at.button(key=f"{BENCH}-measure").label == "Stop":
        at.run()
    assert len(at.get("vega_lite_chart")) == 3 and job.look() == done, "nothing was added after the stop"
    assert "a pass takes" in said(at) and "times as long" in said(at)
    assert not at.exception and not at.error


def test_timing_goes_on_where_it_was_and_waits_for_others() -> None:
    first = next(queries.measured_passes(5.0, None))
    again = next(queries.measured_passes(5.0, first))
    assert again[: len(first)] == first and len(again) > len(first)
    with exclusive():
        job = timing._job()
        job.go_on()
        assert job.look(0.2) is None and job.running
        job.cancel()
    slow = tuple(replace(each, median=1e6) for each in first) * len(TITLES)
    assert not list(queries.measured_passes(5.0, slow[: len(TITLES)])), "no longer text would fit"


def test_what_the_recurrent_models_hold_is_booked(monkeypatch: pytest.MonkeyPatch) -> None:
    booked, take = list[int](), Bookings.take

    def noted(self: Bookings, needed: int, reserve: int = 0) -> bool:
        booked.append(needed)
        return take(self, needed, reserve)

    monkeypatch.setattr(Bookings, "take", noted)
    queries.moved("A small dog runs along the beach today.", "cat")
    queries.directions("A small dog runs along the beach today.", "cat")
    config = recurrent_config(ADDITIVE)
    source = queries.source_tokens("A small dog runs along the beach today.")
    expected = changed_size(config, source, queries._ids("A small dog runs along the beach today.", "cat"))
    assert booked[-1] in (expected.total, expected.total - expected.parameters), "the weights, where they are not there"
    assert min(booked) > 0
