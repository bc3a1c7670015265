"""Addresses edited by hand: what cannot be used is said, what can is used, and nothing breaks."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.device import Placement
from pages.shell.url_params import refused, unmet
from tests.pages.conftest import Open
from tests.pages.house import KNOWN
from tests.pages.screen import address_of


def note(at: AppTest) -> str:
    return at.warning[0].value.replace("\\", "")


def test_hostile_parameters_are_dropped_with_a_note(open_page: Open) -> None:
    at = open_page(d="99999", zzz="<script>", pos="[x](javascript:alert(1))")
    assert "There is no setting “zzz”" in note(at)
    assert "d_model cannot be “99999”: it can be from 2 to 1,024" in note(at)
    assert "](" not in at.warning[0].value and "<script" not in note(at)
    assert at.session_state["visit"].run.config.d_model == 64


def test_a_value_that_this_model_does_not_have_is_said_too(open_page: Open) -> None:
    at = open_page(n="2", layer="3")
    assert "Layer cannot be “3” here" in note(at)


def test_an_address_that_is_all_used_is_not_remarked_on(open_page: Open) -> None:
    at = open_page(d="32", n="2", layer="2", mask="", residual="false", base="500", dk="8", t="x" * 5000)
    assert not at.warning


def test_a_device_that_is_not_here_is_dropped_with_a_note(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    at = open_page("pages/attention/heads/page.py", device="cuda", dtype="float16", layer="2")
    assert "Device cannot be “cuda”: There is no CUDA device here; the CPU computes." in note(at)
    assert "Number format cannot be “float16”: No device here computes in float16" in note(at)
    assert {"device", "dtype"}.isdisjoint(address_of(at)) and address_of(at)["layer"] == "2"
    at = open_page("pages/attention/heads/page.py", device="cpu", dtype="bfloat16")
    assert not at.warning and at.session_state["visit"].run.placement == Placement("cpu", "bfloat16")
    assert (address_of(at)["device"], address_of(at)["dtype"]) == ("cpu", "bfloat16")
    assert list(at.selectbox(key="device").options) == ["auto", "cpu"]


def test_the_note_can_be_put_away(open_page: Open) -> None:
    at = open_page(zzz="1")
    next(button for button in at.button if button.label == "Got it").click().run()
    assert not at.warning


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"d": ["64"], "mask": ["causal", "block"], "embed": ["true"], "residual": ["false"], "dk": ["8"]}, None),
        ({"mask": [""], "t": ["x" * 9000]}, None),
        ({"d": ["6.5"]}, "from 2 to 1,024"),
        ({"d": ["nan"]}, "from 2 to 1,024"),
        ({"base": ["inf"]}, "Position base"),
        ({"base": ["2e9"]}, "from 1.01 to 1,000,000,000"),
        ({"residual": ["maybe"]}, "true or false"),
        ({"d": ["64", "65"]}, "d_model is given 2 times; the last is used"),
        ({"mask": ["causal", "wrong"]}, "Mask cannot be “wrong”"),
        ({"heads-step-of-training": ["100"], "model": ["random weights"]}, None),
        ({"heads-step-of-training": ["1.5"]}, "Step of training cannot be “1.5”: it can be a number or end"),
        ({"model": ["../x"]}, "Model cannot be “../x”: it can be suited to the page, random weights"),
        ({"x" * 100: ["1"]}, "no setting “" + "x" * 30 + "…”"),
    ],
)
def test_what_could_never_be_used(params: dict[str, list[str]], words: str | None) -> None:
    sentences = refused(params, KNOWN)
    assert (sentences == []) if words is None else words in sentences[0]


@pytest.mark.parametrize(
    ("params", "shown", "said"),
    [
        ({"layer": ["3"]}, {"layer": "1"}, "Layer cannot be “3” here."),
        ({"layer": ["3"]}, {"layer": "3"}, None),
        ({"layer": ["3"]}, {}, None),
        ({"self-attention-row": ["900"]}, {"self-attention-row": 0}, "Row cannot be “900” here."),
        ({"self-attention-row": ["007"]}, {"self-attention-row": 7}, None),
        ({"heads-off": ["L1H1", "L9H9"]}, {"heads-off": ["L1H1"]}, "Heads switched off cannot be “L9H9” here."),
        ({"residual": ["false"]}, {"residual": False}, None),
        ({"base": ["1e3"]}, {"base": 1000.0}, None),
        ({"dk": ["8"]}, {"dk": None}, "d_k cannot be “8” here."),
        ({"layer": ["999"]}, {"layer": "1"}, None),
    ],
)
def test_what_this_page_could_not_take(
    params: dict[str, list[str]], shown: dict[str, object], said: str | None
) -> None:
    assert unmet(params, KNOWN, shown) == ([said] if said else [])


def test_every_setting_has_a_name_of_its_own_and_its_default_is_allowed() -> None:
    keys = [setting.key for setting in KNOWN]
    assert len(keys) == len(set(keys))
    for setting in KNOWN:
        values = setting.default if isinstance(setting.default, tuple) else [setting.default]
        written = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
        assert refused({setting.key: [value for value in written if value != "None"]}, KNOWN) == []


def test_a_first_address_is_kept_where_the_menu_is_used_before_it_is_drawn() -> None:
    """A click on the menu ends the first run; the next one has the address of the other page, without settings."""

    def script() -> None:
        import streamlit as st

        from pages.shell import url
        from tests.pages.house import KNOWN

        url.begin_visit(KNOWN)
        if "ended" in st.query_params:
            st.stop()

    at = AppTest.from_function(script)
    at.query_params.update({"d": "40", "n": "2", "ended": "yes"})
    at.run()
    at.query_params.clear()
    at.query_params["layer"] = "2"
    at.run()
    assert (at.session_state["d"], at.session_state["n"]) == (40, 2) and "layer" not in at.session_state
    assert not at.exception


def test_a_default_that_a_browser_reports_on_the_way_to_another_page_takes_no_settings_place(open_page: Open) -> None:
    """A browser that leaves a page before it has drawn it knows no values, and reports defaults."""
    at = open_page("pages/attention/heads/page.py", d="48", n="2")
    at.number_input(key="d").set_value(64)
    at.switch_page("pages/attention/scaling/page.py").run()
    assert (at.session_state["d"], address_of(at)["d"]) == (48, "48")
    at.number_input(key="d").set_value(64).run()
    assert at.session_state["d"] == 64 and "d" not in address_of(at), "on the same page the visitor has chosen it"
