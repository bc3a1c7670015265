"""The frame: text, model and settings make the run; what cannot be used is said, and the rest stays."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import limits
from core.checkpoints.examples import examples_of
from core.memory import MIB
from core.model.masks import CausalMask, Mask, PrefixMask, SlidingWindowMask
from pages.shell import run_plan
from pages.shell.page import Page
from pages.shell.settings import RANDOM_WEIGHTS
from tests.pages.conftest import Open
from tests.pages.house import PAGES, path_of
from tests.pages.screen import address_of, look

AROUND = {"history", "address", "terms", "presenter", "open-drawer"}  # the drawings of the frame


def run(at: AppTest) -> Any:
    return at.session_state["visit"].run


def test_the_url_makes_the_run(open_page: Open) -> None:
    wishes = {"t": "hello there", "kind": "decoder", "d": "48", "h": "6", "n": "2", "pos": "rotary", "seed": "7"}
    at = open_page(**wishes, dk="4", score="general", norm="pre", residual="false", base="500")
    config = run(at).config
    assert run(at).text == "hello there"
    assert (config.architecture, config.d_model, config.heads, config.layers) == ("decoder", 48, 6, 2)
    assert (config.positions, config.seed, config.key_width, config.value_width) == ("rotary", 7, 4, 8)
    assert (config.score, config.norm_position, config.residual, config.position_base) == ("general", "pre", False, 500)
    assert not at.warning


def test_settings_and_text_survive_a_change_of_page(open_page: Open) -> None:
    at = open_page(d="32", t="one two three", layer="2")
    before = run(at)
    at.switch_page("pages/attention/self_attention/page.py").run()
    assert run(at) == before
    at.switch_page("pages/attention/heads/page.py").run()
    assert run(at) == before
    assert at.session_state["layer"] == "2"


@pytest.mark.parametrize("page", [page for page in PAGES if page.uses_model], ids=lambda page: page.address)
def test_sizes_that_do_not_go_together_draw_nothing_of_another_run(page: Page, open_page: Open) -> None:
    """Also after a reload, with which the session has no run yet; the text, the drawer and the ways on stay."""
    kind = page.architectures[0]
    at = open_page(path_of(page), model=RANDOM_WEIGHTS, kind=kind, t="hello there", d="64")
    if "d" in page.owns:
        return
    at.number_input(key="d").set_value(130).run()
    for tab in (at, open_page(path_of(page), model=RANDOM_WEIGHTS, kind=kind, t="hello there", d="130")):
        said = tab.error[0].value.replace("\\", "")
        assert "d_model 130 is not divisible by 4 heads: take d_model 128 or 132" in said
        assert run(tab) is None and drawings(tab) <= AROUND and not tab.get("vega_lite_chart")
        assert tab.number_input(key="d").value == 130 and (page.reference or tab.get("page_link"))
        if page.reads_text:
            assert tab.text_input(key="t").value == "hello there"
    at.number_input(key="d").set_value(132).run()
    assert not at.error and run(at).config.d_model == 132


def drawings(at: AppTest) -> set[str]:
    return {str(each.key) for each in at.get("bidi_component")}


@pytest.mark.parametrize("text", ["", "   ", "\u00a0"])
def test_empty_text_is_told_what_to_do(text: str, open_page: Open) -> None:
    at = open_page(t="hello")
    at.text_input(key="t").set_value(text).run()
    assert not at.exception
    if text != "\u00a0":
        assert "Type at least one word" in at.error[0].value
        assert run(at) is None


def test_long_text_is_cut_with_a_note(open_page: Open) -> None:
    at = open_page(t="word and another " * 200)
    assert any("Only the first 5" in caption.value for caption in at.caption)


def test_ten_thousand_words_are_cut_with_a_note(open_page: Open) -> None:
    at = open_page()
    at.text_input(key="t").set_value("word " * 10_000).run()
    said = [caption.value for caption in at.caption]
    assert any("Only the first 4,000 of 50,000 characters" in each.replace("\\", "") for each in said)
    assert any("Only the first 512 of " in each for each in said)
    assert at.text_input(key="t").value == ("word " * 800)
    at.text_input(key="t").set_value("few words").run()
    assert not any("characters" in caption.value for caption in at.caption)


def test_it_says_which_text_is_empty(open_page: Open) -> None:
    at = open_page(kind="encoder-decoder")
    at.text_input(key="tt").set_value("").run()
    assert "In the decoder's text" in at.error[0].value.replace("\\", "")


@pytest.mark.parametrize(("key", "value"), [("layer", "3"), ("head", "4")])
def test_a_smaller_model_takes_its_last_layer_and_head(key: str, value: str, open_page: Open) -> None:
    at = open_page(**{key: value})
    at.slider(key="n").set_value(2).run()
    at.slider(key="h").set_value(2).run()
    assert at.session_state[key] == "2"
    assert address_of(at)[key] == "2"


def test_what_would_not_fit_is_refused_with_the_sum(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMORY_MIB", limits.APP_MIB + 8)
    at = open_page()
    at.slider(key="n").set_value(12).run()
    at.number_input(key="d").set_value(512).run()
    assert "working room" in at.error[0].value and "8 MiB may be used" in at.error[0].value
    assert run(at) is None


def test_a_number_format_that_would_not_fit_is_refused(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """While weights are drawn in bfloat16 on the CPU, those in float32 are there as well."""
    monkeypatch.setattr(limits, "MEMORY_MIB", limits.APP_MIB + 60)
    monkeypatch.setattr(
        "pages.compute.memory_budget.resident", lambda: limits.APP_MIB * MIB
    )  # whatever was tested before
    at = open_page(d="256", n="12", seed="41")
    assert not at.error
    look(at, dtype="bfloat16")
    assert "60 MiB may be used" in at.error[0].value
    assert run(at) is None and at.selectbox(key="dtype").value == "bfloat16"
    look(at, dtype="float32")
    assert not at.error


@pytest.mark.parametrize(
    ("kind", "mask", "masks"),
    [
        ("encoder", ("as built",), ()),
        ("decoder", ("as built",), (CausalMask(),)),
        ("decoder", (), ()),
        ("decoder", ("as built", "prefix"), (PrefixMask(3),)),
        ("encoder-decoder", ("sliding window", "as built"), (CausalMask(), SlidingWindowMask(2))),
    ],
)
def test_masks_as_built(kind: str, mask: tuple[str, ...], masks: tuple[Mask, ...]) -> None:
    run = run_plan.make_run(run_plan.DEFAULTS | {"kind": kind, "mask": mask}, "text", "text")
    assert run.masks == masks


def test_an_example_becomes_the_text(open_page: Open) -> None:
    at = open_page()
    at.button(key="example-river bank").click().run()
    assert run(at).text == examples_of("")["river bank"].text
