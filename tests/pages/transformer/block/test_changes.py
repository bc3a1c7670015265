"""The views that take parts away and that patch: their numbers are the core's, and a click opens what it should."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pytest

from core.text.held_out import STORY
from core.topics.block import ablation, held_out, patching
from core.topics.block.pairs import pair_of
from core.topics.block.variants import variants_of
from core.tracing.run import Run
from pages.canvas import Matrices
from pages.compute import cache
from pages.compute.model_cache import load_model
from pages.compute.run_slots import run_slots
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.settings import TEXT
from pages.shell.view import Shown
from pages.transformer.block import patch, queries, take_away
from pages.transformer.block.page import PAGE
from pages.transformer.block.settings import COMPUTE_REST, OTHER_TEXT, PATCHED_LAYER, PATCHED_TOKEN, TOKEN, VARIANT
from pages.widgets import Button, Chart, Columns, JobSwitch, Message, Part, Row, Values

show_take_away = PAGE.view("take away").show
show_patch = PAGE.view("patch").show

STORY_TEXT = "Once upon a time there was a little girl who lived in a wood. One day"
Kind = TypeVar("Kind")


def run_on(text: str, trained: str = "", target: str = "", **chosen: Any) -> Run:
    return make_run(DEFAULTS | chosen, text, target, cache.trained(trained) if trained else None)


def flat(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        for inner in [*part.columns] if isinstance(part, Columns) else []:
            yield from flat(inner)
        yield part


def parts_of(shown: Shown, kind: type[Kind]) -> list[Kind]:
    return [part for part in flat(shown.pictures) if isinstance(part, kind)]


def test_each_row_is_a_variant_with_its_numbers_from_the_core() -> None:
    run = run_on(STORY_TEXT, "storyteller-small")
    shown = show_take_away(run, Values({TOKEN: 3, VARIANT: "no attention"}))
    rows, answers, lengths = (chart.data for chart in parts_of(shown, Chart))
    names = variants_of(run.config, "decoder", 0)
    assert rows.variant.tolist() == ["as it is", *names]
    assert rows.variant[rows.here].tolist() == ["no attention"]
    step, at = queries.last_step(run), len(cache.check(run)["decoder"]) - 1
    model, tokenizer = load_model(cache.model_key(run)), cache.reader(run)
    kept = ablation.whole_pass(model, tokenizer, run, "decoder")
    before = ablation.untouched(step, kept, model, tokenizer, run, at)
    measured = held_out.held_out_run(run, tokenizer)
    assert measured.text == STORY
    asked = held_out.held_out_pass(step, model, tokenizer, measured, "decoder")
    assert asked is not None
    for place, name in enumerate(names, 1):
        found = ablation.without(step, kept, before, model, tokenizer, run, at, name)
        assert found is not None and found.best is not None
        loss = held_out.held_out_loss(step, *asked, model, tokenizer, measured, name)
        assert rows.moved_text[place] == f"{found.moved[3]:.2f}" and rows.loss_text[place] == f"{loss:.2f}"
        assert rows.piece[place] == found.best[0]
    assert set(answers.run) == set(lengths.series) == {"as it is", "no attention"}
    assert shown.said[0].endswith(" the model predicts worst.") and "The loss goes from 4.19 to 17.3" in shown.said[1]
    assert any(sentence.startswith("Without attention the answer ") for sentence in shown.said)


def test_a_click_on_a_row_opens_it_and_the_model_as_it_is_is_no_variant() -> None:
    run = run_on(STORY_TEXT, "storyteller-small")
    overview = parts_of(show_take_away(run, Values()), Chart)[0]
    assert overview.sets is not None
    names = variants_of(run.config, "decoder", 0)
    assert overview.sets(2) == {VARIANT.key: names[1]} and overview.sets(0) == {}
    other = show_take_away(run, Values({VARIANT: "no cross-attention 12"}))
    assert parts_of(other, Chart)[0].data.here.tolist().index(True) == 1


def test_random_weights_say_that_their_answers_mean_nothing_and_an_overflow_is_told() -> None:
    decoder = run_on("a cat sat", kind="decoder", n=2, d=64, norm="pre")
    assert any("mean nothing yet" in note for note in show_take_away(decoder, Values()).notes if note)
    wide = run_on("a cat sat", kind="decoder", n=12, d=64, norm="pre", dtype="float16", act="swiglu")
    shown = show_take_away(wide, Values({VARIANT: "no norms"}))
    assert parts_of(shown, Chart)[0].data.moved_text.notna().all()
    encoder = show_take_away(run_on("a cat sat"), Values())
    assert len(parts_of(encoder, Chart)) == 2 and "moves most" in encoder.said[0]


def test_variants_that_take_long_come_one_by_one_and_end_as_those_that_are_computed_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once = show_take_away(run_on(STORY_TEXT, "storyteller-small"), Values())
    monkeypatch.setattr(take_away, "SHORT_SECONDS", 0.0)
    run = run_on("Once upon a time there was a frog. One day", "storyteller-small")
    with run_slots().turn():  # no job goes on beside this run
        first = show_take_away(run, Values({VARIANT: "no attention"}))
    (grows,), rows = parts_of(first, JobSwitch), parts_of(first, Chart)[0]
    assert (grows.done, grows.many, grows.runs) == (1, len(variants_of(run.config, "decoder", 0)), True)
    assert rows.data.loss_text.tolist()[1:].count("…") == grows.many - 1 and rows.data.loss_text[0] == "4.19"
    assert first.said[0].startswith("Without attention the answer ") and len(first.said) == 4
    stopped = show_take_away(run, Values({COMPUTE_REST: False, VARIANT: "no attention"}))
    assert not parts_of(stopped, JobSwitch)[0].runs
    again = show_take_away(run, Values({COMPUTE_REST: False, VARIANT: "no attention"}))
    assert parts_of(again, JobSwitch)[0].done == parts_of(stopped, JobSwitch)[0].done < grows.many
    run = run_on(STORY_TEXT, "storyteller-small")
    while parts_of(found := show_take_away(run, Values()), JobSwitch):
        time.sleep(0.01)
    assert found.said == at_once.said and parts_of(found, Chart)[0].data.equals(parts_of(at_once, Chart)[0].data)


def test_the_map_is_that_of_the_core_and_opens_where_the_answer_turns_most() -> None:
    run = run_on(STORY_TEXT, "storyteller")
    shown = show_patch(run, Values())
    (panel,) = parts_of(shown, Matrices)[0].panels
    step, other = queries.last_step(run), STORY_TEXT.replace("girl", "boy")
    pair = cache.compute(lambda *where: pair_of(step, other, *where), run, "decoder", 0)
    seen = cache.compute(lambda *where: patching.both_runs(pair, *where), run)
    rows = cache.compute(lambda *where: patching.patch_rows(step, pair, seen, *where), run, range(len(pair.labels)))
    np.testing.assert_allclose(panel.values, np.stack([row.turn for row in rows]), atol=1e-5)
    assert panel.rows[8] == "8:girl → boy" and panel.rows[9] == "9:who"
    assert panel.selected == (8, 1) and "“girl”" in shown.said[0] and "“day”" in shown.said[0]
    bars = parts_of(shown, Chart)[0].data
    assert set(bars.run) == {"your text", "patched", "the other text"}
    assert "“she”" in shown.said[1] and "“he”" in shown.said[1]


def test_a_map_that_takes_long_grows_and_ends_as_the_one_that_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patch, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(patch, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(queries, "AT_ONCE", 0.0)
    run, other = run_on(STORY_TEXT, "storyteller-small"), STORY_TEXT.replace("girl", "king")

    def grown(on: bool) -> tuple[int, Shown]:
        """How many rows are there, and what is shown of them."""
        shown = show_patch(run, Values({OTHER_TEXT: other, COMPUTE_REST: on}))
        (panel,), switches = parts_of(shown, Matrices)[0].panels, parts_of(shown, JobSwitch)
        done = int(np.isfinite(panel.values).all(1).sum())
        assert not switches or (switches[0].done, switches[0].many) == (done, len(panel.rows))
        assert not switches or switches[0].runs == (on or not done)
        return done, shown

    begun = 0
    while not begun:
        begun, shown = grown(on=False)
        time.sleep(0.01)
    (picture,) = parts_of(shown, Matrices)
    assert picture.panels[0].absent == "not yet" and begun < len(picture.panels[0].rows)
    assert picture.panels[0].selected is not None and "→" in picture.panels[0].rows[picture.panels[0].selected[0]]
    assert not any("hangs on" in sentence for sentence in shown.said)
    assert grown(on=False)[0] == begun, "it does not go on"
    while parts_of(whole := grown(on=True)[1], JobSwitch):
        time.sleep(0.01)
    assert "hangs on" in whole.said[0]
    (panel,) = parts_of(whole, Matrices)[0].panels
    step = queries.last_step(run)
    pair = cache.compute(lambda *where: pair_of(step, other, *where), run, "decoder", 0)
    seen = cache.compute(lambda *where: patching.both_runs(pair, *where), run)
    rows = cache.compute(lambda *where: patching.patch_rows(step, pair, seen, *where), run, range(len(panel.rows)))
    np.testing.assert_allclose(panel.values, np.stack([row.turn for row in rows]), atol=1e-4)


def test_a_click_opens_a_cell_and_a_button_an_example() -> None:
    run = run_on(STORY_TEXT, "storyteller-small")
    shown = show_patch(run, Values({PATCHED_TOKEN: 3, PATCHED_LAYER: 9}))
    (picture,) = parts_of(shown, Matrices)
    assert picture.panels[0].selected == (3, 2)
    assert picture.sets is not None and picture.sets("turn", 4, 1) == {PATCHED_TOKEN.key: 4, PATCHED_LAYER.key: 1}
    (buttons,) = parts_of(show_patch(run_on(STORY_TEXT, "storyteller"), Values()), Row)
    button = buttons.parts[0]
    assert isinstance(button, Button) and (button.sets() or {})[TEXT.key] == STORY_TEXT


def test_a_text_of_ones_own_is_compared_in_the_models_case() -> None:
    run = run_on("it is not a bad film at all", "sentiment")
    shown = show_patch(run, Values({OTHER_TEXT: "It is not a GOOD film at all"}))
    assert [row for row in parts_of(shown, Matrices)[0].panels[0].rows if "→" in row] == ["4:bad → good"]
    assert "“negative”" in shown.said[1] and "“positive”" in shown.said[1]


@pytest.mark.parametrize(
    ("text", "other", "words"),
    [
        ("a a a", "", "Write another text"),
        ("a cat", "a cat", "Write another text"),
        ("kqzb", "<script>alert(1)</script>", "knows only"),
    ],
)
def test_what_cannot_be_compared_is_said(text: str, other: str, words: str) -> None:
    shown = show_patch(run_on(text, "toy-copy" if text == "kqzb" else "storyteller-small"), Values({OTHER_TEXT: other}))
    (message,) = parts_of(shown, Message)
    assert words in message.text and not parts_of(shown, Matrices)


def test_long_and_unlike_texts_are_cut_and_matched_with_a_note() -> None:
    shown = show_patch(run_on("cat and dog " * 60, "storyteller-small"), Values({OTHER_TEXT: "a cat"}))
    assert len(parts_of(shown, Matrices)[0].panels[0].rows) == 32
    notes = " ".join(note for note in shown.notes if note)
    assert "first 32 tokens" in notes and "matched from both ends" in notes
    assert np.isneginf(parts_of(shown, Matrices)[0].panels[0].values).any()
