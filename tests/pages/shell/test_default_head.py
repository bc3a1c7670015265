"""The layer and head that a page opens with: found for a trained model, the visitor's own where one was chosen."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.head_names import KINDS
from core.text.content_words import FUNCTION_WORDS
from core.topics.self_attention.opening import telling_place
from core.topics.shared.places import HeadAddress
from pages.shell.settings import RANDOM_WEIGHTS
from tests.pages.conftest import Open
from tests.pages.screen import address_of, behind, look, pictures, unlinked

SELF, HEADS = "pages/attention/self_attention/page.py", "pages/attention/heads/page.py"
OTHERS = tuple(
    f"pages/{name}/page.py"
    for name in ("start/journey", "attention/scaling", "transformer/generate", "transformer/kv_cache")
)


def test_a_trained_model_opens_at_its_most_telling_head(open_page: Open) -> None:
    at = open_page(SELF, model="storyteller")
    found = telling_place(*behind(at), HeadAddress("decoder"))
    assert (found.layer, found.head) != (0, 0)
    chosen = str(found.layer + 1), str(found.head + 1)
    assert (at.session_state["layer"], at.session_state["head"]) == chosen
    written = {key: address_of(at)[key] for key in ("layer", "head") if key in address_of(at)}
    assert written == {key: value for key, value in zip(("layer", "head"), chosen, strict=True) if value != "1"}


def test_what_the_visitor_chose_stays(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller", layer="2")
    assert (at.session_state["layer"], at.session_state["head"]) == ("2", "1")
    at.switch_page("pages/attention/self_attention/page.py").run()
    assert (at.session_state["layer"], at.session_state["head"]) == ("2", "1")


def test_what_nobody_has_asked_for_is_not_searched(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.shell.default_head.expected_seconds", lambda run: 3.0)
    at = open_page(HEADS, model="storyteller")
    assert (at.session_state["layer"], at.session_state["head"]) == ("1", "1") and not at.exception


def test_another_text_moves_no_head_under_the_visitor(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller")
    before = at.session_state["layer"], at.session_state["head"]
    at.text_input(key="t").set_value("the cat sat on the mat").run()
    assert (at.session_state["layer"], at.session_state["head"]) == before


def test_random_weights_open_at_the_first_head(open_page: Open) -> None:
    at = open_page(HEADS)
    assert (at.session_state["layer"], at.session_state["head"]) == ("1", "1")


def plain_words(at: AppTest) -> str:
    return " ".join(unlinked(each.value) for each in at.markdown).replace("\\", "")


def place(at: AppTest) -> tuple[str, str]:
    return at.session_state["layer"], at.session_state["head"]


def test_heads_opens_with_an_induction_head_beside_a_previous_token_head(open_page: Open) -> None:
    at = open_page(HEADS, model="storyteller")
    (matrix,) = pictures(at, "heads-matrix")
    first, second = (panel["title"] for panel in matrix["panels"])
    assert KINDS["induction"] in first and KINDS["previous_token"] in second
    assert first.startswith("Layer {} · head {}:".format(*place(at)))
    assert "Why several heads? From the second “" in plain_words(at)
    assert "” one looks most at the first “" in plain_words(at)
    assert f"The first is {first.partition(':')[0].lower()}, with " in plain_words(at)
    ((row, _),) = {tuple(each) for panel in matrix["panels"] for each in panel["outlines"]}
    assert row, "the row that is spoken of is outlined in both"
    look(at, layer="2", head="2")
    (matrix,) = pictures(at, "heads-matrix")
    assert matrix["panels"][0]["title"].startswith("Layer 2 · head 2:") and len(matrix["panels"]) == 2


def test_pages_open_with_different_heads(open_page: Open) -> None:
    at, found = open_page(HEADS, model="storyteller"), set()
    for path in (SELF, *OTHERS, HEADS):
        at.switch_page(path).run()
        found.add(place(at))
    assert len(found) >= 4


@pytest.mark.parametrize("text", ["My brother bought an old house near the sea.", "The queen gave the poor man bread"])
@pytest.mark.parametrize("model", ["storyteller", "reader"])
def test_self_attention_opens_with_a_word_that_looks_at_a_word(open_page: Open, model: str, text: str) -> None:
    at = open_page(SELF, model=model, t=text)
    words = plain_words(at)
    look_said = re.search(r"“(\w+)” looks (?:mostly|most) at “(\w+)”: ", words)
    assert look_said and not {word.casefold() for word in look_said.groups()} & FUNCTION_WORDS
    assert look_said[1] != look_said[2] and set(look_said.groups()) <= set(re.findall(r"\w+", text))


@pytest.mark.parametrize("path", [SELF, "pages/attention/scaling/page.py"])
@pytest.mark.parametrize("model", ["storyteller", "reader", RANDOM_WEIGHTS])
def test_no_page_opens_with_its_first_cell(open_page: Open, path: str, model: str) -> None:
    at = open_page(path, model=model)
    opened = [panel["selected"] for picture in pictures(at) for panel in picture.get("panels", ()) if panel["selected"]]
    assert opened and [0, 0] not in opened
