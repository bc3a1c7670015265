"""Reading what the views of Translate show, without a browser."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import pandas as pd

from core.tracing.run import Run
from pages.canvas.token_buttons.token_buttons import TokenButtons
from pages.shell.view import Shown
from pages.transformer.translate.page import PAGE
from pages.widgets.parts import Columns, Part
from pages.widgets.setting import Setting, Values
from pages.widgets.table import Listing

PartKind = TypeVar("PartKind", bound=Part)


def show(run: Run, view: str, chosen: dict[Setting, Any] | None = None) -> Shown:
    values = Values(chosen or {})
    return PAGE.view(view).show(PAGE.subject(run, values), values)


def asked(run: Run, view: str, chosen: dict[Setting, Any]) -> list[Setting]:
    """The settings that a view asks for."""
    values = Values(chosen)
    return [control.setting for control in PAGE.view(view).controls(PAGE.subject(run, values), values)]


def parts(shown: Shown) -> Iterator[Part]:
    for part in shown.pictures:
        if isinstance(part, Columns):
            yield from (each for column in part.columns for each in column)
        else:
            yield part


def part(shown: Shown, kind: type[PartKind], key: str = "") -> PartKind:
    """The first part of a kind, with this key."""
    return next(each for each in parts(shown) if isinstance(each, kind) and getattr(each, "key", "").endswith(key))


def pieces(shown: Shown, key: str) -> list[str]:
    return [token.piece for token in part(shown, TokenButtons, key).tokens]


def listing(shown: Shown) -> pd.DataFrame:
    table = shown.table[0] if isinstance(shown.table, Sequence) else shown.table
    assert isinstance(table, Listing) and table.unfolded
    return table.frame()
