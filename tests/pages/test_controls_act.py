"""Every control that a view draws does something there: turned at its defaults, it changes what is on the screen."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from core.checkpoints import shipped
from core.tracing.run import Run
from pages.shell.page import Page
from pages.shell.settings import MASK, RANDOM_WEIGHTS
from pages.shell.view import View
from pages.widgets import Setting, Values
from tests.pages.conftest import Open
from tests.pages.house import PAGES, path_of
from tests.pages.screen import address_of
from tests.pages.screens import opened_run, others, screen

TEXTS = ("the king sat on a red chair .", "a film that i hated , but the music was good")
TRIES = 8  # other values of a control
GOES_ON = "train one"  # this view trains a little more each time that it is drawn
TOKENIZERS = "tokens"  # this page lists the tokenizer of a model made elsewhere beside all others
CASES: list[Any] = [
    pytest.param(page, page.view(each.name), id=f"{page.address} {each.name}")
    for page in PAGES
    for each in page.views
    if each.name != GOES_ON
]


def turned(page: Page, view: View, run: Run) -> Iterator[tuple[str, Iterator[str]]]:
    """Each control of the view, and the screens that other values of it make."""
    before = Values()
    _, controls = screen(page, view, run, before)
    for key, control in controls.items():
        values = islice(others(control, before[control.setting]), TRIES)
        yield key, (made(page, view, run, Values({control.setting: value})) for value in values)


def made(page: Page, view: View, run: Run, values: Values, digits: int | None = None) -> str:
    """A fingerprint of the screen; the sentence where these values cannot be shown."""
    try:
        return screen(page, view, run, values, digits)[0]
    except ValueError as mistake:
        return str(mistake)


@pytest.mark.parametrize(("page", "view"), CASES)
def test_every_control_changes_the_screen(page: Page, view: View) -> None:
    run = opened_run(page)
    now = made(page, view, run, Values())
    assert now == made(page, view, run, Values())
    assert [key for key, screens in turned(page, view, run) if all(each == now for each in screens)] == []


@pytest.mark.parametrize(("page", "view"), CASES)
def test_the_text_is_asked_for_where_it_changes_the_screen(page: Page, view: View) -> None:
    now = made(page, view, opened_run(page), Values())
    changed = any(made(page, view, opened_run(page, text), Values()) != now for text in TEXTS)
    assert changed == (view.reads_text is True)
    if isinstance(view.reads_text, tuple):
        setting, value = view.reads_text
        there = Values({setting: value})
        now = made(page, view, opened_run(page), there)
        assert any(made(page, view, opened_run(page, text), there) != now for text in TEXTS)


@pytest.mark.parametrize(("page", "view"), CASES)
def test_the_model_is_shown_where_another_changes_the_screen(page: Page, view: View) -> None:
    if page.address == TOKENIZERS:
        return
    run = opened_run(page)
    now = made(page, view, run, Values())
    names = [name for name in shipped.names() if shipped.read(name).config.architecture in page.architectures]
    runs = (opened_run(page, run.text, name) for name in (RANDOM_WEIGHTS, *names) if "toy" not in name)
    alike = (
        each for each in runs if each.text == run.text or view.reads_text is not True
    )  # some models read lower case
    assert any(made(page, view, each, Values()) != now for each in alike) == view.uses_model


@pytest.mark.parametrize(("page", "view"), CASES)
def test_the_mask_is_shown_where_it_changes_the_screen(page: Page, view: View) -> None:
    if not view.uses_model or MASK.key in page.owns:
        return
    now = made(page, view, opened_run(page), Values())
    masked = (opened_run(page, mask=(kind,)) for kind in MASK.options)
    assert any(made(page, view, each, Values()) != now for each in masked) == view.reads_mask


TRANSLATING = [
    case
    for case in CASES
    if case.values[1].reads_text is True
    and "encoder-decoder" in case.values[0].architectures
    and not case.values[0].reference
]


@pytest.mark.parametrize(("page", "view"), TRANSLATING)
def test_the_decoders_text_is_asked_for_only_where_it_changes_the_screen(page: Page, view: View) -> None:
    if view.name == "time":  # nothing is measured yet, so the run alone makes the fingerprint
        return
    run = opened_run(page, model="translator")
    other = replace(run, target="Il fait beau et le chat dort.")
    setting = view.reads_target if isinstance(view.reads_target, Setting) else None

    def changes(values: dict[Setting, Any]) -> bool:
        """The first token's chances may round otherwise beside a longer text."""
        return made(page, view, run, Values(values), 3) != made(page, view, other, Values(values), 3)

    assert changes({}) == (view.reads_target is True)
    if setting:
        assert any(changes({setting: value}) for value in setting.options)


@pytest.mark.parametrize("address", ["sentiment", "positions"])
def test_the_text_waits_out_of_sight_beside_a_view_that_reads_none(address: str, open_page: Open) -> None:
    page = next(each for each in PAGES if each.address == address)
    reads = next(view.name for view in page.views if view.reads_text)
    reads_none = next(view.name for view in page.views if not view.reads_text)
    at = open_page(path_of(page), t="a good film", **{page.look_at.key.replace("-", "_"): reads_none})
    assert at.get_by_key("header-text-unread") and not at.warning
    at.session_state[page.look_at.key] = reads
    at.run()
    assert at.session_state["visit"].run.text == "a good film" and address_of(at)["t"] in (
        "a good film",
        ["a good film"],
    )
