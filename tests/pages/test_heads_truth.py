"""What the heads page says is true: of thresholds, rows of zeros, one head, overflow, and what comes after a head."""

import re

import numpy as np
import pytest
from pages.ui.choices import LOOK
from pages.ui.say import plain
from streamlit.testing.v1 import AppTest

from core.analysis.heads import effective_keys, row_mean
from core.explorer.heads import all_heads
from core.explorer.shared.places import Place
from core.readings.patterns import read_pattern
from tests.pages.conftest import Open
from tests.pages.screen import pictures, said
from tests.pages.test_heads import PAGE, record


def test_a_threshold_hides_weights_and_does_not_change_what_is_read(open_page: Open) -> None:
    at = open_page(PAGE, t="the cat sat on the mat", least="30")
    pattern = record(at, all_heads.patterns, Place()).pattern[0]
    assert float(row_mean(pattern, effective_keys(pattern))) > 3
    (matrix,) = pictures(at, "heads-matrix")
    assert plain(read_pattern(pattern, matrix["panels"][0]["rows"])) in said(at)


def test_colours_may_go_up_to_the_largest_weight_of_the_picture(open_page: Open) -> None:
    at = open_page(PAGE, t="a cat, a dog. " * 20)
    record_of = record(at, all_heads.overview, Place())
    largest = float(record(at, all_heads.patterns, Place()).pattern[0].max())
    assert record_of.tile == 2 and "largest of 2 × 2 weights" in pictures(at, "heads-grid")[0]["caption"]
    for vivid, limits in ((False, (1.0, 1.0)), (True, (largest, record_of.most))):
        at.session_state["vivid"] = vivid
        at.run()
        (matrix,), (grid,) = pictures(at, "heads-matrix"), pictures(at, "heads-grid")
        assert (matrix["panels"][0]["limit"], grid["limit"]) == pytest.approx(limits)
        np.testing.assert_array_equal(grid["values"][0], record_of.shades(limits[1]))
    assert grid["values"][0].max() == 255


def unescaped(at: AppTest) -> str:
    return said(at).replace("\\", "")


@pytest.mark.parametrize("look", ["matrix", "lines"])
def test_rows_that_attend_to_nothing_are_said_to_be_zeros(open_page: Open, look: str) -> None:
    params = {"kind": "encoder-decoder", "attention": "cross", "mask": "padding", "look": look}
    at = open_page(PAGE, **params)
    assert "may attend to nothing, so" not in unescaped(at)
    (picture,) = pictures(at, f"heads-{look}")
    assert "rows sum to 1" in str(picture) and "zeros" not in str(picture)
    at = open_page(PAGE, look=look, mask=["padding", "block"], pads="3", block="1")
    assert "may attend to nothing, so" in unescaped(at) and "zeros" in str(pictures(at, f"heads-{look}"))
    at = open_page(PAGE, look=look, t="the cat", hide=["first token", "last token", "punctuation"])
    assert "a row with nothing left is all zeros" in said(at)


def test_layers_that_overflow_are_left_out_with_one_sentence(open_page: Open) -> None:
    params = {"norm": "none", "act": "swiglu", "n": "12"}
    at = open_page(PAGE, **params)
    assert not at.error and pictures(at, "heads-matrix")
    assert "because nothing normalises them" in said(at)
    assert len(pictures(at, "heads-grid")[0]["values"][0]) < 12
    at = open_page(PAGE, **params, layer="12")
    (error,) = at.error
    assert "because nothing normalises them" in error.value
    for look in LOOK.options[2:]:
        at.session_state["look"] = look
        at.run()
        assert not at.exception and len(at.error) == 1, look


def test_one_head_is_spoken_of_as_one(open_page: Open) -> None:
    at = open_page(PAGE, look="adding up", h="1")
    assert "The head's contribution and W_O's bias add up" in unescaped(at)
    titles = [panel["title"] for picture in pictures(at, "heads") for panel in picture.get("panels", ())]
    assert not [title for title in titles if "heads" in title]
    assert "The head's share, token by token: columns sum to 1" in titles


def test_silencing_an_encoder_is_followed_into_the_decoder(open_page: Open) -> None:
    at = open_page(PAGE, look="ablate", kind="encoder-decoder", attention="encoder", layer="3", off=["L3H1"])
    assert re.search("in (cross-attention|the decoder's self-attention) changed most", unescaped(at))
    assert len(at.get("vega_lite_chart")) == 3
    at = open_page(PAGE, look="ablate", kind="encoder-decoder", attention="cross", off=["L3H1"])
    assert "no attention comes after what was switched off" in said(at)
    at.session_state["look"], at.session_state["combine"] = "over layers", "rollout"
    at.session_state["attention"] = "decoder"
    at.run()
    assert "takes from the encoder through cross-attention is left out" in said(at)


@pytest.mark.parametrize(("effect", "ran"), [("this pattern", "def patterns("), ("layers", "def ablate(")])
def test_the_code_shown_is_what_ran(open_page: Open, effect: str, ran: str) -> None:
    at = open_page(PAGE, look="ablate", effect=effect)
    at.session_state["heads-code-ablate"] = True
    at.run()
    shown = [block.value for block in at.code]
    assert len(shown) == 2 and "def ablate_head(" in shown[0] and ran in shown[1]


@pytest.mark.parametrize(
    ("params", "shape"),
    [
        ({"look": "lines"}, r"{3 \times 3}{A}"),
        ({"look": "what heads do", "behaviour": "Induction"}, r"\in [0, 1]^{3 \times 3}"),
        ({"look": "ablate"}, r"\underset{3 \times 16}{z_h} \leftarrow 0"),
    ],
)
def test_formulas_have_this_runs_shapes(open_page: Open, params: dict[str, str], shape: str) -> None:
    at = open_page(PAGE, t="the cat sat", **params)
    assert shape in " ".join(formula.value for formula in at.latex)
