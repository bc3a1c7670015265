"""The views of the glossary: a map with one term explained, and a list."""

from collections.abc import Iterator

from core.lessons.glossary import BY_NAME, matching
from core.tracing.run import Run
from pages.canvas import TermList, TermMap
from pages.reference.glossary import queries
from pages.reference.glossary.settings import SEARCH, TERM
from pages.shell import Shown, View
from pages.widgets import Caption, Columns, Control, Link, Message, Part, Values, control


def _map_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(TERM, width=300, label_visibility="collapsed")


def _show_map(run: Run, values: Values) -> Shown:
    """Show the terms in their places, and one of them: its words, value here, formula, pages and code."""
    term = BY_NAME[values[TERM]]
    live = queries.in_model(run)
    picture = TermMap(
        term.name, live, key="glossary-map", name="the parts of a model", sets=lambda name: {TERM.key: name}
    )
    return Shown(pictures=[picture, *_pages(term.seen)], formula=term.formula, source=term.code)


def _pages(paths: tuple[str, ...]) -> list[Part]:
    """Return links to the pages and views on which a term is best seen."""
    links: list[list[Part]] = []
    for path in paths:
        address, _, view = path.partition("/")
        links.append([Link("", address, {f"{address}-view": view} if view else {})])
    return [Caption("See it on:"), Columns(links)]


def _list_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(SEARCH, width=300, label_visibility="collapsed", placeholder=SEARCH.help)


def _show_list(run: Run, values: Values) -> Shown:
    """List every term that matches the search, with its words; a click opens its card."""
    names = matching(values[SEARCH])
    if not names:
        return Shown([Message("No term has these words.")])
    listed = TermList(names, key="glossary-list", name="terms from A to Z")
    note = "1 term." if len(names) == 1 else f"{len(names)} terms."
    return Shown([listed], notes=[note])


MAP_VIEW = View("map", _show_map, _map_controls)
LIST_VIEW = View("A to Z", _show_list, _list_controls, reads_text=False, uses_model=False)
