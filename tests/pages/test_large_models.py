"""Models with more heads, layers and numbers than random weights may have: every view draws them at every choice."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import streamlit as st

from core.limits import D_MODEL, HEADS, LAYERS
from core.tracing.run import Run
from pages.compute import cache
from pages.shell.page import Page
from pages.shell.url_params import fits
from pages.shell.view import View
from pages.widgets import Control, Message, Setting, Values
from tests.core.checkpoints.real.real_place import write_deep, write_wide
from tests.pages.house import KNOWN, PAGES
from tests.pages.screens import opened_run, settle
from tests.pages.sentences import show

TEXT = "The cat sat on the mat. The cat saw the dog."
MODELS = {"deep": write_deep, "wide": write_wide}
SHOWING = [page for page in PAGES if page.uses_model and not page.reference and "decoder" in page.architectures]
SOME = 24  # options: of more, all of which are numbers, four are taken
BY_KEY = {setting.key: setting for setting in KNOWN}
# What a view may say in place of a picture: why this model cannot have it.
WHY_NOT = (
    "This model has no padding token",
    "This model has rotary positions, which are not added to its tokens",
    "This model learned 64 positions and has no vector for a position after them",
    "What heads do over many texts was measured for these trained models",
)


@pytest.fixture(scope="module", autouse=True)
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The app with a place of these models."""
    place = tmp_path_factory.mktemp("place")
    for name, write in MODELS.items():
        write(place / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "real_place", lambda: place)
        for kept in (st.cache_data, st.cache_resource):
            kept.clear()
        yield
    for kept in (st.cache_data, st.cache_resource):
        kept.clear()


def test_the_models_are_larger_than_random_weights_may_be() -> None:
    deep, wide = (cache.trained(f"real:{name}").config for name in MODELS)
    assert deep.layers > LAYERS and deep.heads > HEADS and deep.n_kv_heads < deep.heads
    assert wide.heads > HEADS and wide.d_model > D_MODEL


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.address)
def test_every_view_draws_a_large_model_at_every_choice(page: Page, name: str) -> None:
    run = opened_run(page, TEXT, f"real:{name}")
    assert run.model_name == f"real:{name}"
    for view in (page.view(each.name) for each in page.views):
        if view.uses_model:
            check_view(page, view, run)


def check_view(page: Page, view: View, run: Run) -> None:
    for control in check_screen(page, view, run, {}):
        for value in choices(control):
            check_screen(page, view, run, {control.setting: value})


def check_screen(page: Page, view: View, run: Run, chosen: Mapping[Setting, Any]) -> list[Control]:
    """Fail if a view draws nothing of this model without saying why, or offers what no address can name.

    Return its controls.
    """
    where = (page.address, view.name, {setting.key: value for setting, value in chosen.items()})
    values = Values(chosen)
    try:
        controls = settle(page.controls(run, values), values)
        controls |= settle(view.controls(page.subject(run, values), values), values)
        shown = show(page, view, run, chosen)
    except ValueError as mistake:
        assert str(mistake).startswith(WHY_NOT), (where, str(mistake))
        return []
    told = [part.text.replace("\\", "") for part in shown.pictures if isinstance(part, Message)]
    assert all(text.startswith(WHY_NOT) for text in told), (where, told)
    assert shown.pictures or shown.table, where
    assert not (beyond := [each for control in controls.values() for each in unnamed(control)]), (where, beyond)
    return list(controls.values())


def unnamed(control: Control) -> Iterator[tuple[str, str]]:
    """Yield what a control offers and the address refuses: options, and its highest number."""
    setting = BY_KEY[control.setting.key]
    offered = [*control.options.get("options", setting.options)]
    if "high" in control.options:
        offered.append(f"{control.options['high']:.15g}")
    yield from ((setting.key, value) for value in offered if not fits(setting, value))


def choices(control: Control) -> Iterator[Any]:
    """Yield the values of a pill, a switch or a list; of long lists of numbers the first, the last and two between."""
    kind, options = control.setting.kind, list(control.options.get("options", control.setting.options))
    if kind == "toggle":
        yield from (True, False)
    elif kind in ("multi_pills", "multiselect"):
        yield from ((option,) for option in some_of(options))
    else:
        yield from some_of(options)


def some_of(options: list[str]) -> list[str]:
    if len(options) <= SOME:
        return options
    return [options[0], options[len(options) // 3], options[2 * len(options) // 3], options[-1]]
