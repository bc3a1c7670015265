"""Shows a view twice, pinned and current, with the difference of the two attention patterns."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.charts.reach import reaching
from core.readings.compare import read_largest_change, read_unpaired
from core.topics.compare.difference import PatternChange, pattern_change
from pages.canvas import Matrices, Panel
from pages.shell.view import Shown
from pages.widgets import Caption, Chart, Columns, Markdown, Part, Table, plain, read_only

MIN_SCALE_END = 0.01  # the least value at which the colour scale of a difference ends
NOTHING_YET = "Nothing differs yet: change the text, the model, a head or a mask."


def side_by_side(pinned: Shown, current: Shown, titles: tuple[str, str]) -> Shown:
    """Return the current view with the pinned one added to its pictures.

    If both have an attention pattern, the difference is added as a picture, a sentence and a table.

    titles: the settings that differ, in words, of the pinned and the current side; both are empty if nothing differs.
    """
    names = [f"{side}: {title}" if title else side for side, title in zip(("Pinned", "Now"), titles, strict=True)]
    notes = [None if any(titles) else NOTHING_YET, *current.notes]
    old, new = pinned.pattern, current.pattern
    if old is None or new is None:
        return replace(current, pictures=[_both(pinned, current, names)], takeaway=(), notes=notes)
    change = pattern_change(_labelled(old), _labelled(new))
    main = _picture_of(new, current.pictures)
    pictures: list[Part] = [_patterns(old, new, change, names, main)]
    sentences = [read_largest_change(change.values, change.weights, change.queries, change.keys)]
    if main is None:
        pictures.append(_both(pinned, current, names))
    else:
        pictures += _without(current.pictures, main)
        sentences += [
            f"{side}: {sentence}" for side, shown in (("Pinned", pinned), ("Now", current)) for sentence in shown.said
        ]
    tables = current.table if isinstance(current.table, list | tuple) else [current.table]
    numbers = Table("now-minus-pinned", change.values, new.rows, new.cols)
    notes += read_unpaired(change.added, change.lost)
    return replace(current, pictures=pictures, takeaway=sentences, notes=notes, table=[*tables, numbers])


def _both(pinned: Shown, current: Shown, names: Sequence[str]) -> Columns:
    """Return the two views as columns, each below its name and its first sentence."""
    sides: list[list[Part]] = []
    for name, shown, pictures in zip(
        names, (pinned, current), _one_scale(pinned.pictures, current.pictures), strict=True
    ):
        first_sentence = [Caption(plain(sentence)) for sentence in shown.said[:1]]
        sides.append([Markdown(f"**{plain(name)}**"), *first_sentence, *_stacked(pictures)])
    return Columns([read_only(sides[0]), sides[1]])


def _stacked(parts: Sequence[Part]) -> list[Part]:
    """Return the parts one below the other, because half the width is too narrow for columns.

    The last column comes first, because it is the largest.
    """
    made: list[Part] = []
    for part in parts:
        if isinstance(part, Columns):
            made += [inner for column in reversed(part.columns) for inner in _stacked(column)]
        else:
            made.append(part)
    return made


def _patterns(old: Panel, new: Panel, change: PatternChange, names: Sequence[str], main: Matrices | None) -> Matrices:
    """Return one picture with both patterns on the same colour scale, and their difference.

    A click on the current pattern sets the same as in `main`, the picture that it is taken from.
    """
    limit = None if old.limit is None or new.limit is None else max(old.limit, new.limit)
    form = (new.rows, new.cols, new.row_axis, new.col_axis)
    largest_change = max(MIN_SCALE_END, float(np.nanmax(np.abs(change.values), initial=0)))
    panels = [
        replace(old, name="pinned", title=names[0], limit=limit, before=""),
        replace(new, name="now", title=names[1], limit=limit, before=""),
        Panel(
            "change",
            "Now − pinned",
            change.hatched,
            *form,
            limit=largest_change,
            absent="no partner",
            unit="difference",
        ),
    ]
    sets = main.sets if main else None
    return Matrices(
        panels,
        key="beside-patterns",
        name="Pinned, now and their difference",
        height=480,
        sets=sets and (lambda name, row, col: sets(new.name, row, col) if name == "now" else None),
    )


def _labelled(panel: Panel) -> tuple[np.ndarray, Sequence[str], Sequence[str]]:
    return panel.values, panel.rows, panel.cols


def _picture_of(panel: Panel, parts: Sequence[Part]) -> Matrices | None:
    """Return the picture that shows only this panel, also if it is in a column; None if there is none."""
    for part in parts:
        if isinstance(part, Matrices) and len(part.panels) == 1 and part.panels[0] is panel:
            return part
        if isinstance(part, Columns):
            for column in part.columns:
                if (picture := _picture_of(panel, column)) is not None:
                    return picture
    return None


def _without(parts: Sequence[Part], gone: Part) -> list[Part]:
    """Return the parts without one of them, which may be in a column."""
    kept: list[Part] = []
    for part in parts:
        if isinstance(part, Columns):
            kept.append(replace(part, columns=[_without(column, gone) for column in part.columns]))
        elif part is not gone:
            kept.append(part)
    return kept


def _one_scale(old: Sequence[Part], new: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """Return both lists of parts, with the same colour scales and chart axes on both sides.

    Two matrices belong together if their picture's key and their name are the same, two charts if their key is. Only
    matrices on a "signed" or "size" scale are changed.
    """
    limits: dict[tuple[str, str], float] = {}
    frames: dict[str, list[pd.DataFrame]] = {}
    for part in (*_leaves(old), *_leaves(new)):
        if isinstance(part, Chart):
            frames.setdefault(part.key, []).append(part.data)
        elif isinstance(part, Matrices):
            for panel in part.panels:
                if panel.scale in ("signed", "size"):
                    name = (part.key, panel.name)
                    limits[name] = max(limits.get(name, 0.0), panel.largest_value)
    return _scaled(old, limits, frames), _scaled(new, limits, frames)


def _leaves(parts: Sequence[Part]) -> list[Part]:
    """Return the parts as one list, including those in columns."""
    leaves: list[Part] = []
    for part in parts:
        leaves += [leaf for column in part.columns for leaf in _leaves(column)] if isinstance(part, Columns) else [part]
    return leaves


def _scaled(
    parts: Sequence[Part], limits: dict[tuple[str, str], float], frames: dict[str, list[pd.DataFrame]]
) -> list[Part]:
    made: list[Part] = []
    for part in parts:
        if isinstance(part, Matrices):
            panels = [replace(panel, limit=limits.get((part.key, panel.name), panel.limit)) for panel in part.panels]
            part = replace(part, panels=panels)
        elif isinstance(part, Chart) and len(together := frames[part.key]) > 1:
            part = replace(part, spec=reaching(part.spec, together))
        elif isinstance(part, Columns):
            part = replace(part, columns=[_scaled(column, limits, frames) for column in part.columns])
        made.append(part)
    return made
