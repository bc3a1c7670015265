"""The drawer: what the last change of a setting changed, models by their titles, and each setting in one place."""

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.device import Placement
from core.memory import MIB
from core.model.config import TransformerConfig
from core.model.masks import BlockMask
from core.model.transformer import Transformer
from core.topics.self_attention import one_head
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from pages.compute import model_cache
from pages.compute.lru_models import ModelLRU
from pages.shell.page import Page
from pages.shell.settings import RANDOM_WEIGHTS
from tests.pages.conftest import Open
from tests.pages.house import PAGES, path_of
from tests.pages.screen import address_of, behind, model_list, pictures

HEADS, MASKS = "pages/attention/heads/page.py", "pages/attention/masks/page.py"
TRANSLATE = "pages/transformer/translate/page.py"
KINDS = ("selectbox", "slider", "toggle", "number_input", "button_group")


def told(at: AppTest) -> str:
    """What the drawer says of the last change."""
    return " ".join(each.value for each in at.sidebar.caption if "→" in each.value).replace("\\", "")


def weights(at: AppTest) -> np.ndarray:
    """The weights of the first head on screen, from a model of its own; masked cells are −inf."""
    record = one_head.head(*behind(at), HeadAddress(at.session_state["visit"].run.config.stacks[-1]))
    return np.where(record.mask, record.pattern, -np.inf)


def test_more_heads_say_what_they_changed_and_show_it(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat down")
    assert not told(at) and not pictures(at, "drawer-change")
    before, built = weights(at), sum(each.numel() for each in behind(at)[0].parameters())
    at.slider(key="h").set_value(8).run()
    assert f"d_k 16 → 8, d_v 16 → 8; still {built:,} parameters: heads only split d_model." in told(at)
    assert "**4 → 8**" in told(at) and "layer 1 · head 1" in told(at)
    shown = pictures(at, "drawer-change")[0]["values"]
    np.testing.assert_allclose(shown[0], before, atol=1e-6)
    np.testing.assert_allclose(shown[1], weights(at), atol=1e-6)
    assert np.abs(shown[0] - shown[1]).max() > 1e-3


def test_only_the_setting_that_was_changed_last_is_told(open_page: Open) -> None:
    at = open_page(HEADS)
    parameters = [sum(each.numel() for each in behind(at)[0].parameters())]
    at.slider(key="h").set_value(8).run()
    at.number_input(key="d").set_value(128).run()
    parameters.append(sum(each.numel() for each in behind(at)[0].parameters()))
    assert "**64 → 128**" in told(at) and "4 → 8" not in told(at) and len(pictures(at, "drawer-change")) == 1
    assert f"parameters {parameters[0]:,} → {parameters[1]:,}." in told(at)
    at.button(key="undo-last").click().run()
    assert "**4 → 8**" in told(at) and "128" not in told(at)


def test_a_change_is_told_until_another_text_is_written(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat down")
    at.slider(key="h").set_value(8).run()
    at.button_group(key="layer").set_value("2").run()
    assert "**4 → 8**" in told(at) and "layer 2 · head 1" in told(at)
    at.text_input(key="t").set_value("the dog sat down").run()
    assert not told(at) and not pictures(at, "drawer-change")
    at.slider(key="h").set_value(2).run()
    assert "**8 → 2**" in told(at)


def test_what_could_not_be_run_is_stepped_over(open_page: Open) -> None:
    at = open_page(HEADS)
    at.slider(key="h").set_value(5).run()
    assert at.error and not told(at)
    at.slider(key="h").set_value(2).run()
    assert not at.error and "**4 → 2**" in told(at)


def test_of_large_models_none_takes_the_place_of_the_one_on_screen(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, fresh = list[int](), loading.fresh_model

    def make(config: TransformerConfig, placement: Placement, check: Callable[[], None]) -> Transformer:
        made.append(config.d_model)
        return fresh(config, placement, check)

    held = ModelLRU(MIB)
    monkeypatch.setattr(model_cache, "models", lambda: held)
    monkeypatch.setattr(loading, "fresh_model", make)
    at = open_page(HEADS, t="the cat sat down", d="128", seed="43")
    at.number_input(key="d").set_value(144).run()
    assert not told(at) and made == [128, 144]
    at.session_state["mask"] = ["causal"]
    at.run()
    assert "cells that may attend" in told(at) and made == [128, 144]


def test_a_mask_says_which_cells_it_leaves(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat down")
    length = len(weights(at))
    at.session_state["mask"] = ["causal"]
    at.run()
    assert f"cells that may attend {length**2} → {length * (length + 1) // 2}; still" in told(at)


def test_the_same_masks_written_another_way_are_no_change(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat down")
    visit = at.session_state["visit"]
    visit.seen = {**visit.seen, "mask": ("as built",)}  # as Back sets it; the widget itself reports a list
    at.run()
    assert not told(at) and not at.session_state["visit"].past


def test_no_picture_is_drawn_where_before_and_after_are_the_same(open_page: Open) -> None:
    at = open_page(HEADS, t="the cat sat down", kind="decoder")
    at.session_state["mask"] = ["causal"]
    at.run()
    assert "**as built → causal**" in told(at) and told(at).endswith("layer 1 · head 1 stays the same.")
    assert not pictures(at, "drawer-change")


def test_random_weights_are_shown_beside_the_trained_ones_with_the_same_text(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller", layer="1", head="1")
    before, text = weights(at), at.session_state["visit"].run.text
    model_list(at).set_value(RANDOM_WEIGHTS).run()
    assert at.session_state["visit"].run.source is None and at.session_state["visit"].run.text == text
    assert "**Storyteller, with rotary positions → Random weights**" in told(at)
    np.testing.assert_allclose(pictures(at, "drawer-change")[0]["values"][0], before, atol=1e-5)


def test_models_are_chosen_by_titles_and_the_address_has_their_names(open_page: Open) -> None:
    at = open_page(TRANSLATE)
    box = model_list(at)
    assert box.options == [
        "Translator, English to French (this page's own)",
        "Random weights",
        "Toy, writes letters backwards",
        "Toy, sorts letters",
        "Translator, English to French",
    ]
    box.set_value("toy-sort").run()
    assert at.session_state["model"] == "toy-sort" and address_of(at)["model"] == "toy-sort"
    assert at.button(key="model-card").label.replace("\\", "") == "Toy, sorts letters"
    assert at.session_state["visit"].run.model_name == "toy-sort"


def test_random_weights_of_a_page_about_one_kind_are_of_that_kind(open_page: Open) -> None:
    at = open_page(TRANSLATE)
    model_list(at).set_value(RANDOM_WEIGHTS).run()
    run = at.session_state["visit"].run
    assert (run.model_name, run.config.architecture, run.config.d_model) == ("", "encoder-decoder", 256)
    assert not at.error and run.target.startswith("Le garçon")


def test_what_the_page_cannot_show_is_listed_with_a_way_to_it(open_page: Open) -> None:
    at = open_page(TRANSLATE)
    links = {each.proto.label.replace("\\", ""): each.proto.query_string for each in at.sidebar.get("page_link")}
    assert links["Storyteller, with rotary positions: see Generate"] == "show-model=true&model=storyteller"
    assert not any("sorts" in label for label in links)
    captions = " ".join(each.value for each in at.sidebar.caption).replace("\\", "")
    assert "**Word vectors, CBOW and skip-gram**. Word vectors have no attention" in captions


@pytest.mark.parametrize("page", [page for page in PAGES if page.owns], ids=lambda page: page.address)
def test_a_page_with_a_setting_of_its_own_shows_no_other_in_the_drawer(page: Page, open_page: Open) -> None:
    at = open_page(path_of(page))
    drawn = {widget.key for kind in KINDS for widget in at.sidebar.get(kind)}
    assert ("d" in drawn) == ("d" not in page.owns) and not drawn & page.owns


def test_what_a_page_has_itself_is_kept_for_the_others(open_page: Open) -> None:
    at = open_page(HEADS, mask=["block"], block="3")
    at.switch_page(MASKS).run()
    assert "mask" not in {widget.key for widget in at.sidebar.get("button_group")} and not at.warning
    at.switch_page(HEADS).run()
    assert at.session_state["visit"].run.masks == (BlockMask(3),)


def asked(at: AppTest) -> set[str | None]:
    """The settings that the drawer asks for."""
    return {widget.key for kind in KINDS for widget in at.sidebar.get(kind)}


def test_folded_settings_are_asked_where_their_fold_is_open_or_one_is_not_its_default(open_page: Open) -> None:
    at = open_page(HEADS, norm="pre")
    assert {"norm", "act", "ff"} <= asked(at) and not asked(at) & {"score", "dk", "tok", "device"}
    assert at.session_state["visit"].run.config.norm_position == "pre"
    at.session_state["drawer-inside-a-head"] = True
    at.run()
    at.number_input(key="dk").set_value(6).run()
    at.session_state["drawer-inside-a-head"] = False
    at.run()
    assert {"score", "dk"} <= asked(at) and at.session_state["visit"].run.config.key_width == 6
    at.session_state["dk"] = None
    at.run()
    assert not asked(at) & {"score", "dk"} and at.session_state["visit"].run.config.d_k is None and not at.error
