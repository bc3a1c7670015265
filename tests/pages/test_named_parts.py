"""What a sentence announces or names is drawn: something after a colon, and a control under the name in quotes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from core.tracing.run import Run
from pages.shell.own_text import LIKE_THESE
from pages.shell.page import Page
from pages.shell.run_plan import with_own_target
from pages.shell.settings import HEADER_SETTINGS
from pages.shell.view import View
from pages.widgets import Caption, Columns, JobButton, Markdown, Player, Setting, Takeaway, TextArea, Values
from tests.pages.house import PAGES
from tests.pages.screens import settle
from tests.pages.sentences import run_for, sentences, show

NAMED = re.compile(r"(?:\b[Pp]ress|\b[Cc]lick|\binto|\bbehind|\bbutton|\bbox) “([^”]+)”|“(Measure)”")
UNCOUNTED = re.compile(r"\b(?:second|third|other|left|right) (?:text )?box\b")  # a place that moves with the window
AROUND = (LIKE_THESE, "Examples", "More", "Share, reset", "Look at")  # what the shell draws round every view
PLAYED = ("Play", "Pause", "Play again", "Step", "Back", "Restart")
TEXTS = ("The cat sat on the mat.", "My sister reads a long book, and she was tired.", "Hello")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_no_sentence_announces_what_is_not_drawn(page: Page, text: str) -> None:
    run = opened_with(page, text)
    assert not [(view.name, said) for view in page.views for said in orphans(parts_of(page, view, run))]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_every_control_that_a_sentence_names_is_there(page: Page, text: str) -> None:
    run = opened_with(page, text)
    missing = [
        (view.name, name, labels)
        for view in page.views
        for labels in [set(labels_of(page, view, run))]
        for said in [[page.definition, page.introduction, *said_in(page, view, run)]]
        for name in [*named(said), *filter(UNCOUNTED.search, said)]
        if name not in labels
    ]
    assert not missing


def test_what_the_two_tests_look_for_is_found() -> None:
    assert list(orphans([Markdown("a"), Caption("Here it is:")])) == ["Here it is:"]
    assert list(orphans([Columns([[Caption("Here:")], [Markdown("b")]])])) == ["Here:"]
    assert not list(orphans([Caption("Here it is:"), Markdown("b")]))
    assert named(["Press “Train”: it is drawn behind “More”."]) == ["Train", "More"]


def opened_with(page: Page, text: str) -> Run:
    """The run of a visitor who typed this and left the decoder's text to the model."""
    return with_own_target(replace(run_for(page, text), target=""))


def parts_of(page: Page, view: View, run: Run) -> Sequence[Any]:
    """The parts that a page and its view draw; none where it says why nothing is drawn."""
    values = Values({})
    try:
        shown = show(page, view, run, {})
        settle(page.controls(run, values), values)
        above = page.above(page.subject(run, values), values)
    except ValueError:
        return ()
    return [*above, *shown.pictures, *map(Takeaway, shown.said)]


def orphans(parts: Sequence[Any]) -> Iterator[str]:
    """The texts that end with a colon and are the last of the parts with which they are drawn."""
    if parts and isinstance(last := parts[-1], Caption | Markdown) and last.text.rstrip().rstrip("*").endswith(":"):
        yield last.text
    for part in parts:
        for inner in lists_in(part):
            yield from orphans(inner)


def lists_in(part: Any) -> Iterator[Sequence[Any]]:
    """The lists of parts inside a part, with what a job shows before it has begun."""
    if isinstance(part, JobButton):
        yield part.found(None)
    elif isinstance(part, TextArea):
        yield part.parts(part.text)
    elif is_dataclass(part):
        for value in (getattr(part, field.name) for field in fields(part)):
            if isinstance(value, list | tuple) and all(map(is_dataclass, value)):
                yield value
            elif isinstance(value, list | tuple):
                yield from (each for each in value if isinstance(each, list | tuple) and all(map(is_dataclass, each)))


def said_in(page: Page, view: View, run: Run) -> Iterator[str]:
    """Every sentence of a view, those of its jobs and of its controls' explanations included."""
    try:
        shown = show(page, view, run, {})
    except ValueError as refused:
        yield str(refused)
        return
    yield from sentences(shown)
    for part in everything_in(shown.pictures):
        if isinstance(part, JobButton):
            yield from sentences(part.found(None))


def named(texts: Sequence[str]) -> list[str]:
    return [found[1] or found[2] for text in texts for found in NAMED.finditer(text)]


def labels_of(page: Page, view: View, run: Run) -> Iterator[str]:
    """The labels of all controls of a view, of the page, and of the header."""
    yield from AROUND
    yield from (each.label for each in (*HEADER_SETTINGS, *page.settings))
    yield from (each.name for each in page.views)
    values = Values({})
    try:
        controls = {**settle(page.controls(run, values), values)}
        controls |= settle(view.controls(page.subject(run, values), values), values)
    except ValueError:
        controls = {}
    for control in controls.values():
        yield str(control.options.get("label", control.setting.label))
        yield from map(str, control.options.get("options", control.setting.options))
    for part in everything_in(parts_of(page, view, run)):
        if isinstance(part, Player):
            yield from PLAYED
        elif label := getattr(part, "label", ""):
            yield label


def everything_in(part: Any) -> Iterator[Any]:
    """The part, and all parts inside it."""
    if isinstance(part, list | tuple):
        for each in part:
            yield from everything_in(each)
    elif is_dataclass(part) and not isinstance(part, Setting):
        yield part
        for inner in lists_in(part):
            yield from everything_in(inner)
