"""Every sentence that a view shows, collected by calling it: leads, takeaways, notes, captions, titles, and labels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import pandas as pd

from core.checkpoints import shipped
from core.tracing.run import Run
from pages.shell.page import Page
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown, View
from pages.widgets.setting import Setting, Values
from tests.pages.screen import unlinked

UNREAD = ("key", "source", "formula", "icon", "kind", "scale", "hue", "tint", "type", "model", "ids")


def run_for(page: Page, text: str, target: str = "", model: str = "", **chosen: Any) -> Run:
    """The run of a visitor to the page who typed this, with its own model unless another is named."""
    name = model or page.model
    return make_run(DEFAULTS | chosen, text, target or text, shipped.read(name) if name else None)


def show(page: Page, view: View, run: Run, chosen: Mapping[Setting, Any]) -> Shown:
    """The view as its page shows it when these of its settings are chosen."""
    return view.show(*looked_at(page, view, run, chosen))


def looked_at(page: Page, view: View, run: Run, chosen: Mapping[Setting, Any]) -> tuple[Any, Values]:
    """What the view is made of: its subject, and the values of all settings when these are chosen."""
    values = Values(chosen)
    for each in page.controls(run, values):
        each.fit(values)
    subject = page.subject(run, values)
    for each in view.controls(subject, values):
        each.fit(values)
    return subject, values


def sentences(shown: Any) -> Iterator[str]:
    """Every string among the parts, but keys, paths and formulas, without links to the glossary."""
    if isinstance(shown, str):
        yield unlinked(shown)
    elif isinstance(shown, pd.DataFrame):
        for column in shown.columns:
            yield from (each for each in dict.fromkeys(shown[column]) if isinstance(each, str))
    elif is_dataclass(shown) and not isinstance(shown, type):
        for field in fields(shown):
            if field.name not in UNREAD:
                yield from sentences(getattr(shown, field.name))
    elif isinstance(shown, Mapping):
        for name in ("title", "text", "name", "description"):
            yield from sentences(shown.get(name))
    elif isinstance(shown, Sequence) and not isinstance(shown, bytes):
        for each in shown:
            yield from sentences(each)
