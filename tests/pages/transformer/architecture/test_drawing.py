"""The drawing of the whole model: what the browser gets, where boxes lead, and when the tokens do not flow."""

import json
from typing import Any

import pytest
import streamlit as st

from core.topics.architecture.plan import Box
from core.topics.architecture.whole import WholeModel
from core.tracing.run import Run
from pages.canvas import ModelDrawing
from pages.compute.cache import trained
from pages.session.visit import visit_state
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.url_params import fits
from pages.transformer.architecture import queries
from pages.transformer.architecture.openings import TITLES, doorway
from pages.transformer.architecture.page import PAGE
from pages.transformer.architecture.settings import STEP
from pages.widgets.parts import ToPage
from pages.widgets.place import ATTENTION, LAYER
from pages.widgets.setting import Values
from tests.pages.house import BY_ADDRESS, KNOWN

show_drawing = PAGE.view("drawing").show

TEXT = "The cat <b>sat</b>"


@pytest.fixture(autouse=True)
def _every_page_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit_state(), "entries", dict.fromkeys(TITLES))


def whole(text: str = TEXT, name: str = "", **chosen: Any) -> WholeModel:
    run = make_run(DEFAULTS | chosen, text, "Le chat", trained(name) if name else None)
    return queries.whole_model(run)


def drawing(model: WholeModel, values: Values | None = None) -> ModelDrawing:
    (part,) = show_drawing(model, values or Values()).pictures
    assert isinstance(part, ModelDrawing)
    return part


def sent_to_browser(picture: ModelDrawing) -> dict[str, Any]:
    packed = picture.packed()
    meta: dict[str, Any] = json.loads(packed[4 : 4 + int.from_bytes(packed[:4], "little")])["meta"]
    return meta


RUNS: list[dict[str, Any]] = [
    {},
    {"kind": "decoder", "pos": "learned", "norm": "pre"},
    {"kind": "encoder-decoder", "pos": "binary", "residual": False},
    {"kind": "encoder-decoder", "norm": "none", "n": 1, "act": "swiglu"},
]


@pytest.mark.parametrize("chosen", RUNS)
def test_every_box_leads_to_a_page_and_settings_that_there_are(chosen: dict[str, Any]) -> None:
    model = whole(**chosen)
    picture, known = drawing(model), {setting.key: setting for setting in KNOWN}
    shared = {LAYER.key: LAYER, ATTENTION.key: ATTENTION}
    for key, box in picture.plan.named.items():
        door = doorway(model.run, box)
        assert door is not None and picture.does[key] == door.does, key
        for name, value in door.shared.items():
            assert value in shared[name].options
        page = BY_ADDRESS.get(door.address)
        if page is None:
            assert door.address == "block" or (box.kind == "layer" and not door.address)
            continue
        assert TITLES[door.address] == page.title and model.run.config.architecture in page.architectures
        own = {setting.key for setting in page.all_settings}
        for name, value in door.where.items():
            assert name in own and fits(known[name], value), (key, name, value)


def test_a_box_leads_to_its_own_layer_and_attention() -> None:
    run = whole(kind="encoder-decoder").run
    cross = doorway(run, Box("decoder.2.cross", "cross-attention", "", layer=2))
    shared = {LAYER.key: "3", ATTENTION.key: "cross"}
    assert cross and cross.clicked() == ToPage("heads", {"heads-view": "all heads"}, shared)
    slab = doorway(run, Box("encoder.1", "layer", "", layer=1))
    assert slab and slab.clicked() == {LAYER.key: "2"} and slab.does == "to open this layer"
    alone = doorway(whole(kind="decoder").run, Box("decoder.0.attn.q", "q", "", layer=0))
    assert alone and ATTENTION.key not in alone.shared and alone.where["self-attention-of"] == "queries"


def test_boxes_whose_page_is_not_there_cannot_be_clicked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit_state(), "entries", {"heads": None})
    assert set(drawing(whole()).does.values()) == {"to open it in Heads", "to open this layer"}


def test_the_browser_gets_every_box_every_step_and_the_pieces_as_they_are() -> None:
    model = whole(kind="decoder", n=2)
    picture = drawing(model)
    meta = sent_to_browser(picture)
    boxes = [box["key"] for pile in meta["piles"] for rank in pile["ranks"] for box in rank["boxes"]]
    assert [step["box"] for step in meta["flow"]["steps"]] == boxes
    assert "".join(meta["flow"]["tokens"]["decoder"]["pieces"]).replace("·", "").startswith("Thecat␣<b>")
    assert meta["flow"]["after"].startswith("What comes after") and len(meta["flow"]["answer"]) == 5
    titles = [step["title"] for step in meta["flow"]["steps"]]
    assert "Layer 1, Q, head 1" in titles and "Layer 2" in titles


def test_what_the_browser_may_not_send_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = drawing(whole())
    for field, wrong, right, told in (
        ("pick", "encoder.9.attn", "encoder.0.attn", LAYER.key),
        ("step", 10_000, 3, STEP.key),
        ("step", "3", 3, STEP.key),
    ):
        for value, changes in ((wrong, False), (right, True)):
            state: dict[str, Any] = {picture.key: {field: value}}
            monkeypatch.setattr(st, "session_state", state)
            picture._picked() if field == "pick" else picture._stepped()
            assert (told in state) == changes, (field, value)


def test_a_run_that_overflows_or_takes_long_still_has_its_drawing() -> None:
    grows = whole(norm="none", n=12, act="swiglu")
    slow = whole("cat and dog " * 170, kind="decoder", n=12, d=1024, h=16)
    for model, said in ((grows, "The numbers overflow in layer"), (slow, "needs about")):
        (note,) = show_drawing(model, Values()).notes
        assert note and said in note and drawing(model).flow is None


def test_each_kind_of_encoder_ends_as_it_was_trained_to() -> None:
    review = drawing(whole("a dull film", "sentiment"))
    assert review.after == "The verdict" and review.flow
    assert [label for label, _ in review.flow.answer] == ["negative", "positive"]
    hidden = drawing(whole("She opened the [MASK].", "reader"))
    assert hidden.after == "What is hidden there?" and hidden.flow and len(hidden.flow.answer) == 5
    plain = drawing(whole())
    assert plain.flow and plain.flow.answer == () and plain.plan.named["answer"].title == "output"


def test_a_pinned_drawing_has_nothing_to_click_and_a_key_of_its_own() -> None:
    pinned = drawing(whole()).read_only()
    assert isinstance(pinned, ModelDrawing) and pinned.key == "pinned-architecture-drawing"
    meta = sent_to_browser(pinned)
    boxes = [box for pile in meta["piles"] for rank in pile["ranks"] for box in rank["boxes"]]
    assert not any(box["does"] for box in boxes) and not meta["tells"]


def run_of(picture: ModelDrawing) -> list[str]:
    return [box.key for box in picture.plan.boxes]


def test_the_layer_that_the_page_stands_at_is_open() -> None:
    model = whole(kind="decoder")
    assert "decoder.2.attn.q" in run_of(drawing(model, Values({LAYER: "3"})))
    assert isinstance(model.run, Run) and "decoder.0.attn.q" in run_of(drawing(model))
