"""The page Generate: every view opens with anything a visitor can set, and shows the core's own numbers."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.decoding.sampling import Sampling
from core.explorer.generation import texts
from core.explorer.generation.records import GenerationStep
from core.explorer.generation.texts import per_token
from core.explorer.generation.views import lens as lens_of
from core.explorer.generation.views import look as seen_last
from core.tracing.run import Run
from pages.ui.generate.choices import GVIEW
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, behind, called, charts, look, pictures, said, views

PAGE = "pages/transformer/generate.py"
DEFAULT = Sampling(0.8, 40, 0.95)
FRESH = {"model": "fresh", "kind": "decoder", "d": "16", "h": "2", "n": "2", "tok": "unigram-1000"}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"t": HOSTILE, "gn": "3"},
    {"model": "toy-copy", "t": "kqzbmtwkqzb", "gt": "0"},
    {**FRESH, "t": "cat", "gn": "1", "gt": "5", "gk": "0", "gp": "1", "gm": "0.5", "gr": "2"},
    {**FRESH, "mask": ["sliding window", "prefix"], "window": "1", "gn": "20", "gat": "0", "layer": "2", "head": "2"},
    {"model": "fresh", "kind": "decoder", "dtype": "bfloat16", "h": "16", "n": "1", "gn": "2"},
]


def run_of(at: AppTest) -> Run:
    return at.session_state["run"]


def steps(at: AppTest, sampling: Sampling, most: int, forced: tuple[tuple[int, int], ...] = ()) -> list[GenerationStep]:
    return list(texts.generate(*behind(at), sampling, forced, most))


def written_pieces(at: AppTest) -> list[str]:
    (text,) = pictures(at, "generate-text")
    return [token["piece"] for token in text["tokens"] if "new" in token["kinds"]]


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(PAGE, **params)
    assert list(views(at, GVIEW)) == list(GVIEW.options)


def chart(at: AppTest, column: str) -> pd.DataFrame:
    """The data of the chart that has this column."""
    (wanted,) = [frame for frame in charts(at) if column in frame]
    return wanted


def test_the_text_and_the_stages_are_the_core_s(open_page: Open) -> None:
    at = open_page(PAGE, gn="6", gat="2")
    made = steps(at, DEFAULT, 6)
    assert written_pieces(at) == [step.piece for step in made]
    bars, ids = chart(at, "tone"), [token for token, _ in made[2].likely[:20]]
    for column, stage in (("chances", 0), ("temperature", 2), ("top-k", 3), ("top-p", 4)):
        rows = bars[(bars.stage == column) & (bars.token != "all others")]
        chances = made[2].stages[stage].probabilities[ids]
        np.testing.assert_array_equal(rows.gone, np.isneginf(made[2].stages[stage].logits[ids]))
        longest = max(step.probabilities[ids].max() for step in made[2].stages)
        np.testing.assert_allclose((rows.right - rows.left) / 0.12, chances / longest, atol=1e-5)
        (head,) = bars[(bars.line == 2) & np.isclose(bars.left, rows.left.iloc[0])].said
        assert head == f"{made[2].stages[stage].kept:,}"
    assert f"{made[2].draw:.4f}" in said(at).replace("\\", "")


def test_the_number_falls_on_the_segment_of_the_written_token(open_page: Open) -> None:
    at = open_page(PAGE, gn="4", gt="5", gk="0", gp="1", gm="0")
    made = steps(at, Sampling(5.0, 0, 1.0), 4)[3]
    bar = chart(at, "middle")
    (number,) = bar[bar.kind == "draw"].start
    assert number == made.draw
    (under,) = bar[(bar.kind == "token") & (bar.start <= number) & (number < bar.end)].itertuples()
    assert under.piece == made.piece and under.strength == 0.9
    np.testing.assert_allclose(under.end - under.start, made.probability, rtol=1e-3)
    assert bar[bar.kind != "draw"].end.max() == pytest.approx(1)


def test_nothing_is_drawn_at_temperature_0_and_in_a_branch(open_page: Open) -> None:
    for params in ({"gt": "0"}, {"gforce": "1:512"}):
        bar = chart(open_page(PAGE, gn="2", **params), "middle")
        assert "draw" not in set(bar.kind)


def test_the_views_show_the_core_s_numbers(open_page: Open) -> None:
    at = open_page(PAGE, gn="5", gview="along the text", gat="3")
    made = steps(at, DEFAULT, 5)
    bits = chart(at, "entropy")
    np.testing.assert_allclose(bits.surprisal, [step.surprisal for step in made], rtol=1e-5)
    np.testing.assert_allclose(bits.entropy, [step.entropy for step in made], rtol=1e-5)
    assert bits.here.tolist() == [False, False, False, True, False]
    cells, lens = chart(look(at, gview="layers"), "says"), lens_of(*behind(at), made[3].ids)
    shown = cells[cells.layer != "next"].chance.to_numpy().reshape(len(lens.best), -1)
    np.testing.assert_allclose(shown, lens.probability[:, -shown.shape[1] :], atol=1e-6)
    assert cells[cells.layer == "next"].says.iloc[-1] == made[3].piece
    (heads,) = pictures(look(at, gview="attention"), "generate-heads")
    rows = seen_last(*behind(at), made[3].ids).self_pattern
    np.testing.assert_allclose(heads["values"][0], rows.reshape(-1, rows.shape[-1]), atol=1e-6)
    look(at, gview="samples")
    for n, sample in enumerate(texts.samples(*behind(at), DEFAULT, 4, 8)):
        (text,) = pictures(at, f"generate-sample-{n}")
        assert [token["piece"] for token in text["tokens"]] == list(sample.pieces)
        assert f"{-per_token(sample.log_probability, len(sample.ids)):.2f} bits" in text["caption"]


def test_a_seed_in_the_address_writes_another_text_and_greedy_draws_nothing(open_page: Open) -> None:
    drawn, other = open_page(PAGE, gn="8"), open_page(PAGE, gn="8", gseed="1")
    assert written_pieces(drawn) != written_pieces(other)
    greedy = open_page(PAGE, gn="8", gt="0")
    assert written_pieces(greedy) == [step.piece for step in steps(greedy, Sampling(0, 40, 0.95), 8)]
    assert "the likeliest after the filters is taken" in said(greedy)


def test_a_branch_in_the_address_is_written_and_what_follows_is_anew(open_page: Open) -> None:
    at = open_page(PAGE, gn="6", gforce="2:512")
    assert written_pieces(at) == [step.piece for step in steps(at, DEFAULT, 6, ((2, 512),))]
    assert written_pieces(at)[:2] == written_pieces(open_page(PAGE, gn="2"))


@pytest.mark.parametrize("text", ["nonsense", "2:99999999", "-1:5", "2:", "<script>:1", "2:²"])
def test_branches_that_cannot_be_used_are_left_out_with_a_sentence(open_page: Open, text: str) -> None:
    at = open_page(PAGE, gn="4", gforce=text)
    assert "Left out" in said(at)
    assert written_pieces(at) == [step.piece for step in steps(at, DEFAULT, 4)]


@pytest.mark.parametrize("words", [230, 245, 255, 256, 400])
def test_a_text_that_fills_the_context_leaves_room_for_what_there_is(open_page: Open, words: int) -> None:
    at = open_page(PAGE, t="cat " * (words - 1) + "cat")
    room = 256 - min(words, 256) + 1
    full = room <= 12
    assert len(written_pieces(at)) == min(12, room)
    assert at.button(key="generate-step").disabled == full
    assert ("fills the 256 tokens" in said(at)) == full


def test_the_end_of_a_text_is_said(open_page: Open) -> None:
    at = open_page(PAGE, gn="9", gforce="2:3")
    assert len(written_pieces(at)) == 3 and "its text is over" in said(at)


def test_an_empty_text_leaves_the_page_standing(open_page: Open) -> None:
    at = open_page(PAGE, model="storyteller", t="")
    assert at.error and written_pieces(at)


def test_the_player_steps_forward_and_back_and_begins_again(open_page: Open) -> None:
    at = open_page(PAGE, gn="3")
    for button, count in (("step", 4), ("step", 5), ("back", 4), ("restart", 0), ("step", 1)):
        at.button(key=f"generate-{button}").click().run()
        assert not at.exception and at.session_state["gn"] == count
        assert count == 0 or len(written_pieces(at)) == count


def test_what_a_sliding_window_hides_is_crossed_out(open_page: Open) -> None:
    at = open_page(PAGE, gview="mask", mask=["as built", "sliding window"], window="1", gn="4")
    (picture,) = pictures(at, "generate-mask")
    (values,) = picture["values"]
    expected = np.tri(len(values), dtype=bool) & ~np.tri(len(values), k=-2, dtype=bool)
    np.testing.assert_array_equal(np.isfinite(values), expected)
    assert f"hides {(~expected).sum():,} of {values.size:,} pairs" in said(at).replace("\\", "")


def test_a_mask_that_plays_no_part_is_said(open_page: Open) -> None:
    at = open_page(PAGE, mask=["prefix", "sliding window"], gn="2")
    assert "“prefix” plays no part" in said(at).replace("\\", "")
    assert "plays no part" not in said(open_page(PAGE, mask=["as built", "sliding window"], gn="2"))


def tick(at: AppTest) -> None:
    """What the browser's clock does while a text is played."""
    at.session_state["gn"] += 1
    at.run()


def test_play_writes_on_and_pause_keeps_what_is_written(open_page: Open) -> None:
    at = open_page(PAGE, gn="3")
    at.button(key="generate-play").click().run()
    tick(at)
    have = at.session_state["gn"]
    assert have == 4 and at.button(key="generate-play").label == "Pause"
    assert "Pause to choose one" in said(at)
    at.button(key="generate-play").click().run()
    at.run()
    assert at.session_state["gn"] == have == len(written_pieces(at))
    assert at.button(key="generate-play").label == "Play"


def test_a_text_that_plays_comes_to_its_end(open_page: Open) -> None:
    at = open_page(PAGE, gn="0", gforce="2:3")
    at.button(key="generate-play").click().run()
    for _ in range(3):
        tick(at)
    assert at.session_state["gn"] == 3 and "its text is over" in said(at)
    assert at.button(key="generate-play").label == "Play again"
