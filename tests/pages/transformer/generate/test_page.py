"""The page Generate through the app: what it opens with, its player, and what an address may ask of it."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.decoding.sampling import Sampling
from core.topics.generate import texts
from core.topics.generate.records import GenerationStep
from pages.transformer.generate.page import PAGE
from pages.transformer.generate.settings import SAMPLING
from tests.pages.conftest import Open
from tests.pages.screen import HOSTILE, behind, called, pictures, said, views

FILE = "pages/transformer/generate/page.py"
DEFAULT = Sampling(*(each.default for each in SAMPLING))
FRESH = {"model": "random weights", "kind": "decoder", "d": "16", "h": "2", "n": "2", "tok": "unigram-1000"}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"t": HOSTILE, "generate-tokens": "3"},
    {"model": "toy-copy", "t": "kqzbmtwkqzb", "generate-temperature": "0"},
    {
        **FRESH,
        "t": "cat",
        "generate-tokens": "1",
        "generate-temperature": "5",
        "generate-top-k": "0",
        "generate-top-p": "1",
        "generate-min-p": "0.5",
        "generate-penalty": "2",
    },
    {
        **FRESH,
        "mask": ["sliding window", "prefix"],
        "window": "1",
        "generate-tokens": "20",
        "generate-looked": "0",
        "layer": "2",
        "head": "2",
    },
    {"model": "random weights", "kind": "decoder", "dtype": "bfloat16", "h": "16", "n": "1", "generate-tokens": "2"},
]


def steps(at: AppTest, sampling: Sampling, most: int, forced: tuple[tuple[int, int], ...] = ()) -> list[GenerationStep]:
    return list(texts.generate(*behind(at), sampling, forced, most))


def written_pieces(at: AppTest) -> list[str]:
    (text,) = pictures(at, "generate-text")
    return [token["piece"] for token in text["tokens"] if "new" in token["kinds"]]


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(FILE, **params)
    assert list(views(at, PAGE.look_at)) == list(PAGE.look_at.options)


def test_the_text_is_the_core_s(open_page: Open) -> None:
    at = open_page(FILE)
    assert at.session_state["visit"].run.model_name == "storyteller"
    assert written_pieces(at) == [step.piece for step in steps(at, DEFAULT, 12)]


def test_a_branch_in_the_address_is_written_and_what_follows_is_anew(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="6", generate_branches="2:512")
    assert written_pieces(at) == [step.piece for step in steps(at, DEFAULT, 6, ((2, 512),))]
    assert written_pieces(at)[:2] == written_pieces(open_page(FILE, generate_tokens="2"))


@pytest.mark.parametrize("text", ["nonsense", "2:99999999", "-1:5", "2:", "<script>:1", "2:²"])
def test_branches_that_cannot_be_used_are_left_out_with_a_sentence(open_page: Open, text: str) -> None:
    at = open_page(FILE, generate_tokens="4", generate_branches=text)
    assert "Left out" in said(at)
    assert written_pieces(at) == [step.piece for step in steps(at, DEFAULT, 4)]


@pytest.mark.parametrize("words", [230, 245, 255, 256, 400])
def test_a_text_that_fills_the_context_leaves_room_for_what_there_is(open_page: Open, words: int) -> None:
    at = open_page(FILE, t="cat " * (words - 1) + "cat")
    room = 256 - min(words, 256) + 1
    full = room <= 12
    assert len(written_pieces(at)) == min(12, room)
    assert at.button(key="generate-step").disabled == full
    assert ("fills the 256 tokens" in said(at)) == full


LONG = "cat " * 224 + "cat"  # leaves room for 32 tokens


def test_a_number_beyond_what_there_is_room_for_gives_as_many_as_there_is(open_page: Open) -> None:
    at = open_page(FILE, t=LONG, generate_tokens="150")
    assert at.session_state["generate-tokens"] == 32 == len(written_pieces(at))


def test_a_longer_text_leaves_as_many_tokens_as_there_is_room_for(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="60")
    at.text_input(key="t").set_value(LONG).run()
    assert at.session_state["generate-tokens"] == 32 == len(written_pieces(at))


def test_a_number_beyond_the_end_of_a_text_is_put_right(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="9", generate_branches="2:3")
    assert at.session_state["generate-tokens"] == 3


def test_all_branches_can_be_taken_back(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="4", generate_branches="1:512")
    at.button(key="generate-unbranch").click().run()
    assert written_pieces(at) == [step.piece for step in steps(at, DEFAULT, 4)]
    assert not [button for button in at.button if button.key == "generate-unbranch"]


def test_the_end_of_a_text_is_said(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="9", generate_branches="2:3")
    assert len(written_pieces(at)) == 3 and "its text is over" in said(at)


def test_the_player_steps_forward_and_back_and_begins_again(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="3")
    for button, count in (("step", 4), ("step", 5), ("back", 4), ("restart", 0), ("step", 1)):
        at.button(key=f"generate-{button}").click().run()
        assert not at.exception and at.session_state["generate-tokens"] == count
        assert count == 0 or len(written_pieces(at)) == count


def test_a_mask_that_plays_no_part_is_said(open_page: Open) -> None:
    at = open_page(FILE, mask=["prefix", "sliding window"], generate_tokens="2")
    assert "“prefix” plays no part" in said(at).replace("\\", "")
    assert "plays no part" not in said(open_page(FILE, mask=["as built", "sliding window"], generate_tokens="2"))


def tick(at: AppTest) -> None:
    """What the browser's clock does while a text is played."""
    at.session_state["generate-tokens"] += 1
    at.run()


def test_play_writes_on_and_pause_keeps_what_is_written(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="3")
    at.button(key="generate-play").click().run()
    tick(at)
    have = at.session_state["generate-tokens"]
    assert have == 4 and at.button(key="generate-play").label == "Pause"
    assert "Pause to choose one" in said(at)
    at.button(key="generate-play").click().run()
    at.run()
    assert at.session_state["generate-tokens"] == have == len(written_pieces(at))
    assert at.button(key="generate-play").label == "Play"


def test_a_text_that_plays_comes_to_its_end(open_page: Open) -> None:
    at = open_page(FILE, generate_tokens="0", generate_branches="2:3")
    at.button(key="generate-play").click().run()
    for _ in range(3):
        tick(at)
    assert at.session_state["generate-tokens"] == 3 and "its text is over" in said(at)
    assert at.button(key="generate-play").label == "Play again"
