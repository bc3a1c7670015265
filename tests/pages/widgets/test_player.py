"""The player: what it was left at when another page was shown."""

from tests.pages.conftest import Open


def test_a_text_that_was_left_playing_does_not_play_on(open_page: Open) -> None:
    at = open_page("pages/transformer/generate/page.py")
    at.button(key="generate-play").click().run()
    assert at.session_state["visit"].playing == {"generate"}
    at.switch_page("pages/attention/heads/page.py").run()
    at.switch_page("pages/transformer/generate/page.py").run()
    assert not at.session_state["visit"].playing and at.button(key="generate-play").label == "Play"


def test_pause_takes_back_no_token_that_a_tick_has_asked_for(open_page: Open) -> None:
    at = open_page("pages/transformer/generate/page.py")
    at.button(key="generate-play").click().run()
    before = at.session_state["generate-tokens"]
    at.session_state["generate-tokens"] = before + 1  # by a tick whose picture was not drawn
    at.button(key="generate-play").click().run()
    assert at.session_state["generate-tokens"] == before + 1 and not at.session_state["visit"].playing
