"""The views that take parts away and that patch: their numbers are the core's, and a click opens what it should."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import pytest

from core.explorer.block import held_out, patching, take_away
from core.explorer.block.pairs import pair_of
from core.explorer.block.variants import variants_of
from core.text.held_out import STORY
from core.tracing.run import Run
from pages.canvas import Matrices
from pages.queries import models
from pages.shell.frame import DEFAULTS, make_run
from pages.shell.settings import TEXT
from pages.shell.view import Shown
from pages.transformer.block import queries
from pages.transformer.block.patch import patch_seconds, show_patch
from pages.transformer.block.settings import AFTER, OTHER, TOKEN, WHERE, WITHOUT
from pages.transformer.block.take_away import show_take_away, take_away_seconds
from pages.widgets import Button, Chart, Columns, Message, Part, Row, Values

STORY_TEXT = "Once upon a time there was a little girl who lived in a wood. One day"
Kind = TypeVar("Kind")


def run_on(text: str, trained: str = "", target: str = "", **chosen: Any) -> Run:
    return make_run(DEFAULTS | chosen, text, target, models.trained(trained) if trained else None)


def flat(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        for inner in [*part.columns] if isinstance(part, Columns) else []:
            yield from flat(inner)
        yield part


def parts_of(shown: Shown, kind: type[Kind]) -> list[Kind]:
    return [part for part in flat(shown.pictures) if isinstance(part, kind)]


def test_each_row_is_a_variant_with_its_numbers_from_the_core() -> None:
    run = run_on(STORY_TEXT, "storyteller-small")
    shown = show_take_away(run, Values({TOKEN: 3, WITHOUT: "no attention"}))
    rows, answers, lengths = (chart.data for chart in parts_of(shown, Chart))
    names = variants_of(run.config, "decoder", 0)
    assert rows.variant.tolist() == ["as it is", *names]
    assert rows.variant[rows.here].tolist() == ["no attention"]
    step, at = queries.last_step(run), len(models.check(run)["decoder"]) - 1
    model, tokenizer = models._model(run.config, run.placement, run.checkpoint), models.reader(run)
    before = take_away.untouched(step, model, tokenizer, run, "decoder", at)
    measured = held_out.held_out_run(run, tokenizer)
    assert measured.text == STORY
    for place, name in enumerate(names, 1):
        found = take_away.without(step, before, model, tokenizer, run, "decoder", at, name)
        assert found is not None and found.best is not None
        loss = held_out.held_out_loss(step, model, tokenizer, measured, "decoder", name)
        assert rows.moved_text[place] == f"{found.moved[3]:.2f}" and rows.loss_text[place] == f"{loss:.2f}"
        assert rows.piece[place] == found.best[0]
    assert set(answers.run) == set(lengths.series) == {"as it is", "no attention"}
    assert "the loss goes from 4.19 to 17.3" in shown.said[0] and "without attention" in shown.said[-1].lower()


def test_a_click_on_a_row_opens_it_and_the_model_as_it_is_is_no_variant() -> None:
    run = run_on(STORY_TEXT, "storyteller-small")
    overview = parts_of(show_take_away(run, Values()), Chart)[0]
    assert overview.sets is not None
    names = variants_of(run.config, "decoder", 0)
    assert overview.sets(2) == {WITHOUT.key: names[1]} and overview.sets(0) == {}
    other = show_take_away(run, Values({WITHOUT: "no cross-attention 12"}))
    assert parts_of(other, Chart)[0].data.here.tolist().index(True) == 1


def test_random_weights_say_that_their_answers_mean_nothing_and_an_overflow_is_told() -> None:
    decoder = run_on("a cat sat", kind="decoder", n=2, d=64, norm="pre")
    assert any("mean nothing yet" in note for note in show_take_away(decoder, Values()).notes if note)
    wide = run_on("a cat sat", kind="decoder", n=12, d=64, norm="pre", dtype="float16", act="swiglu")
    shown = show_take_away(wide, Values({WITHOUT: "no norms"}))
    assert parts_of(shown, Chart)[0].data.moved_text.notna().all()
    encoder = show_take_away(run_on("a cat sat"), Values())
    assert len(parts_of(encoder, Chart)) == 2 and "moves most" in encoder.said[0]


def test_large_models_are_run_only_when_asked() -> None:
    large = run_on("cat and dog " * 200, kind="decoder", d=1024, h=16, n=12)
    assert take_away_seconds(large, Values()) > 3 and patch_seconds(large, Values()) > 3
    small = run_on(STORY_TEXT, "storyteller")
    assert take_away_seconds(small, Values()) < 3 and patch_seconds(small, Values()) < 3


def test_the_map_is_that_of_the_core_and_opens_where_the_answer_turns_most() -> None:
    run = run_on(STORY_TEXT, "storyteller")
    shown = show_patch(run, Values())
    (panel,) = parts_of(shown, Matrices)[0].panels
    step, other = queries.last_step(run), STORY_TEXT.replace("girl", "boy")
    pair = models.compute(lambda *where: pair_of(step, other, *where), run, "decoder", 0)
    rows = models.compute(lambda *where: patching.patch_rows(step, pair, *where), run, range(7))
    np.testing.assert_allclose(panel.values, np.stack([row.turn for row in rows], 1), atol=1e-5)
    assert panel.rows[8] == "8:girl → boy" and panel.rows[9] == "9:who"
    assert panel.selected == (8, 1) and "“girl”" in shown.said[0] and "“day”" in shown.said[0]
    bars = parts_of(shown, Chart)[0].data
    assert set(bars.run) == {"your text", "patched", "the other text"}
    assert "“she”" in shown.said[1] and "“he”" in shown.said[1]


def test_a_click_opens_a_cell_and_a_button_an_example() -> None:
    run = run_on(STORY_TEXT, "storyteller-small")
    shown = show_patch(run, Values({WHERE: 3, AFTER: 9}))
    (picture,) = parts_of(shown, Matrices)
    assert picture.panels[0].selected == (3, 2)
    assert picture.sets is not None and picture.sets("turn", 4, 1) == {WHERE.key: 4, AFTER.key: 1}
    (buttons,) = parts_of(show_patch(run_on(STORY_TEXT, "storyteller"), Values()), Row)
    button = buttons.parts[0]
    assert isinstance(button, Button) and button.sets()[TEXT.key] == STORY_TEXT


def test_a_text_of_ones_own_is_compared_in_the_models_case() -> None:
    run = run_on("it is not a bad film at all", "sentiment")
    shown = show_patch(run, Values({OTHER: "It is not a GOOD film at all"}))
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
    shown = show_patch(run_on(text, "toy-copy" if text == "kqzb" else "storyteller-small"), Values({OTHER: other}))
    (message,) = parts_of(shown, Message)
    assert words in message.text and not parts_of(shown, Matrices)


def test_long_and_unlike_texts_are_cut_and_matched_with_a_note() -> None:
    shown = show_patch(run_on("cat and dog " * 60, "storyteller-small"), Values({OTHER: "a cat"}))
    assert len(parts_of(shown, Matrices)[0].panels[0].rows) == 32
    notes = " ".join(note for note in shown.notes if note)
    assert "first 32 tokens" in notes and "matched from both ends" in notes
    assert np.isneginf(parts_of(shown, Matrices)[0].panels[0].values).any()
