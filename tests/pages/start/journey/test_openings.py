"""Where a click on the journey leads: real pages, real settings, and the same number there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from core.topics.journey.records import Journey
from core.topics.journey.stops import stops
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas import Matrices
from pages.shell.settings import MODEL, RANDOM_WEIGHTS
from pages.shell.url_params import fits
from pages.shell.view import Shown
from pages.start.journey.openings import opening_of
from pages.widgets.parts import ToPage
from pages.widgets.place import ATTENTION, HEAD, LAYER
from pages.widgets.setting import Setting, Values
from pages.widgets.table import Table
from tests.pages.house import BY_ADDRESS, KNOWN
from tests.pages.start.journey.test_stages import strips
from tests.pages.start.journey.test_words import CROSS, SELF, TWO, told

RUNS: list[tuple[dict[str, Any], HeadAddress | None]] = [
    ({}, None),
    ({"kind": "decoder"}, None),
    ({"pos": "rotary", "score": "general"}, None),
    ({"pos": "binary", "score": "additive"}, None),
    ({"pos": "alibi", "mask": ("sliding window",), "window": 3}, None),
    ({"pos": "none", "score": "dot", "mask": ("causal", "padding"), "pads": 2}, None),
    (TWO, SELF),
    (TWO, CROSS),
    (TWO, None),
]
NOWHERE = {"patterns"}  # these are heads to choose from


def named(run: Run, record: Journey) -> list[tuple[int, str]]:
    """Every picture, by its stop's number and its stage."""
    return [(stop, each.name) for stop, found in enumerate(stops(run, record), 1) for each in found.pictures]


@pytest.mark.parametrize(("chosen", "place"), RUNS)
def test_every_click_names_a_page_and_settings_that_there_are(
    chosen: dict[str, Any], place: HeadAddress | None
) -> None:
    run, record = told(place, **chosen)
    known = {setting.key: setting for setting in KNOWN}
    silent = set()
    for stop, name in named(run, record):
        opening = opening_of(run, record, stop, name)
        if opening is None:
            silent.add(name)
            continue
        page = BY_ADDRESS[opening.address]
        assert opening.title == page.title
        own = {setting.key for setting in page.all_settings}
        for key, value in opening.at(3, 4).items():
            assert key in own and fits(known[key], value), (name, key, value)
        assert run.config.architecture in page.architectures
        journey = BY_ADDRESS["journey"]
        taken = {} if page.model in (journey.model, "") else {MODEL.key: RANDOM_WEIGHTS}
        assert opening.clicked(3, 4) == ToPage(page.address, opening.at(3, 4), taken)
    assert silent == NOWHERE


def first_table(shown: Shown) -> Table:
    """The table of a view, or the first of several."""
    table = shown.table[0] if isinstance(shown.table, Sequence) else shown.table
    assert isinstance(table, Table)
    return table


def shown_there(run: Run, place: HeadAddress, address: str, where: dict[str, str]) -> Shown:
    """The page's view under these settings."""
    page = BY_ADDRESS[address]
    settings: dict[Setting, Any] = {
        ATTENTION: "cross" if place.cross else place.stack,
        LAYER: str(place.layer + 1),
        HEAD: str(place.head + 1),
    }
    for setting in page.all_settings:
        if setting.key in where:
            value = where[setting.key]
            settings[setting] = int(value) if setting.kind in ("int", "slider") else value
            settings[setting] = float(value) if setting.kind == "float" else settings[setting]
    values = Values(settings)
    return page.view(values[page.look_at]).show(page.subject(run, values), values)


@pytest.mark.parametrize(("chosen", "place"), [RUNS[n] for n in (0, 1, 2, 4, 7)])
def test_the_number_that_was_clicked_is_opened(chosen: dict[str, Any], place: HeadAddress | None) -> None:
    run, record = told(place, **chosen)
    opened = set()
    for stop, name in named(run, record):
        opening = opening_of(run, record, stop, name)
        if opening is None or not (opening.same and opening.row and opening.col):
            continue
        cell = (2, 1)
        there_shown = shown_there(run, record.place, opening.address, opening.at(*cell))
        if name == "ffn_hidden":  # a few neurons at every token, each under its number
            assert isinstance(there_shown.table, list)
            hidden = there_shown.table[1]
            assert isinstance(hidden, Table)
            there = hidden.values[cell[0], hidden.columns.index(str(cell[1]))]
        else:
            there = first_table(there_shown).values[cell]
        here = record.stages[name].values[cell]
        np.testing.assert_allclose(there, here, rtol=1e-4, atol=1e-6, err_msg=f"{stop} {name}")
        opened.add(name)
    assert {"ffn_hidden", "attn_in", "q", "k", "v", "z", "pattern", "raw_scores", "scores"} <= opened
    assert ("pos" in record.stages) == ("pos" in opened)


def test_a_click_on_an_embedding_opens_the_row_of_the_table() -> None:
    run, record = told()
    opening = opening_of(run, record, 2, "embed")
    assert opening and opening.at(3, 4) == {"tokens-view": "one-hot against dense", "tokens-place": "3"}
    there = first_table(shown_there(run, record.place, opening.address, opening.at(3, 4))).values[:, 0]
    here = record.stages["embed"].values[3]
    scale = run.config.d_model**0.5 if run.config.scale_embeddings else 1
    np.testing.assert_allclose(there[: len(here)] * scale, here, rtol=1e-4)


def test_a_click_takes_along_where_it_was_made() -> None:
    run, _ = told(layer=2)
    weights = strips(run, {LAYER: "2", HEAD: "3"})[4]
    assert weights.sets is not None and weights.tiles[3].name == "pattern"
    said = weights.tiles[3].click
    assert said == "to open it in Self-attention, step by step"
    leads = weights.sets("pattern", 5, 1)
    assert isinstance(leads, ToPage) and leads.address == "self-attention"
    wanted = {"view": "six steps", "step": "5 softmax", "matrix": "A", "row": "5", "col": "1"}
    assert leads.where.items() >= {f"self-attention-{key}": value for key, value in wanted.items()}.items()
    alone = {tile.name: tile.click for tile in strips(run)[7].tiles}
    assert set(alone.values()) == {"to open it in The block"}


@pytest.mark.parametrize(("chosen", "place"), [RUNS[n] for n in (0, 1, 5, 6, 7)])
def test_a_row_of_the_stream_is_opened_in_the_block(chosen: dict[str, Any], place: HeadAddress | None) -> None:
    run, record = told(place, **chosen)
    for stop, name in named(run, record):
        opening = opening_of(run, record, stop, name)
        if opening is None or opening.address != "block" or opening.col:
            continue
        picture = shown_there(run, record.place, "block", opening.at(2, 0)).pictures[2]
        assert isinstance(picture, Matrices)
        row = picture.panels[0].values[1 if name == "ffn_out" else 2]
        here = record.stages[name].values[2]
        np.testing.assert_allclose(row[: len(here)], here, atol=1e-5, err_msg=f"{stop} {name}")


def test_the_page_of_masks_opens_with_the_mask_that_acts() -> None:
    for chosen, preset in (({}, "none"), ({"kind": "decoder"}, "causal"), ({"mask": ("block",), "block": 2}, "block")):
        run, record = told(**chosen)
        opening = opening_of(run, record, 4, "masked_scores")
        assert opening is not None and opening.where["masks-preset"] == preset
        table = first_table(shown_there(run, record.place, opening.address, opening.at(3, 2)))
        np.testing.assert_allclose(table.values, record.stages["pattern"].values, atol=1e-6)
