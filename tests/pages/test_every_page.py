"""Every page of the app and every view of it stands: with every model, at extremes, with hostile text; as it opens, in
`test_python_that_ran.py`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.checkpoints import shipped
from core.limits import UNASKED_SECONDS
from pages.shell.page import Page
from pages.shell.run_plan import plan_run
from pages.shell.settings import MODEL, RANDOM_WEIGHTS
from pages.widgets.setting import Setting
from tests.pages.conftest import Open
from tests.pages.house import KNOWN, PAGES, path_of
from tests.pages.screen import HOSTILE, asked_twice, said
from tests.pages.sentences import looked_at
from tests.pages.test_headlines import opened_head

LONG = "cat and dog " * 170
SIZES: dict[str, dict[str, Any]] = {
    "smallest": {"d": "2", "h": "1", "n": "1", "t": "a", "tt": "a"},
    "deepest": {"d": "64", "h": "16", "n": "12", "layer": "12", "head": "16"},
    "longest": {"d": "64", "h": "4", "n": "2", "layer": "2", "head": "4", "t": LONG, "tt": LONG},
    "general": {"pos": "alibi", "score": "general", "attention": "cross", "mask": ["as built", "padding", "block"]},
    "additive": {"pos": "rotary", "score": "additive", "dk": "6", "dv": "3", "norm": "pre", "dtype": "bfloat16"},
    "attention alone": {"ff": "0", "norm": "post", "residual": "false"},
    "hostile": {"t": HOSTILE, "tt": HOSTILE, "mask": "prefix", "prefix": "0"},
}
NOTHING: dict[str, Any] = {}
# Rotary attention alone; positions, and all layers. Each page shows one of them.
LAB = ("recorded:induction-2-layers@3000", "recorded:add@4000")
# Trained when it is opened; of seven pieces, fewer than are listed elsewhere.
BARE = "lab:parity,layers=1,positions=none,norm=none,residual=false,steps=50@20"
BARE_PAGES = ("heads", "block", "depth", "journey")
BOTH_STACKS = "lab:parity,architecture=encoder-decoder,norm=none,feed_forward=false,steps=50@20"
BOTH_STACKS_PAGES = ("heads", "block", "translate", "welcome")


def models_of(page: Page) -> list[str]:
    """The shipped models that the page can show, besides the one that it opens with; of those that differ in nothing
    but their weights, one. One is enough where a model has no part in the page."""
    known = {name: shipped.read(name) for name in shipped.names() if name != page.model}
    shown = {name: each for name, each in known.items() if each.config.architecture in page.architectures}
    unlike = {(replace(each.config, seed=0), str(each.card.tokenizer)): name for name, each in shown.items()}
    return sorted(unlike.values())[: None if looks_at_model(page) else 1]


def lab_models_of(page: Page) -> list[str]:
    """Steps of the lab that the page can show: decoders on every page, and others on some."""
    turn = PAGES.index(page) % 2
    decoders = LAB[turn : turn + 1] if looks_at_model(page) and "decoder" in page.architectures else ()
    on_some = {BARE: BARE_PAGES, BOTH_STACKS: BOTH_STACKS_PAGES}
    return [*decoders, *(name for name, pages in on_some.items() if page.address in pages)]


def looks_at_model(page: Page) -> bool:
    return page.uses_model and not page.reference


def cases() -> Iterator[Any]:
    """Pages with settings. A page that writes whole translations has fewer words at the longest and fewer layers at the
    deepest: 200 tokens of two stacks of twelve take half a minute. Sizes without a text are for pages that look at the
    model."""
    for page in PAGES:
        fresh = {"model": RANDOM_WEIGHTS, "kind": page.architectures[-1]}
        for name in lab_models_of(page):
            yield pytest.param(page, {"model": name}, id=f"{page.address} {name}")
        for size, params in SIZES.items():
            if "t" not in params and not looks_at_model(page):
                continue
            slow = page.architectures == ("encoder-decoder",)
            fewer = {"deepest": {"n": "6", "layer": "6"}, "longest": {"t": LONG[:600]}}.get(size) if slow else None
            yield pytest.param(page, fresh | params | (fewer or NOTHING), id=f"{page.address} {size}")


def through_views(at: AppTest, page: Page) -> Iterator[str]:
    """Go from view to view; each must stand, show something, and show no number that is none."""
    for view in page.views:
        if len(page.views) > 1:
            at.session_state[page.look_at.key] = view.name
            at.run()
        assert not at.exception, (view.name, at.exception[0].message)
        assert not at.error, (view.name, [error.value for error in at.error])
        shown = sum(len(at.get(kind)) for kind in ("vega_lite_chart", "bidi_component", "info", "dataframe"))
        words = said(at)
        assert not asked_twice(at), (view.name, asked_twice(at))
        assert shown or any("needs about" in each.value for each in at.caption), view.name
        assert "None" not in words and "nan" not in words, view.name
        assert "<script" not in words.replace("\\", "") or "\\<script" in words, view.name
        yield view.name


@pytest.mark.parametrize(
    ("page", "name"),
    [pytest.param(page, name, id=f"{page.address} {name}") for page in PAGES for name in models_of(page)],
)
def test_every_view_shows_every_model(page: Page, name: str) -> None:
    """Called, for `shell/test_shared_addresses.py` draws each of the models through the app."""
    run = plan_run(page, {MODEL.key: name}).checked()
    assert run.model_name == name or not page.uses_model
    head = opened_head(page, run)
    for view in (page.view(each.name) for each in page.views):
        subject, values = looked_at(page, view, run, head)
        if view.seconds and view.seconds(subject, values) >= UNASKED_SECONDS:
            continue
        shown = view.show(subject, values)
        words = " ".join([shown.lead, shown.click, *shown.said, *filter(None, shown.notes)])
        assert shown.pictures or shown.table or shown.notes, view.name
        assert "None" not in words and "nan" not in words, view.name


@pytest.mark.parametrize(("page", "params"), cases())
def test_every_view_stands(page: Page, params: dict[str, Any], open_page: Open) -> None:
    at = open_page(path_of(page), **params)
    assert not at.warning, [warning.value for warning in at.warning]
    assert len(list(through_views(at, page))) == len(page.views)


@pytest.mark.parametrize("end", ["low", "high"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_every_view_stands_at_the_ends_of_its_own_settings(page: Page, end: str, open_page: Open) -> None:
    asked = {each.key: extreme(each, end) for each in page.settings if each.kind != "text"}
    at = open_page(path_of(page), **asked)
    assert len(list(through_views(at, page))) == len(page.views)


def extreme(setting: Setting, end: str) -> str | list[str]:
    """The first or last value that an address can name."""
    if setting.kind in ("multi_pills", "multiselect"):
        return [""] if end == "low" else list(setting.options[:3])
    if setting.options:
        return setting.options[0 if end == "low" else -1]
    if setting.kind == "toggle":
        return str(end == "high").lower()
    return f"{setting.low if end == 'low' else setting.high:.15g}"


def test_every_setting_has_one_name() -> None:
    keys = [setting.key for setting in KNOWN]
    assert len(set(keys)) == len(keys) and all(key.islower() and "_" not in key for key in keys)


def test_addresses_are_unlike_and_files_stand_in_folders_of_their_own() -> None:
    assert len({page.address for page in PAGES}) == len({page.file for page in PAGES}) == len(PAGES)
    for page in PAGES:
        room, _, topic, file = path_of(page).split("/")
        assert (room, topic.replace("_", "-"), file) == ("pages", page.address, "page.py")
