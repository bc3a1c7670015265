"""The page about masks: every view opens with anything, and shows the core's own numbers."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.model.masks import CausalMask
from core.readings.patterns import read_masked_rows
from core.topics.masks.analysis.painting import stroke
from core.topics.masks.experiments import masked
from core.topics.masks.presets import under
from core.topics.masks.readings import read_effect, read_mask
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.masks.page import PAGE as TOPIC
from pages.attention.masks.settings import PRESET
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.url_params import refused
from pages.widgets.words import plain
from tests.pages.conftest import Open
from tests.pages.house import KNOWN
from tests.pages.screen import HOSTILE, behind, called, pictures, said, unpack_sent, views

PAGE = "pages/attention/masks/page.py"
TEXT = "The cat saw the other cat"
CAUSAL = (CausalMask(),)
HERE = HeadAddress("encoder", 1, 2)
CHOSEN = {"t": TEXT, "layer": "2", "head": "3"}
FULL = stroke("", np.tri(6, dtype=bool), range(12, 18), False)
SETTINGS: list[dict[str, Any]] = [
    {"kind": "decoder", "masks-preset": "none", "pos": "rotary"},
    {
        "kind": "encoder-decoder",
        "t": HOSTILE,
        "tt": HOSTILE,
        "masks-preset": "padding",
        "masks-padding": "64",
        "masks-word": HOSTILE,
    },
    {"t": "a", "n": "1", "h": "1", "d": "2", "masks-preset": "block", "masks-block": "1"},
    {
        "t": "cat",
        "masks-preset": "prefix",
        "masks-prefix": "0",
        "masks-token": "0",
        "masks-row": "511",
        "masks-other": "block",
    },
    {"kind": "decoder", "t": "a cat, a dog. " * 200, "dtype": "bfloat16", "n": "2", "masks-preset": "sliding window"},
    {"masks-painting": FULL, "pos": "alibi", "score": "additive", "mask": ["padding", "block"], "pads": "3"},
    {"model": "translator", "masks-preset": "sliding window", "masks-window": "0", "masks-second": "le chien dort"},
    {"model": "storyteller-small", "masks-other": "causal", "masks-second": HOSTILE},
    {"model": "toy-copy", "masks-painting": FULL},
    {"model": "sentiment", "masks-preset": "none"},
]


def core_model(text: str = TEXT) -> tuple[Any, Any, Run]:
    """The defaults with this text under a causal mask, loaded past every cache of the pages."""
    run = make_run(DEFAULTS | {"mask": ("causal",)}, text, "")
    return *open_run(run), run


def panels(at: AppTest, key: str) -> dict[str, np.ndarray]:
    (picture,) = pictures(at, key)
    return {panel["name"]: values for panel, values in zip(picture["panels"], picture["values"], strict=True)}


def painter(at: AppTest) -> tuple[np.ndarray, np.ndarray]:
    """The mask and what lies under the painting, as the brush got them."""
    (element,) = (each for each in at.get("bidi_component") if "mask-paint" in each.proto.id)
    _, arrays = unpack_sent(element.proto.bytes)
    return arrays["mask"].astype(bool), arrays["base"].astype(bool)


@pytest.mark.parametrize("params", SETTINGS, ids=called)
def test_every_view_opens_with_every_kind_of_setting(open_page: Open, params: dict[str, Any]) -> None:
    at = open_page(PAGE, **params)
    for view in views(at, TOPIC.look_at):
        assert at.info if view == "padding in a batch" and params.get("t") in ("a", "cat") else pictures(at, "mask-")


@pytest.mark.parametrize("preset", PRESET.options)
def test_a_preset_and_its_effect_are_the_cores(open_page: Open, preset: str) -> None:
    at = open_page(
        PAGE, masks_preset=preset, masks_window="1", masks_prefix="4", masks_block="2", masks_padding="2", **CHOSEN
    )
    model, tokenizer, run = behind(at)
    run = Run(TEXT, run.config, pads=2 * (preset == "padding"))
    run = under(run, preset, {"window": 1, "prefix": 4, "block": 2})
    found = masked(model, tokenizer, run, HERE)
    free = masked(model, tokenizer, Run(TEXT, run.config, pads=run.pads), HERE)
    shown = panels(at, "mask-effect")
    np.testing.assert_array_equal(shown["before"], free.pattern)
    np.testing.assert_array_equal(shown["after"], np.where(found.mask, found.pattern, -np.inf))
    np.testing.assert_array_equal(painter(at)[0], found.mask)
    reading = read_effect(free.pattern, found.pattern, found.mask, found.tokens.labels)
    assert all(plain(sentence) in said(at) for sentence in reading)
    assert read_mask(found.mask, found.mask) in said(at)


def test_a_size_of_the_address_counts_before_its_widget_is_drawn(open_page: Open) -> None:
    at = open_page(
        PAGE, masks_view="leak test", masks_window="0", masks_prefix="0", masks_block="1", masks_token="3", **CHOSEN
    )
    (picture,) = pictures(at, "mask-leak")
    assert {"window 0", "prefix 0", "block 1"} <= set(picture["panels"][0]["rows"])
    shown = panels(at, "mask-leak")["masks"]
    assert [np.flatnonzero(row).tolist() for row in shown[[3, 5]]] == [[3], [3]]


def test_a_painting_of_the_address_acts_and_can_be_cleared(open_page: Open) -> None:
    at = open_page(PAGE, masks_painting=FULL, **CHOSEN)
    found = masked(*core_model(), HERE, FULL)
    mask, base = painter(at)
    np.testing.assert_array_equal(mask, found.mask)
    np.testing.assert_array_equal(base, np.tri(6, dtype=bool))
    hatched = np.where(found.mask, found.pattern, -np.inf)
    np.testing.assert_array_equal(panels(at, "mask-effect")["after"], hatched)
    assert "3 of the cells painted by hand" in said(at)
    assert plain(str(read_masked_rows(found.pattern, found.tokens.labels))) in said(at)
    (button,) = (each for each in at.button if each.label == "Clear the painting")
    button.click().run()
    np.testing.assert_array_equal(painter(at)[0], base)
    assert at.session_state["masks-painting"] == ""


def beside_the_popover(at: AppTest) -> tuple[list[str], Any]:
    """The labels of the buttons before the popover that holds the painting's letters, and the popover."""
    letters = at.text_input(key="masks-painting")
    blocks = [each for each in at.main if hasattr(each, "children")]
    (popover,) = (block for block in blocks if letters in block.children.values())
    (row,) = (block for block in blocks if popover in block.children.values())
    beside: Any = row.children.values()
    return [each.label for each in beside if each.type == "button"], popover


def test_the_letters_of_a_painting_are_folded_away_behind_their_meaning(open_page: Open) -> None:
    at = open_page(PAGE, masks_painting=FULL, **CHOSEN)
    buttons, popover = beside_the_popover(at)
    assert buttons == ["Clear the painting"] and popover.proto.popover.label == "Copy the painting"
    meaning, letters = popover.children.values()
    assert "Copy them to keep it" in meaning.value and letters.value == FULL
    buttons, popover = beside_the_popover(open_page(PAGE, **CHOSEN))
    assert buttons == [] and popover.proto.popover.label == "Paste a painting"


@pytest.mark.parametrize("text", ["6-abcd", "<script>", "9999-AAAA", "6-" + "A" * 4100])
def test_a_broken_painting_is_refused_in_a_sentence_and_the_page_stands(open_page: Open, text: str) -> None:
    at = open_page(PAGE, masks_painting=text, **CHOSEN)
    assert not at.error and "The painting in the address cannot be used" in said(at)
    assert "Nothing is painted" in said(at)
    mask, base = painter(at)
    np.testing.assert_array_equal(mask, base)


def test_a_painting_stays_when_the_text_changes(open_page: Open) -> None:
    at = open_page(PAGE, masks_painting=FULL, **CHOSEN)
    for text, rows in ((TEXT + " again", 3), ("The cat", 0), (TEXT, 3)):
        at.session_state["t"] = text
        at.run()
        mask, base = painter(at)
        assert (mask != base).sum() == rows, text
    assert at.session_state["masks-painting"] == FULL


def test_the_frames_mask_rests(open_page: Open) -> None:
    at = open_page(PAGE, mask=["block"], block="1", masks_preset="none", **CHOSEN)
    assert painter(at)[0].all()


def test_colours_are_scaled_to_the_pictures_together(open_page: Open) -> None:
    at = open_page(PAGE, masks_preset="none", masks_vivid="true", **CHOSEN)
    (picture,) = pictures(at, "mask-effect")
    limits = {panel["limit"] for panel in picture["panels"]}
    assert limits == {float(max(values.max() for values in picture["values"]))} != {1.0}
    assert not [each for each in open_page(PAGE, **CHOSEN).toggle if each.key == "masks-vivid"], (
        "row 0 already holds a 1"
    )


def test_the_url_may_name_only_what_there_is() -> None:
    good = {
        "masks-preset": ["sliding window"],
        "masks-window": ["0"],
        "masks-prefix": ["512"],
        "masks-view": ["wrong ways"],
        "masks-other": ["block"],
    }
    assert refused(good, KNOWN) == []
    bad = {
        "masks-preset": ["<b>"],
        "masks-window": ["512"],
        "masks-padding": ["0"],
        "masks-block": ["0"],
        "masks-other": ["padding"],
        "masks-row": ["-1"],
    }
    assert len(refused(bad, KNOWN)) == len(bad)
