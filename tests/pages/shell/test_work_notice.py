"""Work that takes a while: it is said at once, it can be stopped, and it ends where nobody waits for it."""

from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.testing.v1 import AppTest

from pages.compute import cancellation, heavy_queue
from pages.shell import layout
from tests.pages.conftest import Open
from tests.pages.screen import address_of, look, pictures

SELF_ATTENTION, MASKS = "pages/attention/self_attention/page.py", "pages/attention/masks/page.py"


def told(at: AppTest) -> str:
    return " ".join(each.value for each in (*at.markdown, *at.caption))


def keys(at: AppTest) -> set[str | None]:
    return {each.key for each in at.button}


def end(*parts: object) -> None:
    """Work that a click ends."""
    raise StopException


def test_what_takes_a_second_says_so_before_and_can_be_stopped(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = layout._made
    monkeypatch.setattr(layout, "expected_seconds", lambda run: 2.0)
    monkeypatch.setattr(layout, "_made", end)  # as the screen is while the work goes on
    at = open_page(SELF_ATTENTION)
    assert "at work: about 2 s" in told(at)
    at.button(key="going-stop").click().run()
    assert [each.proto.label[:4] for each in at.main.get("page_link")] == ["3 · ", "5 · "]
    assert at.session_state["visit"].page == "self-attention" and at.session_state["visit"].asked is None
    assert "You stopped this" in told(at) and "at work" not in told(at)
    monkeypatch.setattr(layout, "_made", made)
    at.run()
    assert "You stopped this" in told(at)
    at.button(key="going-again").click().run()
    assert not keys(at) & {"going-stop", "going-again"} and "patient" not in at.session_state
    assert "step-picture" in [each.key for each in at.get("bidi_component")]
    at.text_input(key="t").set_value("another text").run()
    assert "You stopped this" not in told(at)


@pytest.mark.parametrize("lighter", [{"masks_preset": "block"}, {"layer": "2"}])
def test_what_was_stopped_can_be_made_lighter_by_the_controls_of_its_view(
    lighter: dict[str, str], open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.attention.masks.chosen.seconds_here", lambda *parts: 2.0)
    with monkeypatch.context() as at_work:
        at_work.setattr(layout, "with_pinned", end)
        at = open_page(MASKS, masks_view="wrong ways")
        at.button(key="going-stop").click().run()
    at.run()
    assert "You stopped this" in told(at) and not pictures(at, "mask-ways")
    assert {"masks-preset", "layer", "head"} <= {each.key for each in at.get("button_group")}
    look(at, **lighter)
    assert "You stopped this" not in told(at) and pictures(at, "mask-ways")


def test_settings_that_are_not_drawn_yet_when_work_is_ended_stay_in_the_address(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page(MASKS, masks_view="wrong ways", masks_preset="block", masks_vivid="true")
    assert at.toggle(key="masks-vivid").value
    with monkeypatch.context() as at_work:
        at_work.setattr(layout, "with_pinned", end)
        look(at, t="another text")
        assert not pictures(at, "mask-ways")
    at.run()
    assert (address_of(at)["masks-vivid"], address_of(at)["t"]) == ("true", "another text")


def test_what_takes_many_seconds_is_asked_for_first(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "expected_seconds", lambda run: 20.0)
    monkeypatch.setattr(layout, "_made", lambda *parts: pytest.fail("it was not asked for"))
    assert "needs about 20 seconds" in told(open_page(SELF_ATTENTION))


class Visit:
    """As Streamlit knows a visit to a page, of which it draws these parts, or all."""

    def __init__(self, *parts: str, over: bool = False) -> None:
        self.script_requests, self.over = ScriptRequests(), over
        self.page_script_hash, self.fragment_ids_this_run = "page", list(parts) or None

    def yield_check(self) -> None:
        if self.over:
            raise StopException


def test_work_ends_with_its_visit_and_where_a_click_asks_for_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    visits: list[Any] = [None]
    monkeypatch.setattr(cancellation, "run_context", lambda: visits[0])
    look = heavy_queue.cancellation_check()
    look()
    visits[0] = Visit(over=True)
    with pytest.raises(StopException):
        look()

    def drawn_anew(*parts: str, click: RerunData) -> list[str] | None:
        """Which parts, if a click while these are drawn ends that; None where it does not."""
        visits[0] = Visit(*parts)
        visits[0].script_requests.request_rerun(click)
        look()
        try:
            with cancellation.cancel_on_click():
                look()
        except RerunException as found:
            assert visits[0].script_requests._state == ScriptRequestType.CONTINUE
            return found.rerun_data.fragment_id_queue
        look()
        return None

    assert drawn_anew(click=RerunData(fragment_id="a", page_script_hash="page")) == []
    assert drawn_anew("a", click=RerunData(fragment_id="a", page_script_hash="page")) == ["a"]
    assert drawn_anew("a", click=RerunData(fragment_id="b", page_script_hash="page")) == ["a", "b"]
    assert drawn_anew(click=RerunData(fragment_id="a", page_script_hash="the page before")) is None


def test_work_that_takes_too_long_is_ended_with_a_sentence() -> None:
    heavy_queue.cancellation_check()()
    with pytest.raises(ValueError, match="was ended"):
        heavy_queue.cancellation_check(-1)()
