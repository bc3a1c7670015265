"""Views of the page The lab and their parts, for tests."""

from typing import Any

from core.tracing.run import Run
from pages.shell.view import Shown
from pages.transformer.lab import settings
from pages.transformer.lab.page import PAGE
from pages.widgets import Caption, Columns, Control, Message, Part, Player, Row, Takeaway, Values

SMALL = {settings.TASK: "repeat", settings.LAYERS: "2", settings.WIDTH: "32", settings.RATE: "0.01"}


def shown(run: Run, view: str, asked: dict[Any, Any] | None = None) -> Shown:
    chosen = Values(asked)
    control: Control
    for control in PAGE.view(view).controls(run, chosen):
        chosen[control.setting] = (asked or {}).get(
            control.setting, control.options.get("default", control.setting.default)
        )
    found: Shown = PAGE.view(view).show(run, chosen)
    return found


def parts(found: Shown) -> list[Part]:
    """The parts of a view, those in columns and rows among them."""
    listed: list[Part] = []
    for part in found.pictures:
        if isinstance(part, Columns):
            listed += [inner for column in part.columns for inner in column]
        else:
            listed += part.parts if isinstance(part, Row) else [part]
    return listed


def player(found: Shown) -> Player:
    return next(part for part in found.pictures if isinstance(part, Player))


def words_of(found: Shown) -> list[str]:
    return [part.text for part in parts(found) if isinstance(part, Takeaway | Caption | Message)]
