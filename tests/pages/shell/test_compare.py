"""Pin and compare: the same view with other settings, beside that of now, and the difference of their patterns."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.charts.bars import bars_data, layer_bars_spec
from core.checkpoints import shipped
from core.model.masks import CausalMask
from core.topics.heads.all_heads import patterns
from core.topics.shared import loading
from core.topics.shared.open_run import run_of_model
from core.topics.shared.places import HeadAddress
from pages.canvas import Matrices, Panel
from pages.shell.compare import pin_buttons
from pages.shell.compare.pinned_run import with_pinned
from pages.shell.compare.side_by_side import side_by_side
from pages.shell.settings import (
    ARCHITECTURE_SETTINGS,
    MASK,
    MASK_SIZES,
    MODEL,
    RANDOM_WEIGHTS,
    SAME_SIZES_RANDOM,
    TARGET,
    TEXT,
)
from pages.shell.view import Shown
from pages.widgets import (
    ATTENTION,
    HEAD,
    LAYER,
    Button,
    Caption,
    Chart,
    Columns,
    Markdown,
    Part,
    Setting,
    SettingPart,
    Values,
    spec,
)
from tests.pages.attention.heads.looking import only, run_with
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS
from tests.pages.screen import address_of, behind, look, pictures, said

HEADS, SELF = "pages/attention/heads/page.py", "pages/attention/self_attention/page.py"
SMALL = {"d": "16", "h": "4", "n": "2", "t": "the cat sat on the mat", "heads-view": "all heads"}


def compared(at: AppTest) -> tuple[list[str], list[np.ndarray]]:
    """The titles and the numbers of the three patterns."""
    (found,) = pictures(at, "beside-patterns")
    return [panel["title"] for panel in found["panels"]], found["values"]


def test_a_pinned_head_stays_while_the_head_changes(open_page: Open) -> None:
    at = open_page(HEADS, **SMALL, head="2")
    at.button(key="pin").click().run()
    assert "Nothing differs yet" in said(at)
    assert address_of(at)["pin-head"] == "2" and address_of(at)["pin-t"] == SMALL["t"]
    look(at, head="3", layer="2")
    titles, (pinned, now, change) = compared(at)
    assert titles == ["Pinned: layer 1 · head 2", "Now: layer 2 · head 3", "Now − pinned"]
    model = behind(at)
    first, second = (patterns(*model, HeadAddress("encoder", layer, 0)).pattern for layer in (0, 1))
    np.testing.assert_allclose(pinned, first[1], atol=1e-6)
    np.testing.assert_allclose(now, second[2], atol=1e-6)
    np.testing.assert_allclose(change, second[2] - first[1], atol=1e-6)
    at.button(key="reset-all").click().run()
    assert not pictures(at, "beside-patterns") and "pin-head" not in address_of(at)


@pytest.mark.parametrize(
    ("address", "kind", "more"),
    [
        ("heads", "encoder-decoder", {ATTENTION: "cross", TARGET: "a dog sat"}),
        ("heads", "decoder", {}),
        ("kv-cache", "encoder-decoder", {ATTENTION: "cross"}),
        ("kv-cache", "decoder", {}),
    ],
)
def test_a_pin_keeps_which_attention_and_the_target_only_where_they_are_read(
    address: str, kind: str, more: dict[Setting, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {MASK: ("sliding window",), dict(MASK_SIZES)["sliding window"]: 1, LAYER: "2", HEAD: "3"}
    values = Values({**kept, dict(MASK_SIZES)["prefix"]: 1, ATTENTION: "cross", TARGET: "a dog sat"})
    monkeypatch.setattr(pin_buttons, "current_values", lambda settings: values)
    page, run = BY_ADDRESS[address], run_with("the cat", kind=kind)
    own = {setting: setting.default for setting in page.settings if setting.pins}
    of_run = {MODEL: RANDOM_WEIGHTS, TEXT: "the cat", ARCHITECTURE_SETTINGS[0]: kind}
    assert pin_buttons.pins_now(page, run) == of_run | kept | own | more


def test_what_is_pinned_goes_along_to_another_page(open_page: Open) -> None:
    at = open_page(HEADS, **SMALL)
    at.button(key="pin").click().run()
    at.switch_page(SELF).run()
    look(at, t="the dog sat on the mat")
    titles, (_, _, change) = compared(at)
    assert titles[:2] == ["Pinned: “the cat …”", "Now: “the dog …”"]
    assert np.isneginf(change[1]).all() and np.isneginf(change[:, 1]).all() and np.isfinite(change[0, 0])
    assert "only in the text of now" in said(at) and address_of(at)["pin-t"] == SMALL["t"]


def test_the_journey_shows_the_difference_of_the_heads_it_follows(open_page: Open) -> None:
    at = open_page(**SMALL, head="2")
    at.button(key="pin").click().run()
    look(at, head="3", layer="2")
    _, (pinned, now, change) = compared(at)
    model = behind(at)
    first, second = (patterns(*model, HeadAddress("encoder", layer, 0)).pattern for layer in (0, 1))
    for drawn, weights in ((pinned, first[1]), (now, second[2]), (change, second[2] - first[1])):
        np.testing.assert_allclose(drawn, weights, atol=1e-6)


def test_a_size_that_is_left_empty_is_called_so(open_page: Open) -> None:
    at = open_page(HEADS, **SMALL, **{"pin-dk": "4"})
    titles, _ = compared(at)
    assert titles[:2] == ["Pinned: d_k 4", "Now: d_k empty"]


def test_trained_beside_random_weights_of_its_sizes(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller", layer="2", head="3")
    at.button(key="pin-weights").click().run()
    titles, (pinned, now, _) = compared(at)
    assert titles[:2] == ["Pinned: random weights", "Now: Storyteller, with rotary positions"]
    model, tokens, run = behind(at)
    random = loading.fresh_model(run.config, run.placement)
    place = HeadAddress("decoder", 1, 0)
    np.testing.assert_allclose(now, patterns(model, tokens, run, place).drawn(2), atol=1e-6)
    np.testing.assert_allclose(pinned, patterns(random, tokens, run, place).drawn(2), atol=1e-6)


def test_random_weights_beside_the_trained_model(open_page: Open) -> None:
    at = open_page(HEADS, **SMALL)
    at.button(key="pin-weights").click().run()
    titles, (pinned, _, _) = compared(at)
    assert titles[:2] == ["Pinned: Storyteller, with rotary positions, causal", "Now: random weights, no mask"]
    seen = at.session_state["visit"].run
    run = replace(run_of_model("storyteller", seen.text, placement=seen.placement), masks=seen.masks)
    model, tokens = shipped.load("storyteller", run.placement), shipped.tokenizer("storyteller")
    expected = patterns(model, tokens, replace(run, masks=(CausalMask(),)), HeadAddress("decoder", 0, 0))
    np.testing.assert_allclose(pinned, expected.drawn(0), atol=1e-6)


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ({"pin-d": "65", "pin-model": "random weights"}, "not divisible"),
        ({"pin-t": " "}, "at least one word"),
        ({"pin-model": "toy-copy", "pin-t": "Wörter"}, "cannot be shown"),
    ],
)
def test_a_pin_that_cannot_be_run_is_said_and_the_page_stands(
    pins: dict[str, str], words: str, open_page: Open
) -> None:
    at = open_page(HEADS, **(SMALL | pins))
    assert any(words in message.value.replace("\\", "") for message in at.info)
    assert pictures(at, "heads-matrix") and at.button(key="unpin")


def test_a_pin_that_no_widget_could_take_leaves_the_address(open_page: Open) -> None:
    at = open_page(HEADS, **SMALL, **{"pin-layer": "999", "pin-view": "x"})
    assert not pictures(at, "beside-patterns") and "pin-layer" not in address_of(at)
    assert "Pinned layer cannot be “999”" in at.warning[0].value.replace("\\", "")


def test_nothing_pinned_costs_nothing(open_page: Open) -> None:
    at = open_page(HEADS, **SMALL)
    page, now = BY_ADDRESS["heads"], Shown()
    nothing: Any = None
    assert with_pinned(page, page.views[0], at.session_state["visit"].run, nothing, now) is now


def test_the_pinned_side_cannot_be_clicked_and_has_keys_of_its_own() -> None:
    panel = Panel("a", "A", np.eye(2))
    picture = Matrices([panel], key="a", name="a", sets=lambda *cell: {})
    button, words = Button("b", "b", dict), Markdown("words")
    whole = Columns([[picture, button], [words]]).read_only()
    assert isinstance(whole, Columns)
    ((made,), kept) = whole.columns
    assert isinstance(made, Matrices) and (made.key, made.sets) == ("pinned-a", None) and kept == [words]
    assert SettingPart(BY_ADDRESS["heads"].settings[0]).read_only() is None


def test_charts_stand_side_by_side_on_one_scale() -> None:
    def shown(most: float) -> Shown:
        chart = Chart(bars_data(np.array([most]), ["layer 1"]), spec(layer_bars_spec, "a", "b"), "a", "a")
        return Shown([Columns([[chart], []])])

    (both,) = side_by_side(shown(2), shown(3), ("", "")).pictures
    assert isinstance(both, Columns)
    ends = []
    for column in both.columns:
        (chart,) = (each for each in column if isinstance(each, Chart))
        ends.append(chart.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]["unionWith"])
    assert ends == [[2, 3], [2, 3]]


def test_views_without_a_pattern_stand_side_by_side_on_one_scale() -> None:
    def shown(most: float) -> Shown:
        parts: list[Part] = [Matrices([Panel("a", "A", np.eye(2) * most)], key="a", name="a")]
        return Shown(parts, takeaway=f"{most:g} is the most.")

    both = side_by_side(shown(2), shown(3), ("layer 1", "layer 2"))
    limits = [only(both, Matrices, key).panels[0].limit for key in ("pinned-a", "a")]
    assert limits == [3, 3]
    (sides,) = both.pictures
    assert isinstance(sides, Columns)
    assert sides.columns[1][:2] == [Markdown("**Now\\: layer 2**"), Caption("3 is the most\\.")]


def test_its_own_sizes_are_no_model_of_the_frame() -> None:
    assert SAME_SIZES_RANDOM not in shipped.names()
