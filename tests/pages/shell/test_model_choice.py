"""The model chooser: what the weights fix is shown and not asked, the text fits the model, and damage is said."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.checkpoints import shipped
from core.checkpoints.examples import examples_of
from core.model.masks import CausalMask, PaddingMask
from core.readings.models import describe_card
from core.topics.heads import all_heads
from core.topics.shared.places import HeadAddress
from pages.attention.heads.page import TEXT as REPEATING
from pages.compute import cache
from pages.shell.header import CHANGE_IT
from pages.shell.settings import RANDOM_WEIGHTS, SIZE_SETTINGS
from tests.core.shelf import fill, truncate
from tests.pages.conftest import Open
from tests.pages.screen import address_of, model_list, pictures, unlinked

PAGES = ("pages/start/journey/page.py", "pages/attention/self_attention/page.py", "pages/attention/heads/page.py")
HEADS = PAGES[2]
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/x.png) :red[x] $x$ مرحبا 👩‍🚀"
OFFERED = ("sentiment", "storyteller", "toy-copy", "toy-reverse", "translator")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app with a folder of small models for its own."""
    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(cache, "MODELS", fill(tmp_path))
    yield tmp_path
    st.cache_data.clear()
    st.cache_resource.clear()


def run(at: AppTest) -> Any:
    return at.session_state["visit"].run


def captions(at: AppTest) -> str:
    return " ".join(unlinked(caption.value) for caption in at.caption).replace("\\", "")


def errors(at: AppTest) -> list[str]:
    return [error.value.replace("\\", "") for error in at.error]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("name", OFFERED)
def test_every_page_shows_every_model(name: str, path: str, shelf: Path, open_page: Open) -> None:
    at = open_page(path, model=name)
    found = shipped.read(name, shelf)
    assert not at.error and not at.warning
    assert (run(at).config, run(at).model_name) == (found.config, name)
    own = path == HEADS and name == "storyteller"  # the page opens its own model with a text that repeats
    text = REPEATING if own else next(iter(examples_of(name).values())).text
    assert run(at).text == (text.lower() if found.format.lower else text)
    assert f"**Small {name}**, trained here: a model for tests. Data: no data." in captions(at)
    assert "random weights" not in captions(at)


def test_the_choice_is_fresh_or_a_shipped_transformer(shelf: Path, open_page: Open) -> None:
    at = open_page()
    titles = ("Small storyteller (this page's own)", "Random weights", *(f"Small {name}" for name in OFFERED))
    assert tuple(model_list(at).options) == titles
    assert "random weights" in captions(at)


@pytest.mark.parametrize("path", PAGES[:2])
def test_hostile_text_is_only_text(path: str, shelf: Path, open_page: Open) -> None:
    at = open_page(path, model="translator", t=HOSTILE, tt=HOSTILE)
    assert not at.error and run(at).text == HOSTILE.lower()
    assert "<script" not in " ".join(each.value for each in at.markdown)


def test_what_the_weights_fix_is_said_and_not_asked(shelf: Path, open_page: Open) -> None:
    at = open_page(model="toy-copy")
    assert "decoder · d_model 8 · 2 heads · 1 layer · d_k 4 · d_v 4 · d_ff 32 (relu) · rotary positions" in captions(at)
    asked = {widget.key for kind in ("selectbox", "slider", "toggle", "number_input") for widget in at.get(kind)}
    assert model_list(at) and not asked & {setting.key for setting in SIZE_SETTINGS}
    assert run(at).masks == (CausalMask(),)


def test_a_mask_is_free(shelf: Path, open_page: Open) -> None:
    at = open_page(model="toy-copy", mask=["as built", "padding"], pads="2")
    assert run(at).masks == (CausalMask(), PaddingMask()) and run(at).pads == 2


def test_fixed_settings_leave_the_address_with_a_note(shelf: Path, open_page: Open) -> None:
    at = open_page(model="toy-copy", d="32", pos="alibi", layer="1")
    said = at.warning[0].value.replace("\\", "")
    assert "d_model is fixed by the weights of “Small toy-copy”." in said and "Positions is fixed" in said
    assert "d" not in address_of(at) and "pos" not in address_of(at)
    assert run(at).config.d_model == 8


def test_an_unknown_model_is_dropped_with_a_note(shelf: Path, open_page: Open) -> None:
    for name in ("../../etc", "rnn", "toy-copy/steps/000100"):
        at = open_page(model=name)
        said = f"Model cannot be “{name}”: it can be suited to the page, random weights, sentiment"
        assert said in at.warning[0].value.replace("\\", "")
        assert run(at).model_name == "storyteller"


def test_examples_and_unreadable_texts_make_place_for_the_models_own(shelf: Path, open_page: Open) -> None:
    at = open_page()
    model_list(at).set_value("toy-reverse").run()
    assert (run(at).text, run(at).target) == ("kqzbmtwa", "awtmbzqk")
    at.button(key="example-the alphabet's start").click().run()
    assert (run(at).text, run(at).target) == ("abcdefghij", "jihgfedcba")
    model_list(at).set_value(RANDOM_WEIGHTS).run()
    assert (run(at).text, run(at).model_name) == ("abcdefghij", ""), "random weights are compared on the same text"
    at.text_input(key="t").set_value("My own sentence.").run()
    model_list(at).set_value("storyteller").run()
    assert run(at).text == "My own sentence." and not at.error
    model_list(at).set_value("toy-copy").run()
    assert run(at).text == "kqzbmtwkqzb" and not at.error


def test_a_text_that_was_cut_is_not_remarked_on_when_an_example_takes_its_place(shelf: Path, open_page: Open) -> None:
    at = open_page()
    at.text_input(key="t").set_value("Word " * 1000).run()
    assert "of 5,000 characters are kept" in captions(at)
    model_list(at).set_value("toy-copy").run()
    assert run(at).text == "kqzbmtwkqzb" and "characters are kept" not in captions(at)


def test_other_letters_are_refused_and_nothing_else_is_drawn(shelf: Path, open_page: Open) -> None:
    at = open_page(model="toy-reverse", t="Hello", tt="abc")
    assert errors(at) == [f"This model knows only the symbols a to z: “H” is none of them. {CHANGE_IT}"]
    assert run(at) is None and at.text_input(key="t").value == "Hello"


def test_lower_case_models_read_lower_case_and_say_so(shelf: Path, open_page: Open) -> None:
    at = open_page(model="translator", t="The CAT", tt="Le CHAT")
    assert (run(at).text, run(at).target) == ("the cat", "le chat")
    assert "reads your text in lower case" in captions(at)
    assert at.text_input(key="t").value == "The CAT"


@pytest.mark.parametrize("wish", ["0", "100", "end"])
def test_the_heads_page_shows_a_step_of_training(wish: str, shelf: Path, open_page: Open) -> None:
    at = open_page(HEADS, model="toy-copy", layer="1", head="1", heads_step_of_training=wish)
    assert not at.warning
    found = shipped.read("toy-copy", shelf)
    source = found.source if wish == "end" else found.source.at(int(wish))
    words = {"0": "The random weights before training.", "100": "after 100 of 200 steps", "end": "after 200 steps"}
    assert words[wish] in captions(at)
    model = source.load(run(at).placement)
    ours = all_heads.patterns(model, shipped.tokenizer("toy-copy", shelf), run(at), HeadAddress("decoder")).pattern[0]
    shown = np.nan_to_num(pictures(at, "heads-matrix")[0]["values"][0], neginf=0)
    np.testing.assert_allclose(shown, ours, atol=1e-6)


def test_a_step_that_was_not_kept_is_said(shelf: Path, open_page: Open) -> None:
    at = open_page(model="toy-copy", layer="1", head="1", heads_step_of_training="101")
    at.switch_page(HEADS).run()
    assert at.session_state["heads-step-of-training"] == "end"
    at = open_page(HEADS, model="translator", heads_step_of_training="100")
    assert not at.select_slider and not at.error


@pytest.mark.parametrize("name", ["toy-copy", "sentiment"])
def test_a_damaged_model_gives_one_sentence_and_fresh_weights(name: str, shelf: Path, open_page: Open) -> None:
    truncate(shelf / name / "model.safetensors")
    at = open_page(model=name)
    assert len(at.error) == 1
    assert errors(at)[0].startswith(f"The model {name} cannot be used: {name}/model.safetensors is truncated")
    assert errors(at)[0].endswith("Below are random weights.")
    assert run(at).model_name == "" and "random weights" in captions(at)
    assert at.slider(key="h").value == 4


def test_random_weights_are_announced_only_where_they_are_shown(shelf: Path, open_page: Open) -> None:
    truncate(shelf / "storyteller" / "model.safetensors")
    at = open_page(model="storyteller")
    at.switch_page("pages/transformer/generate/page.py").run()
    assert "cannot be used" in errors(at)[0] and "Below" not in errors(at)[0]
    assert len(at.error) == 1 and not at.info, "the weights are the reason, not the architecture"
    at.selectbox(key="kind").set_value("decoder").run()
    assert errors(at)[0].endswith("Below are random weights.") and not at.info


def test_choosing_a_damaged_model_leaves_the_text_alone(shelf: Path, open_page: Open) -> None:
    truncate(shelf / "toy-copy" / "model.safetensors")
    at = open_page(t="My own sentence.")
    model_list(at).set_value("toy-copy").run()
    assert len(at.error) == 1 and run(at).text == "My own sentence."


def test_a_damaged_step_leaves_the_page_standing(shelf: Path, open_page: Open) -> None:
    truncate(shelf / "toy-copy" / "steps" / "000100" / "model.safetensors")
    at = open_page(HEADS, model="toy-copy", layer="1", head="1", heads_step_of_training="100")
    assert "The model toy-copy/steps/000100 cannot be used" in errors(at)[0]
    assert at.select_slider(key="heads-step-of-training").value == "100"


def test_the_card_is_shown_as_a_table(shelf: Path, open_page: Open) -> None:
    at = open_page(model="toy-copy")
    at.button(key="model-card").click().run()
    assert not at.exception and len(at.table) == 1
    said = str(at.table[0].value.to_numpy().tolist()).replace("\\", "")
    assert "Licence: none needed" in said and "40.25" in said and "It knows nothing." in said
    assert [code.value for code in at.code if code.value.startswith("python -m")] == [
        "python -m core.training toy-copy",
        "python -m core.training evaluate toy-copy",
    ]


def test_every_model_has_a_card_view_and_a_damaged_card_takes_none_away(shelf: Path, open_page: Open) -> None:
    (shelf / "toy-reverse" / "card.json").write_text("{")
    at = open_page()
    at.button(key="model-card").click().run()
    box = next(box for box in at.selectbox if box.label == "Card")
    names = ("rnn", "sentiment", "storyteller", "toy-copy", "translator", "words")
    assert box.options == ["Random weights", *(f"Small {name}" for name in names)]
    assert box.value == RANDOM_WEIGHTS and "the patterns mean nothing" in " ".join(each.value for each in at.markdown)
    box.set_value("rnn").run()
    assert "has no queries, keys and values of its own" in captions(at)


def test_a_card_in_words(shelf: Path) -> None:
    rows = dict(describe_card(shipped.read("toy-copy", shelf).card))
    assert rows["Trained on"] == "no data. Licence: none needed."
    assert rows["Training"] == "200 steps in 30 seconds, from seed 3."
    assert rows["Loss"] == "1.5. The surprise at each piece that it has to guess, in nats; lower is better."
    assert rows["by length"] == "1-5: 40.25 bleu."


def test_a_model_is_read_once_for_everybody(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    load = shipped.load

    def counted(name: str, *more: Any) -> Any:
        read.append(name)
        return load(name, *more)

    monkeypatch.setattr(shipped, "load", counted)
    for _ in range(3):
        cache.trained("toy-copy")
    assert read == ["toy-copy"]
