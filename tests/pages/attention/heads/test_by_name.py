"""Heads by name: what is listed is what the core computes, and one click shows that head."""

import numpy as np
import pytest

from core.analysis.head_names import KINDS
from core.topics.heads import all_heads, names
from core.topics.heads.readings.names import name_entry, name_label, read_name_threshold, read_named
from core.topics.shared.places import HeadAddress
from pages.attention.heads.by_name import MAX_BUTTONS
from pages.attention.heads.page import PAGE
from pages.canvas import Matrices
from pages.widgets.parts import Columns, Message
from pages.widgets.place import HEAD, LAYER
from pages.widgets.setting import Values
from pages.widgets.table import Table
from pages.widgets.words import plain
from tests.pages.attention.heads.looking import made, run_with, takeaways
from tests.pages.conftest import Open
from tests.pages.screen import behind, look, pictures, said

show_names = PAGE.view("heads with names").show

FILE = "pages/attention/heads/page.py"
TEXT = "the cat sat on the mat and the cat sat on the mat"
OPENED = [
    ("storyteller", {}, HeadAddress("decoder"), {"previous_token", "induction"}),
    ("translator", {"attention": "cross"}, HeadAddress("decoder", cross=True), {"in_order"}),
]


def test_it_is_the_second_view() -> None:
    assert [view.name for view in PAGE.views][:2] == ["all heads", "heads with names"]


@pytest.mark.parametrize(("model", "params", "place", "kinds"), OPENED)
def test_a_click_on_an_entry_shows_that_head(
    open_page: Open, model: str, params: dict[str, str], place: HeadAddress, kinds: set[str]
) -> None:
    french = {"tt": "Le chat était sur le tapis."} if place.cross else {}
    at = open_page(FILE, model=model, t=TEXT, heads_view="heads with names", **params, **french)
    assert not at.error
    net, tokenizer, run = behind(at)
    record = names.head_names(net, tokenizer, run, place)
    assert kinds <= {each.kind for each in record.named}
    words = said(at)
    assert all(plain(sentence) in words for sentence in read_named(record.named, record.unnamed))
    assert read_name_threshold(record.random) in words
    assert all(KINDS[each.kind].capitalize() in words for each in record.named)
    listed = {button.key: button.label for button in at.button if str(button.key).startswith("heads-name-")}
    first, more = (
        [head for kind in record.kinds for head in kind[part]]
        for part in (slice(MAX_BUTTONS), slice(MAX_BUTTONS, None))
    )
    assert listed == {f"heads-name-{each.layer}-{each.head}": name_entry(each).capitalize() for each in first}
    assert all(name_entry(each) in words for each in more)
    chosen = first[-1]
    at.button(key=f"heads-name-{chosen.layer}-{chosen.head}").click().run()
    assert (at.session_state[LAYER.key], at.session_state[HEAD.key]) == (str(chosen.layer + 1), str(chosen.head + 1))
    (matrix,) = pictures(at, "heads-name-matrix")
    pattern = all_heads.patterns(net, tokenizer, run, HeadAddress(place.stack, chosen.layer, cross=place.cross))
    weights = np.where(pattern.allowed, pattern.pattern[chosen.head], -np.inf)
    np.testing.assert_allclose(matrix["values"][0], weights, atol=1e-5)
    assert matrix["panels"][0]["title"].endswith(f": {name_label(chosen)}")


def test_random_weights_have_almost_no_names() -> None:
    for kind in ("encoder", "decoder"):
        run = run_with(TEXT, kind=kind, n=6, seed=7)
        record = made(run, names.head_names, HeadAddress(kind))
        assert len(record.named) <= 1 and record.random >= names.RANDOM_HEADS
        assert len(record.named) + record.unnamed == run.config.layers * run.config.heads


def test_a_text_without_names_says_so_and_shows_the_chosen_head() -> None:
    run = run_with("one two three", kind="decoder", seed=7)
    shown = show_names(run, Values({LAYER: "2"}))
    record = made(run, names.head_names, HeadAddress("decoder"))
    assert not record.named and record.of(1, 0) is None
    (columns,) = shown.pictures
    assert isinstance(columns, Columns)
    message, picture = columns.columns[0][0], columns.columns[1][0]
    assert (
        isinstance(message, Message) and isinstance(picture, Matrices) and "no plain label" in picture.panels[0].title
    )
    assert takeaways(shown) == [f"{record.unnamed} heads have no plain label on this text."]


def test_the_table_ends_with_what_random_weights_reach() -> None:
    run = run_with(TEXT, kind="decoder")
    shown, record = show_names(run, Values()), made(run, names.head_names, HeadAddress("decoder"))
    assert isinstance(shown.table, Table)
    assert shown.table.rows[-1] == "best with random weights" and list(shown.table.columns) == [
        KINDS[kind] for kind in record.scores
    ]
    np.testing.assert_allclose(shown.table.values[-1], list(record.reached.values()), rtol=1e-5)
    assert shown.table.rows[0] == "layer 1 · head 1"


def test_padding_and_masks_that_hide_everything_do_no_harm(open_page: Open) -> None:
    at = open_page(
        FILE, mask=["padding", "block"], pads="3", block="1", d="2", h="1", n="1", heads_view="heads with names"
    )
    assert not at.error and "None" not in said(at)
    look(at, t="a")
    assert not at.error
