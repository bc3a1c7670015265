"""The frame: text, model and settings make the run; what cannot be used is said, and the rest stays."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.model.masks import MaskSpec
from pages.ui import choices, frame
from pages.ui.place import within_model
from pages.ui.settings import Setting, refused
from tests.pages.conftest import Open

KNOWN = [*choices.FRAME, *choices.PAGES]


def run(at: AppTest) -> Any:
    return at.session_state["run"]


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
    at.switch_page("pages/attention/self_attention.py").run()
    assert run(at) == before
    at.switch_page("pages/attention/heads.py").run()
    assert run(at) == before
    assert at.session_state["layer"] == "2"


def test_settings_that_do_not_go_together_keep_the_last_run(open_page: Open) -> None:
    at = open_page(t="hello there")
    before = run(at)
    at.number_input(key="d").set_value(65).run()
    assert "d\\_model 65 is not divisible by 4 heads" in at.error[0].value
    assert run(at) == before
    at.number_input(key="d").set_value(68).run()
    assert not at.error
    assert run(at).config.d_model == 68


@pytest.mark.parametrize("text", ["", "   ", "\u00a0"])
def test_empty_text_is_told_what_to_do(text: str, open_page: Open) -> None:
    at = open_page(t="hello")
    at.text_input(key="t").set_value(text).run()
    assert not at.exception
    if text != "\u00a0":
        assert "Type at least one word" in at.error[0].value
        assert run(at).text == "hello"


def test_long_text_is_cut_with_a_note(open_page: Open) -> None:
    at = open_page(t="word and another " * 200)
    assert any("Only the first 5" in caption.value for caption in at.caption)


def test_ten_thousand_words_are_cut_with_a_note(open_page: Open) -> None:
    at = open_page()
    at.text_input(key="t").set_value("word " * 10_000).run()
    assert not at.exception
    assert any("Only the first" in caption.value for caption in at.caption)


def test_what_would_not_fit_is_refused_with_the_sum(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_EXPLORER_MEMORY_MIB", "8")
    at = open_page()
    at.slider(key="n").set_value(12).run()
    at.number_input(key="d").set_value(512).run()
    assert "working room" in at.error[0].value and "8 MiB may be used" in at.error[0].value
    assert run(at).config.d_model == 64


def test_hostile_parameters_are_dropped_with_a_note(open_page: Open) -> None:
    at = open_page(d="99999", zzz="<script>", pos="[x](javascript:alert(1))", n="2", layer="3")
    note = at.warning[0].value
    assert "There is no setting “zzz”" in note
    assert "d\\_model cannot be “99999”" in note
    assert "](" not in note and "<script" not in note
    assert "Layer cannot be “3”" in note
    assert run(at).config.d_model == 64 and run(at).config.layers == 2


def test_the_note_can_be_put_away(open_page: Open) -> None:
    at = open_page(zzz="1")
    next(button for button in at.button if button.label == "Got it").click().run()
    assert not at.warning


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"d": ["64"], "mask": ["causal", "block"], "embed": ["true"], "residual": ["false"], "dk": ["8"]}, None),
        ({"d": ["6.5"]}, "from 2 to 1,024"),
        ({"d": ["nan"]}, "from 2 to 1,024"),
        ({"base": ["inf"]}, "Position base"),
        ({"residual": ["maybe"]}, "true or false"),
        ({"d": ["64", "65"]}, "d_model cannot be “65”"),
        ({"mask": ["causal", "wrong"]}, "Mask cannot be “wrong”"),
        ({"t": ["x" * 5000]}, "4,000 characters"),
        ({"x" * 100: ["1"]}, "no setting “" + "x" * 30 + "…”"),
    ],
)
def test_refusals(params: dict[str, list[str]], words: str | None) -> None:
    sentences = refused(params, KNOWN)
    assert (sentences == []) if words is None else words in sentences[0]


def test_every_setting_has_a_name_of_its_own_and_its_default_is_allowed() -> None:
    keys = [setting.key for setting in KNOWN]
    assert len(keys) == len(set(keys))
    for setting in KNOWN:
        values = setting.default if isinstance(setting.default, tuple) else [setting.default]
        written = {
            str(value).lower() if isinstance(value, bool) else str(value) for value in values if value is not None
        }
        assert not refused({setting.key: sorted(written)}, KNOWN) or not written


def test_layers_and_heads_in_the_url_are_those_of_the_model() -> None:
    def options(**params: str) -> dict[str, Setting]:
        return {each.key: each for each in within_model({key: [value] for key, value in params.items()})}

    assert options(n="2")["layer"].options == ("1", "2")
    assert options(h="bad")["head"].options == ("1", "2", "3", "4")


@pytest.mark.parametrize(
    ("kind", "mask", "kinds"),
    [
        ("encoder", ("as built",), ()),
        ("decoder", ("as built",), ("causal",)),
        ("decoder", (), ()),
        ("decoder", ("as built", "prefix"), ("prefix",)),
        ("encoder-decoder", ("as built", "sliding window"), ("causal", "sliding_window")),
    ],
)
def test_masks_as_built(kind: str, mask: tuple[str, ...], kinds: tuple[str, ...]) -> None:
    run = frame.make_run(frame.DEFAULTS | {"kind": kind, "mask": mask}, "text", "text")
    assert run.mask == MaskSpec(kinds, 2, 3, 4)


def test_an_example_becomes_the_text(open_page: Open) -> None:
    at = open_page()
    at.button(key="example-river bank").click().run()
    assert run(at).text == frame.EXAMPLES["river bank"]
