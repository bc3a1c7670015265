"""The page Translate: what it shows is what the model does."""

import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.checkpoints import shipped
from core.decoding.sampling import GREEDY
from core.explorer.generation import texts, views
from core.text.special import EOS
from pages.ui.translate.tables import csv
from tests.pages.conftest import Open
from tests.pages.screen import behind

PAGE = "pages/transformer/translate.py"
VIEWS = ("step by step", "alignment", "your French", "force it", "beam", "compare")
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/x.png) :red[x] $x$ مرحبا 👩‍🚀"


def picture(at: AppTest, key: str) -> dict[str, Any]:
    """The header of a canvas, as the browser reads it."""
    data = at.get_by_key(key).proto.bytes
    return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])["meta"]


def pieces(at: AppTest, key: str) -> list[str]:
    return [token["piece"] for token in picture(at, key)["tokens"]]


def test_the_page_brings_the_translator(open_page: Open) -> None:
    at = open_page(PAGE)
    assert at.session_state["run"].checkpoint == "translator" and not at.error
    steps = list(texts.generate(*behind(at), GREEDY))
    assert pieces(at, "translate-text") == [each.piece for each in steps[:5]]
    rows = picture(at, "translate-candidates")["rows"]
    ten = sorted(steps[4].likeliest(11), key=lambda each: -each.own)[:10]
    assert [row["piece"] for row in rows] == [each.piece for each in ten]
    np.testing.assert_allclose([row["own"] for row in rows], [each.own for each in ten], atol=1e-5)
    seen: Any = views.attentions(*behind(at), steps[4].ids)
    looks = seen.cross[0].mean(0)[-1]
    shades = [token["shade"] for token in picture(at, "translate-source")["tokens"]]
    np.testing.assert_allclose(shades, looks, atol=1e-4)


def test_step_and_back(open_page: Open) -> None:
    at = open_page(PAGE)
    at.button(key="translate-step").click().run()
    assert len(pieces(at, "translate-text")) == 6
    at.button(key="translate-back").click().run()
    at.button(key="translate-back").click().run()
    assert len(pieces(at, "translate-text")) == 4
    at.button(key="translate-restart").click().run()
    assert "Nothing is written yet" in at.info[0].value
    assert at.number_input(key="tn").value == 0


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_with_texts_of_every_kind(view: str, open_page: Open) -> None:
    for text in (HOSTILE, "a", "مرحبا 👩‍🚀", ""):
        at = open_page(PAGE, tview=view, model="translator", t=text, tt=HOSTILE)
        assert not at.exception
        assert bool(at.error) == (text == "")
        assert "<script" not in " ".join(each.value for each in at.markdown)


@pytest.mark.parametrize("view", VIEWS)
def test_fresh_models_and_toys(view: str, open_page: Open) -> None:
    for params in ({"kind": "encoder-decoder", "d": "16", "n": "1", "h": "2"}, {"model": "toy-reverse"}):
        at = open_page(PAGE, tview=view, **params)
        assert not at.exception and not at.error


def test_an_encoder_is_offered_the_translator(open_page: Open) -> None:
    at = open_page(PAGE)
    at.selectbox(key="model").set_value("sentiment").run()
    assert "This page is about an encoder-decoder" in at.info[0].value
    next(button for button in at.button if button.label == "Use the translator").click().run()
    assert at.session_state["run"].checkpoint == "translator" and not at.info


@pytest.mark.parametrize("unit", ["pieces", "words"])
def test_the_alignment_is_that_of_the_written_tokens(unit: str, open_page: Open) -> None:
    at = open_page(PAGE, tview="alignment", tover="this head", layer="3", head="2", tunit=unit, model="translator")
    steps = list(texts.generate(*behind(at), GREEDY))
    whole = (*steps[-1].ids, EOS)
    seen: Any = views.attentions(*behind(at), whole)
    data = at.get_by_key("translate-matrix").proto.bytes
    start = 4 + int.from_bytes(data[:4], "little")
    panel = picture(at, "translate-matrix")["panels"][0]
    values = np.frombuffer(data[start:], "<f4").reshape(len(panel["rows"]), len(panel["cols"]))
    np.testing.assert_allclose(values.sum(-1), 1, atol=1e-4)
    assert [row.partition(":")[2] for row in panel["rows"]][:4] == ["Le", "chat", "noir", "dort"]
    if unit == "pieces":
        np.testing.assert_allclose(values, seen.cross[2, 1, :-1], atol=1e-5)
    else:
        assert "sleeps" in " ".join(panel["cols"]) and len(panel["cols"]) == len(seen.source_word_labels)


def test_your_french_is_scored_by_the_model(open_page: Open) -> None:
    at = open_page(PAGE, tview="your French", model="translator", tt="Le chien noir dort.")
    ids = (*shipped.tokenizer("translator").encode("Le chien noir dort.").ids, EOS)
    scored = texts.score_text(*behind(at), ids)
    shown = at.dataframe[0].value
    np.testing.assert_allclose(shown["probability"], [each.probability for each in scored], rtol=1e-4)
    assert list(shown["rank"]) == [each.rank for each in scored]


def test_a_hidden_word_changes_the_translation(open_page: Open) -> None:
    at = open_page(PAGE, tview="force it", twhat="hide a word", tsrc="2", model="translator")
    assert pieces(at, "translate-before") != pieces(at, "translate-after")
    assert any("hidden from everyone" in each.value for each in at.markdown)
    struck = [token["kinds"] for token in picture(at, "translate-force-source")["tokens"]]
    assert ["struck" in kinds for kinds in struck].index(True) == 2


def test_the_beams_are_the_cores(open_page: Open) -> None:
    at = open_page(PAGE, tview="beam", tbw="4", tba="1", model="translator")
    tree = texts.beam(*behind(at), 4, 1.0)
    shown = at.dataframe[0].value
    assert list(shown["text"]) == [each.text for each in tree.hypotheses]
    np.testing.assert_allclose(shown["score"], [each.score for each in tree.hypotheses], atol=1e-3)


def test_a_long_source_is_cut_with_a_note(open_page: Open) -> None:
    at = open_page(PAGE, model="translator", t="word " * 700, tview="alignment")
    assert not at.exception and not at.error
    assert any("tokens are used" in caption.value for caption in at.caption)


def test_ways_that_find_the_same_text_are_both_told(open_page: Open) -> None:
    at = open_page(PAGE, tview="compare", tbw="1", tt_temp="0", model="translator")
    shown = at.dataframe[0].value
    assert len(set(shown["text"])) == 1 and len(set(shown["surprisal, bits"])) == 1
    steps = list(texts.generate(*behind(at), GREEDY))
    np.testing.assert_allclose(shown["surprisal, bits"][1], sum(each.surprisal for each in steps), atol=1e-3)
    said = " ".join(each.value for each in at.markdown).replace("\\", "")
    assert "All ways wrote the same text" in said and "beam of 1, greedy, sample 0" in said


def test_a_csv_guards_text_that_looks_like_a_formula() -> None:
    assert csv({"token": ["=1+1", "a"], "bits": [-0.5, 1.0]}).splitlines() == ["token,bits", "'=1+1,-0.5", "a,1.0"]


def test_a_number_beyond_the_end_stays_in_the_address_and_back_begins_at_the_end(open_page: Open) -> None:
    at = open_page(PAGE, model="translator", tn="30")
    whole = pieces(at, "translate-text")
    assert whole[-1] == "</s>" and at.session_state["tn"] == 30
    at.button(key="translate-back").click().run()
    assert pieces(at, "translate-text") == whole[:-1] and at.session_state["tn"] == len(whole) - 1
