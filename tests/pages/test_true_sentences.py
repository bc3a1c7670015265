"""What a page says of its screen is there: names in quotation marks, and things to click."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache as remembered
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.text.words import JOIN
from core.tracing.run import Run
from pages.compute import cache
from pages.shell.page import Page
from pages.shell.settings import RANDOM_WEIGHTS, TARGET, TEXT
from pages.widgets import Button, Caption, Chart, Link, Listing, Markdown, Message, Notes, Table
from tests.pages.house import PAGES
from tests.pages.views import CalledView, called_view, opened_run
from tests.rooms import ROOT

QUOTED = re.compile(r"“([^“”]+)”")
CLICK = re.compile(r"\bclick(?:s|ed)?\b", re.IGNORECASE)
DRAWN = "Otters juggle 42 pebbles, unbelievably, while Nobody's watching UNDER_SCORE."
RESET = "Reset view"  # the browser draws this button beside a chart that zooms
PROSE = ("caption", "text")
SETS = ("sets", "opened", "sets_pin", "sets_step", "does")
NO_CLASSES = SimpleNamespace(labels=())


def prose(page: Page, view: CalledView) -> list[str]:
    """What is written for every run, or for this one: of the page, of the view and of its parts."""
    shown = view.shown
    about = [shown.about] if isinstance(shown.about, str) else list(shown.about)
    own = [page.definition, page.introduction, shown.lead, shown.click, *about]
    for part in inside([*view.above, *shown.pictures]):
        if isinstance(part, Markdown | Caption | Message):
            own.append(part.text)
        elif isinstance(part, Notes):
            own += filter(None, part.sentences)
        elif isinstance(caption := getattr(part, "caption", ""), str):
            own.append(caption)
    return [each.replace("\\", "") for each in own if each]


def readings(view: CalledView) -> list[str]:
    """What is read from the numbers, where the model's own answers are named too."""
    return [each.replace("\\", "") for each in (*view.shown.said, *filter(None, view.shown.notes))]


def inside(parts: Any) -> Iterator[Any]:
    """Parts, and the parts within them."""
    if isinstance(parts, list | tuple):
        for part in parts:
            yield from inside(part)
    elif not isinstance(parts, str | int):
        yield parts
        for name in ("parts", "columns", "cards"):
            yield from inside(getattr(parts, name, ())) if not isinstance(parts, Listing | Table) else ()


def names_on(page: Page, view: CalledView, run: Run) -> str:
    """Everything with a name on the screen, in small letters: tokens, controls, views, tables, axes."""
    rows = [label for row in cache.check(run).values() for label in row.labels]
    controls = [
        text
        for control in view.controls
        for text in (
            control.setting.label,
            control.setting.help,
            *control.options.get("options", control.setting.options),
            str(control.options.get("label", "")),
            str(control.options.get("placeholder", "")),
        )
    ]
    values = [str(view.values[setting]) for setting in page.settings]
    shared = [TEXT.label, TARGET.label, run.text, run.target, *(each.name for each in page.views), page.title]
    titles = [cache.model_title(name) for name in cache.model_names()]
    if any(isinstance(part, Chart) and zooms(part) for part in inside([*view.above, *view.shown.pictures])):
        shared.append(RESET)
    words = [*rows, *controls, *values, *shared, *titles, *strings([view.above, view.shown.pictures, view.shown.table])]
    return "\n".join(words).replace("\\", "").casefold()


def strings(value: Any) -> Iterator[str]:
    """Every text within a value, but for prose."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, pd.DataFrame):
        yield from map(str, value.columns)
        for name in value.columns:
            yield from {str(each) for each in value[name]} if not pd.api.types.is_numeric_dtype(value[name]) else ()
    elif isinstance(value, Mapping):
        yield from strings(list(value.keys()))
        yield from strings(list(value.values()))
    elif is_dataclass(value) and not isinstance(value, type):
        prose = PROSE if isinstance(value, Markdown | Caption | Message) or hasattr(value, "caption") else ()
        for each in fields(value):
            if each.name not in prose:
                yield from strings(getattr(value, each.name))
    elif isinstance(value, np.ndarray):
        return
    elif isinstance(value, Sequence | set | frozenset):
        for each in value:
            yield from strings(each)


@remembered
def vocabulary(run: Run) -> frozenset[str]:
    """What the model can answer with: its pieces and its classes, in small letters."""
    reader, layer = cache.reader(run), cache.class_layer(run) if run.is_trained else None
    pieces = [label.removeprefix(JOIN) for label in reader.labels(range(reader.vocab_size))]
    return frozenset(each.casefold() for each in (*pieces, *(layer.labels if layer else ())))


def missing(page: Page, view: CalledView, run: Run) -> list[str]:
    """Sentences that name something in quotation marks which is not on the screen."""
    there, answers = names_on(page, view, run), vocabulary(replace(run, text="a", target="", edits=()))
    labels = {label.casefold() for label in (cache.class_layer(run) or NO_CLASSES).labels} if run.is_trained else set()
    found = []
    for sentence, known in [
        *((each, labels) for each in prose(page, view)),
        *((each, answers) for each in readings(view)),
    ]:
        for name in filter(is_word, QUOTED.findall(sentence)):
            low = name.casefold().rstrip("….").removeprefix(JOIN)
            if low not in there and not all(word in known for word in low.split()):
                found.append(f"“{name}” in: {sentence}")
    return found


def is_word(name: str) -> bool:
    return any(character.isalnum() for character in name)


def clickless(page: Page, view: CalledView) -> list[str]:
    """Sentences about clicking, where nothing can be clicked."""
    told = [each for each in (*prose(page, view), *readings(view)) if CLICK.search(each)]
    return [] if any(map(can_be_clicked, inside([*view.above, *view.shown.pictures]))) else told


def can_be_clicked(part: Any) -> bool:
    """Whether a click does something: on what sets a setting, and on a chart that can be moved."""
    if isinstance(part, Chart) and zooms(part):
        return True
    return isinstance(part, Button | Link) or any(getattr(part, name, None) for name in SETS)


def zooms(chart: Chart) -> bool:
    return '"scales"' in json.dumps(chart.spec)


def test_a_chart_that_zooms_has_the_button_that_its_caption_names() -> None:
    assert f'textContent: "{RESET}"' in (ROOT / "pages/canvas/chart_save/chart_save.js").read_text()


def cases() -> Iterator[Any]:
    for page in PAGES:
        for view in page.views:
            yield pytest.param(page, view.name, "", None, id=f"{page.address} {view.name}")
            if page.uses_model and not page.reference:
                yield pytest.param(page, view.name, RANDOM_WEIGHTS, None, id=f"{page.address} {view.name} random")
                if page.reads_text:
                    yield pytest.param(page, view.name, "", DRAWN, id=f"{page.address} {view.name} drawn")


@pytest.mark.parametrize(("page", "name", "model", "text"), cases())
def test_what_a_sentence_names_is_on_the_screen(page: Page, name: str, model: str, text: str | None) -> None:
    run = opened_run(page, model, text)
    view = called_view(page, name, run)
    assert not missing(page, view, run)
    assert not clickless(page, view)
