"""The page Translate: what it shows is what the model does."""

import re
from typing import Any

import numpy as np
import pytest

from core.readings.words import quoted
from core.text.special import EOS
from core.topics.generate import texts, views
from core.topics.generate.records import Attentions, GenerationStep, ScoredToken
from core.tracing.run import Run
from pages.canvas.candidates.candidates import Candidates
from pages.canvas.lines.lines import TokenLines
from pages.canvas.matrices.matrices import Matrices
from pages.canvas.token_buttons.token_buttons import TokenButtons
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.settings import MODEL
from pages.transformer.translate.page import PAGE
from pages.transformer.translate.settings import (
    AT_SOURCE,
    AT_TARGET,
    ATTENTION,
    COUNT,
    DRAWN_AS,
    FORCED_CHANGE,
    FORCED_HEADS,
    LOOKED_AT_TOKEN,
    SHOWN_HEADS,
    UNIT,
    WIDTH,
)
from pages.transformer.translate.translation import translation
from pages.widgets.parts import Notes
from pages.widgets.place import HEAD, LAYER
from pages.widgets.player import Player
from pages.widgets.setting import Values
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import HOSTILE, called, said, unpack_sent
from tests.pages.screen import views as each_view
from tests.pages.transformer.translate.conftest import FIRST
from tests.pages.transformer.translate.looking import asked, listing, part, parts, pieces, show


def seen(run: Run, ids: tuple[int, ...]) -> Attentions:
    return cache.compute(views.attentions, run, ids)


def test_the_page_brings_the_translator(open_page: Open) -> None:
    at = open_page(path_of(PAGE), t=FIRST.text)
    assert at.session_state["visit"].run.model_name == "translator" and not at.error
    shown = unpack_sent(at.get_by_key("translate-text").proto.bytes)[0]["tokens"]
    assert at.number_input(key=COUNT.key).value == len(shown) and shown[-1]["piece"].isalpha()


def test_each_step_is_the_models(run: Run, steps: list[GenerationStep]) -> None:
    shown = show(run, "step by step", {COUNT: 5})
    assert pieces(shown, "-text") == [each.piece for each in steps[:5]]
    rows = part(shown, Candidates).rows
    ten = sorted(steps[4].likeliest(11), key=lambda each: -each.own)[:10]
    assert [row.piece for row in rows] == [each.piece for each in ten]
    np.testing.assert_allclose([row.probability for row in rows], [each.own for each in ten], atol=1e-5)
    pattern = seen(run, steps[4].ids)
    assert pattern.cross is not None
    for key, expected in (("-source", pattern.cross), ("-own", pattern.decoder)):
        shades = [token.shade for token in part(shown, TokenButtons, key).tokens if not token.struck]
        np.testing.assert_allclose(shades, expected[0].mean(0)[-1], atol=1e-5)
    assert [token.struck for token in part(shown, TokenButtons, "-own").tokens] == [False] * 5 + [True]


def test_an_earlier_token_is_looked_at(run: Run, steps: list[GenerationStep]) -> None:
    shown = show(run, "step by step", {COUNT: 5, LOOKED_AT_TOKEN: 1, SHOWN_HEADS: "this head", LAYER: "3", HEAD: "2"})
    line, pattern = part(shown, TokenButtons, "-text"), seen(run, steps[1].ids)
    assert line.selected == 1 and [token.dim for token in line.tokens] == [False, False, True, True, True]
    assert line.sets is not None and line.sets(3) == {LOOKED_AT_TOKEN.key: 3}
    shades = [token.shade for token in part(shown, TokenButtons, "-source").tokens]
    assert pattern.cross is not None
    np.testing.assert_allclose(shades, pattern.cross[2, 1, -1], atol=1e-5)


def test_step_and_back(open_page: Open) -> None:
    at = open_page(path_of(PAGE), t=FIRST.text, translate_tokens="5")
    at.button(key="translate-step").click().run()
    assert at.number_input(key=COUNT.key).value == 6
    at.button(key="translate-back").click().run()
    at.button(key="translate-back").click().run()
    assert at.number_input(key=COUNT.key).value == 4
    at.button(key="translate-restart").click().run()
    assert "Nothing is written yet" in at.info[0].value
    assert at.number_input(key=COUNT.key).value == 0


def test_a_number_beyond_the_end_is_put_right_and_back_begins_at_the_end(open_page: Open) -> None:
    at = open_page(path_of(PAGE), model="translator", t=FIRST.text, translate_tokens="30")
    assert "its translation is over" in str(at.get_by_key("translate-text").proto.bytes)
    assert at.session_state[COUNT.key] == 10
    at.button(key="translate-back").click().run()
    assert at.session_state[COUNT.key] == 9 and "is over" not in str(at.get_by_key("translate-text").proto.bytes)


def test_only_the_first_view_plays(run: Run, steps: list[GenerationStep]) -> None:
    player = part(show(run, "step by step", {COUNT: 30}), Player)
    assert (player.have, player.over) == (len(steps), True) and not part(show(run, "step by step"), Player).over
    assert [view.player for view in PAGE.views] == [player.name, *[""] * (len(PAGE.views) - 1)]


@pytest.mark.parametrize(
    "params",
    [
        {"model": "translator", "t": "<script>a</script>", "tt": "مرحبا 👩‍🚀"},
        {"kind": "encoder-decoder", "d": "16", "n": "1", "h": "2", "t": "a", "tt": HOSTILE},
    ],
    ids=called,
)
def test_every_view_with_texts_of_every_kind(params: dict[str, Any], open_page: Open) -> None:
    at = open_page(path_of(PAGE), **params)
    for _ in each_view(at, PAGE.look_at):
        assert not re.search(r"(?<!\\)<script", said(at))


@pytest.mark.parametrize("view", [view.name for view in PAGE.views])
def test_an_empty_text_leaves_the_page_standing(view: str, open_page: Open) -> None:
    at = open_page(path_of(PAGE), translate_view=view, model="translator", t="")
    assert at.error and not at.exception


def test_who_chose_an_encoder_sees_the_translator_here_and_the_encoder_elsewhere(open_page: Open) -> None:
    at = open_page(path_of(PAGE), t=FIRST.text)
    at.session_state[MODEL.key] = "sentiment"  # chosen on another page
    at.run()
    assert at.session_state["visit"].run.model_name == "translator" and not at.error
    said = (
        "This page is about an encoder-decoder, so it shows “Translator, English to French”. Other pages show what you "
        "chose: “Classifier of film reviews, good or bad”."
    )
    assert said in " ".join(each.value.replace("\\", "") for each in at.caption)
    at.switch_page("pages/attention/heads/page.py").run()
    assert at.session_state["visit"].run.model_name == "sentiment" and not at.error


def test_heads_are_asked_for_where_they_are_meant(run: Run) -> None:
    for over, shown in (("all", []), ("layer", [LAYER]), ("this head", [LAYER, HEAD])):
        assert asked(run, "step by step", {SHOWN_HEADS: over}) == [SHOWN_HEADS, *shown]
    assert asked(run, "force it", {FORCED_CHANGE: "hide a word"}) == [FORCED_CHANGE, AT_SOURCE]
    assert asked(run, "force it", {FORCED_CHANGE: "silence heads", FORCED_HEADS: "layer"}) == [
        FORCED_CHANGE,
        FORCED_HEADS,
        LAYER,
    ]
    assert asked(run, "force it", {}) == [FORCED_CHANGE, AT_TARGET, AT_SOURCE, FORCED_HEADS]


@pytest.mark.parametrize("unit", UNIT.options)
def test_the_alignment_is_that_of_the_written_tokens(unit: str, run: Run, steps: list[GenerationStep]) -> None:
    shown = show(run, "alignment", {SHOWN_HEADS: "this head", LAYER: "3", HEAD: "2", UNIT: unit})
    expected = seen(run, (*steps[-1].ids, EOS))
    (panel,) = part(shown, Matrices).panels
    values = np.asarray(panel.values)
    np.testing.assert_allclose(values.sum(-1), 1, atol=1e-4)
    arrows = {"pieces": ["0:(start) → Le", "1:Le → chat", "2:chat → noir"], "words": ["0:(start)", "1:Le", "2:chat"]}
    assert list(panel.rows[:3]) == arrows[unit]
    assert panel.title.startswith("Layer 3, head 2: ") and expected.cross is not None
    if unit == "pieces":
        np.testing.assert_allclose(values, expected.cross[2, 1, :-1], atol=1e-5)
    else:
        assert "sleeps" in " ".join(panel.cols) and len(panel.cols) == len(expected.source_word_labels)
    drawn = part(
        show(run, "alignment", {SHOWN_HEADS: "this head", LAYER: "3", HEAD: "2", UNIT: unit, DRAWN_AS: "lines"}),
        TokenLines,
    )
    np.testing.assert_array_equal(drawn.weights[0], values)


def test_what_the_decoder_may_not_see_is_drawn_as_hidden(run: Run) -> None:
    values = np.asarray(part(show(run, "alignment", {ATTENTION: "decoder"}), Matrices).panels[0].values)
    np.testing.assert_array_equal(np.isneginf(values), ~np.tri(len(values)).astype(bool))
    assert np.isfinite(
        np.asarray(part(show(run, "alignment", {ATTENTION: "encoder"}), Matrices).panels[0].values)
    ).all()


def test_your_french_is_scored_by_the_model() -> None:
    run = make_run(DEFAULTS, FIRST.text, "Le chien noir dort.", cache.trained("translator"))
    ids = (*cache.reader(run).encode("Le chien noir dort.").ids, EOS)
    scored: tuple[ScoredToken, ...] = cache.compute(texts.score_text, run, ids)
    shown = show(run, "your French")
    columns = listing(shown)
    np.testing.assert_allclose(columns["probability"], [each.probability for each in scored], rtol=1e-4)
    assert list(columns["rank"]) == [each.rank for each in scored]
    assert f"= {-sum(each.surprisal for each in scored):.2f}" in shown.formula
    worst = min(scored[:-2], key=lambda each: each.probability).piece
    assert shown.said[0].startswith(f"The most surprising word was {quoted(worst)}")


def test_a_hidden_word_changes_the_translation(run: Run) -> None:
    shown = show(run, "force it", {FORCED_CHANGE: "hide a word", AT_SOURCE: 2})
    assert pieces(shown, "-before") != pieces(shown, "-after")
    assert "hidden from all" in shown.said[1]
    struck = [token.struck for token in part(shown, TokenButtons, "-force-source").tokens]
    assert struck.index(True) == 2 and struck.count(True) == 1


def test_a_forced_token_writes_another_word(run: Run) -> None:
    shown = show(run, "force it", {AT_TARGET: 1, AT_SOURCE: 8})
    before, after = part(shown, TokenButtons, "-before"), part(shown, TokenButtons, "-after")
    assert before.tokens[1].struck and after.tokens[1].shade == 1 and after.tokens[1].piece == "fauteuil"
    assert before.sets is not None and before.sets(4) == {AT_TARGET.key: 4}
    assert r"A_{1,8} = 1 \qquad A_{1,j} = 0 \text{ for } j \ne 8" in shown.formula
    best = part(shown, Candidates).rows[0]
    assert best.piece == "fauteuil" and best.probability > 0.5 > best.own
    assert shown.said[0] == "Where it wrote “chat”, the model now writes “fauteuil”."
    assert shown.said[1].endswith(", 1 of 10 tokens is new.")


def test_silent_heads_have_no_source_to_click(run: Run) -> None:
    shown = show(run, "force it", {FORCED_CHANGE: "silence heads", FORCED_HEADS: "all"})
    assert not any(getattr(each, "key", "") == "translate-force-source" for each in parts(shown))
    assert pieces(shown, "-before") != pieces(shown, "-after")


def test_a_text_that_the_limit_cuts_is_said_to_be_cut() -> None:
    fresh = make_run(DEFAULTS | {"kind": "encoder-decoder", "n": 1}, "a b", "a")
    shown = show(fresh, "beam", {WIDTH: 2})
    ends, tokens = (listing(shown)[name] for name in ("ends", "tokens"))
    assert ends[0] == "cut at the limit" and f"cut after {tokens[0]} tokens, wins" in str(shown.takeaway)


def test_a_long_source_is_cut_with_a_note(open_page: Open) -> None:
    at = open_page(path_of(PAGE), kind="encoder-decoder", d="16", h="2", n="1", t="word " * 700)
    assert not at.error and any("tokens are used" in caption.value for caption in at.caption)


def test_a_translation_that_never_ends_is_cut_with_a_note() -> None:
    run = make_run(DEFAULTS | {"kind": "encoder-decoder", "d": 16, "n": 1}, "a", "a")
    text = translation(run, Values())
    assert (
        text.is_cut and show(run, "ways to write").notes[0] == f"The translation is cut after {text.max_tokens} tokens."
    )
    assert text.max_tokens == len(text.written) == len(text.source) * 3 // 2 + 20
    assert not text.first(3).is_cut and len(text.first(3).written) == 3


def test_padding_plays_no_part_and_is_said_to_play_none(run: Run) -> None:
    padded = make_run(DEFAULTS | {"mask": ["padding"], "pads": 3}, FIRST.text, "Le", cache.trained("translator"))
    assert padded.pads == 3 and translation(padded, Values()).ids == translation(run, Values()).ids
    (note,) = PAGE.above(translation(padded, Values()), Values())
    assert isinstance(note, Notes) and "padding" in (note.sentences[0] or "")
