"""What a screen reader meets on the route of ten minutes, in the order in which it reads."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from app import ROUTES
from core.checkpoints.languages import FRENCH
from core.explore import explore
from core.explore.matrix import Matrix
from tests.browser.driver import address, drawn, enter, looked_until, pill, settled, widget
from tests.pages.house import BY_ADDRESS

ROUTE = ROUTES["10 minutes"]
Open = Callable[..., Page]
Serve = Callable[[str], str]
SENTENCE = ".st-key-sentence > [data-testid=stElementContainer] strong"
FIRST_HEARD = 2_000  # milliseconds in which a page takes its first sentence for the one that is read with it
# Every text that a live region takes on from now on, in `window.told`.
LISTEN = """() => {
  window.told = [];
  const LIVE = "[aria-live]:not([aria-live=off]), [role=status]";
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? [])];
  for (const root of roots) new MutationObserver((changes) => {
    const around = ({ target }) => (target.closest ? target : target.parentElement)?.closest(LIVE);
    const places = new Set(changes.map(around));
    for (const place of places) if (place?.textContent.trim()) window.told.push(place.textContent.trim());
  }).observe(root, { subtree: true, childList: true, characterData: true });
}"""
CELLS = """() => [...document.querySelectorAll("[data-testid=data-grid-canvas] [role=row]")].map((row) =>
  [...row.querySelectorAll("[role=columnheader], [role=gridcell]")].map((cell) => cell.textContent))"""


@pytest.fixture
def route_page(page: Open, serve: Serve) -> Open:
    def show(name: str, **params: Any) -> Page:
        tab = page(address(serve("app.py"), "" if name == ROUTE[0] else name, **params))
        drawn(tab)
        settled(tab)
        return tab

    return show


def heard(tab: Page) -> Iterator[dict[str, Any]]:
    """Role, name and heading level of each node, in order; parts of a formula and of a chart are left out."""
    devtools = tab.context.new_cdp_session(tab)
    nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
    devtools.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
        role, name = (node.get(field, {}).get("value", "") for field in ("role", "name"))
        levels = [each["value"]["value"] for each in node.get("properties", ()) if each["name"] == "level"]
        if not node["ignored"]:
            yield {"role": role, "name": name, "level": levels[0] if levels else None}
        for child in node.get("childIds", ()) if role != "MathMLMath" else ():
            yield from walk(by_id[child])

    return walk(nodes[0])


@pytest.mark.parametrize("name", ROUTE)
def test_a_page_is_heard_in_order(name: str, route_page: Open) -> None:
    tab, page = route_page(name), BY_ADDRESS[name]
    expect(tab.get_by_role("heading", level=2)).to_have_count(1)
    said = list(heard(tab))
    assert said[0]["name"] == f"{page.title} · Attention Explorer"
    roles = [each["role"] for each in said]
    before = [each["name"] for each in said[1 : roles.index("banner")] if each["name"]]
    assert set(before) == {"Skip to main content"}, "the closed drawer says nothing"
    headings = [each for each in said if each["role"] == "heading"]
    assert headings[0] == {"role": "heading", "name": page.question, "level": 1}
    assert headings[1]["name"] == tab.locator(SENTENCE).first.inner_text()
    levels = [each["level"] for each in headings]
    assert all(lower <= higher + 1 for higher, lower in pairwise(levels))
    assert not [each for each in said if each["name"].endswith(" icon")]


@pytest.mark.parametrize("name", ROUTE)
def test_pictures_and_formulas_are_named_and_no_mark_spells_its_fields(name: str, route_page: Open) -> None:
    tab = route_page(name)
    said = list(heard(tab))
    assert sum(each["role"] == "MathMLMath" for each in said) == tab.locator(".katex").count()
    pictures = [each for each in said if each["role"] in ("application", "graphics-document")]
    assert all(each["name"] not in ("", "Vega visualization") for each in pictures)
    assert not [each for each in said if each["role"].startswith("graphics") and "; " in each["name"]]
    grids = [each["name"] for each in pictures if each["role"] == "application"]
    assert all(grid.endswith((" columns", " heads")) for grid in grids), "each says how large it is"


def test_a_changed_sentence_and_a_new_page_are_read_out_once(route_page: Open) -> None:
    tab = route_page("welcome")
    expect(tab.get_by_role("heading", level=2)).to_be_visible()
    tab.wait_for_timeout(FIRST_HEARD)
    tab.evaluate(LISTEN)
    before = tab.locator(SENTENCE).inner_text()
    enter(tab, "t", "The small dog eats an apple.")
    expect(tab.locator(SENTENCE)).not_to_have_text(before)
    settled(tab)
    said = looked_until(tab, lambda: tab.evaluate("() => window.told"), bool)
    assert said == [tab.locator(SENTENCE).inner_text()]
    tab.get_by_role("link", name="Watch it write").click()
    question = BY_ADDRESS["translate"].question
    expect(tab.get_by_role("heading", level=1)).to_have_text(question)
    said = looked_until(tab, lambda: tab.evaluate("() => window.told"), lambda told: len(told) > 1)
    assert said[1:] == [question]


def test_a_word_that_is_reached_by_key_is_read_out(route_page: Open) -> None:
    tab = route_page("welcome")
    tab.evaluate(LISTEN)
    word = widget(tab, "welcome-bridge").locator(".written .word").first
    word.focus()
    said = widget(tab, "welcome-bridge").locator(".said").inner_text()
    assert said.startswith("To write “") and word.inner_text() in said
    assert looked_until(tab, lambda: tab.evaluate("() => window.told"), bool) == [said]


@pytest.mark.parametrize(
    ("name", "key", "words"),
    [("welcome", "welcome-bridge", ".written .word bdi"), ("translate", "translate-text", "bdi")],
)
def test_french_is_marked_as_french(name: str, key: str, words: str, route_page: Open) -> None:
    params = {} if name == "welcome" else {"translate_view": "step by step"}
    tab = route_page(name, **params)
    language = "(word) => word.closest('[lang]:not([lang=\"\"])')?.lang ?? ''"
    found = widget(tab, key).locator(words)
    expect(found.first).to_be_visible()
    assert {word.evaluate(language) for word in found.all()} == {FRENCH}
    if name == "welcome":
        read = widget(tab, key).locator(".read .word bdi")
        assert {word.evaluate(language) for word in read.all()} == {""}, "a drawing's own root: the page's language"


def test_the_numbers_are_a_table_that_follows_what_is_picked(route_page: Open) -> None:
    text = "The old dog sleeps"
    tab = route_page("heads", t=text, layer=2, head=3)
    tab.locator("summary", has_text="The numbers").first.click()
    tab.get_by_test_id("stDataFrame").first.scroll_into_view_if_needed()
    for layer, head in ((2, 3), (2, 5)):
        pattern = explore(text, model="storyteller").pattern(layer, head)
        pill(tab, "head", str(head)).click()
        tab.keyboard.press("Escape")  # what the head was chosen in closes
        cells = looked_until(tab, lambda: tab.evaluate(CELLS), partial(_same, pattern=pattern))
        assert _same(cells, pattern), cells


def _same(rows: list[list[str]], pattern: Matrix) -> bool:
    """Whether a table has the weights of a head below the names of its columns and behind those of its rows."""
    names = list(pattern.rows)
    if [row[1:] for row in rows[:1]] != [names] or [row[0] for row in rows[1:]] != names:
        return False
    shown = np.array([[float(cell.replace("–", "0")) for cell in row[1:]] for row in rows[1:]])
    return bool(np.allclose(shown, np.nan_to_num(pattern.values), atol=6e-4))
