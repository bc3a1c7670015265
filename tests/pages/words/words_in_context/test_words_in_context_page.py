"""The page Words in context: every view on its own numbers, and with sentences that share no word."""

import re
from typing import Any

import numpy as np
import pytest

from core.checkpoints import shipped
from core.checkpoints.measured import load_measured
from core.text.pronoun_pairs import pronoun_pairs
from core.tracing.run import Run
from pages.canvas import TokenButtons
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.widgets import Cards, Chart, Columns, Listing, Message, Row, Values
from pages.widgets.parts import Button
from pages.words.words_in_context import settings
from pages.words.words_in_context.page import PAGE
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import HOSTILE, charts, said

OF_SENTENCES = ("layer by layer", "what it drew from", "map")


def run_of(model: str) -> Run:
    return make_run(DEFAULTS, "the wolf and the ship", "", shipped.read(model))


@pytest.fixture(scope="module")
def run() -> Run:
    return run_of("translator")


def shown(run: Run, view: str, values: dict[Any, Any] | None = None) -> Shown:
    chosen = Values(values)
    for asked in PAGE.view(view).controls(run, chosen):
        chosen[asked.setting] = (values or {}).get(asked.setting, asked.options.get("default", asked.setting.default))
    found: Shown = PAGE.view(view).show(run, chosen)
    return found


def messages(found: Shown) -> list[str]:
    return [part.text for part in found.pictures if isinstance(part, Message)]


@pytest.mark.parametrize("view", OF_SENTENCES)
def test_sentences_that_share_nothing_are_answered_in_words(run: Run, view: str) -> None:
    for text in (HOSTILE, "", "qzxv", "a " * 400):
        found = shown(run, view, dict.fromkeys(settings.SENTENCES, text))
        assert bool(found.said) != bool(messages(found))
    long = shown(run, view, dict.fromkeys(settings.SENTENCES, "a " * 400))
    assert any(note and "first 300 characters" in note for note in long.notes)
    (message,) = messages(shown(run, view, {settings.THIRD_SENTENCE: "The clock is broken."}))
    assert "No word stands in each" in message
    (message,) = messages(shown(run, view, {settings.WORD: "clock"}))
    assert "“clock” does not stand in sentences 1 and 2" in message.replace("\\", "")


@pytest.mark.parametrize("view", OF_SENTENCES)
def test_a_model_that_cannot_read_the_sentences_says_so(view: str) -> None:
    assert len(messages(shown(run_of("toy-sort"), view))) == 1


def test_the_lines_begin_at_one_and_end_where_the_sentence_says(run: Run) -> None:
    found = shown(run, "layer by layer")
    chart = columns(found)[1][0]
    assert isinstance(chart, Chart)
    first = chart.data[chart.data["stage"] == "embedding"].set_index("series")["value"]
    assert np.allclose(first.drop("two different words, on average"), 1)
    last = chart.data[chart.data["stage"] == "last norm"].set_index("series")["value"]
    assert last["one vector for each word"] == 1 and f"{last['sentences 1 and 2']:.3f}" in found.said[1]


def test_an_example_and_a_word_are_a_click_away(run: Run) -> None:
    found = shown(run, "layer by layer", {settings.WORD: "in"})
    row, rows = next(part for part in found.pictures if isinstance(part, Row)), columns(found)[0]
    assert isinstance(row.parts[0], Button)
    assert isinstance(row.parts[2], Button)
    assert (row.parts[0].sets() or {})[settings.FIRST_SENTENCE.key] == "the wolf and the ship"
    light = row.parts[2].sets() or {}
    assert [light[each.key] for each in settings.SENTENCES] == list(settings.EXAMPLES["light"])
    assert light[settings.WORD.key] == ""
    assert isinstance(rows[2], TokenButtons) and rows[2].selected == 2 and rows[2].sets is not None
    assert rows[2].sets(1) == {settings.WORD.key: "spring"}


@pytest.mark.parametrize("word", settings.EXAMPLES)
def test_every_example_is_about_its_word(run: Run, word: str) -> None:
    found = shown(run, "layer by layer", dict(zip(settings.SENTENCES, settings.EXAMPLES[word], strict=True)))
    assert f"“{word}”" in found.said[0] and not any(found.notes)


def test_what_was_drawn_stands_on_one_scale_and_opens_with_a_telling_head(run: Run) -> None:
    found = shown(run, "what it drew from")
    cards = next(part.cards for part in found.pictures if isinstance(part, Cards))
    frames = [part.data for card in cards for part in card if isinstance(part, Chart)]
    assert len(frames) == 3 and len({(*frame["low"], *frame["high"]) for frame in map(ends, frames)}) == 1
    for frame in frames:
        assert frame["share"].sum() == pytest.approx(1, abs=1e-4) and frame["weight"].sum() == pytest.approx(
            1, abs=1e-4
        )
        assert frame["low"][0] <= frame["share"].min() and frame["share"].max() <= frame["high"][0]
    own = shown(run_of("reader"), "what it drew from")
    assert "“flowers”" in own.said[0] and "“clock”" in own.said[0], "the page's own model, as it opens"


@pytest.mark.parametrize("model", ["translator", "reader", "storyteller"])
@pytest.mark.parametrize("word", settings.EXAMPLES)
def test_no_example_opens_on_a_mark_or_the_end(model: str, word: str) -> None:
    texts = dict(zip(settings.SENTENCES, settings.EXAMPLES[word], strict=True))
    _, sentence = shown(run_of(model), "what it drew from", texts).said
    sources = re.findall(r"from (?:the \w+ )?“([^”]*)”", sentence)
    assert len(sources) == 3 and all(source.isalpha() for source in sources), sentence


def test_it_opens_with_a_pair_that_the_translator_gets_right() -> None:
    found = shown(run_of("reader"), "it: tired or wide")
    assert found.said[0] == "“it” draws most from a different token each time: “tired” and “wide”."
    assert "both are the expected ones" in found.said[1]


def test_the_words_are_coloured_by_what_it_takes_from_them_and_the_bars_come_before_the_line() -> None:
    found = shown(run_of("reader"), "it: tired or wide")
    assert isinstance(found.table, list)
    tables = [table for table in found.table if isinstance(table, Listing) and table.name.startswith("sentence ")]
    for column, table in zip(columns(found), tables, strict=True):
        words = column[0]
        assert isinstance(words, TokenButtons)
        shares = np.array(table.columns["share of z"])
        np.testing.assert_allclose([token.shade for token in words.tokens], shares.clip(0, 1), atol=1e-4)
        assert words.tokens[words.selected or 0].piece == "it"
        (largest,) = [token for token in words.tokens if token.under and token.shade > 0.5]
        assert largest.under == f"{100 * shares.max():.0f}%"
    kinds = [type(part).__name__ for part in found.pictures]
    assert kinds == ["Columns", "Caption", "Cards", "Chart"]


def test_a_decoder_says_that_only_the_words_before_count() -> None:
    found = shown(run_of("storyteller"), "layer by layer")
    assert any(note and "only the words before it count" in note for note in found.notes)
    drawn = shown(run_of("storyteller"), "what it drew from").table
    assert isinstance(drawn, list) and drawn[2].columns["token"] == ["0:The", "1:spring"]


def test_the_pair_is_translated_now_as_it_was_when_it_was_counted(run: Run) -> None:
    pair = pronoun_pairs()[9]
    before = load_measured("pronouns")["pairs"][9]["french"]
    found = shown(run_of("sentiment"), "it: tired or wide", {settings.PAIR: pair.name})
    columns_of_text = columns(found)
    for number, column in enumerate(columns_of_text):
        assert before[number] in column[1].text.replace("\\", "")
    assert found.said[1].endswith("il and elle: both are the expected ones.") and "Of 66 pairs" in found.said[2]


def test_the_neighbours_of_a_word_are_its_own_counts(run: Run) -> None:
    counts = load_measured("senses-translator")["words"]["watch"]
    found = shown(run, "neighbours by sense", {settings.SENSE_WORD: "watch"})
    chart = found.pictures[0]
    assert isinstance(chart, Chart)
    total = sum(counts["sentences"].values())
    line = chart.data[chart.data["series"] == "“watch”"]["value"]
    np.testing.assert_allclose(line, np.array(counts["right"]) / total, rtol=1e-6)
    level = chart.data[chart.data["series"] != "“watch”"]["value"]
    np.testing.assert_allclose(level, max(counts["sentences"].values()) / total, rtol=1e-6)


def test_the_address_brings_sentences_and_a_word(open_page: Open) -> None:
    texts = {"words_in_context_first": "A red ship.", "words_in_context_second": "A red wolf and a ship."}
    at = open_page(path_of(PAGE), model="translator", words_in_context_third="", words_in_context_word="SHIP", **texts)
    assert "the two “ship” have" in said(at) and set(charts(at)[0]["series"]) >= {"sentences 1 and 2"}


def columns(found: Shown) -> list[Any]:
    return next(list(part.columns) for part in found.pictures if isinstance(part, Columns))


def ends(frame: Any) -> Any:
    return frame[["low", "high"]].drop_duplicates()


@pytest.mark.parametrize("model", ["recorded:add@4000", "toy-copy"])
def test_a_model_that_cannot_read_the_sentences_has_examples_of_its_own(model: str, open_page: Open) -> None:
    at = open_page(path_of(PAGE), model=model)
    assert "Press “its own examples”" in at.info[0].value and not charts(at)
    assert not any(button.label in settings.EXAMPLES for button in at.button)
    at.button(key="words-in-context-own").click().run()
    assert not at.exception and not at.error and not at.info and charts(at)
