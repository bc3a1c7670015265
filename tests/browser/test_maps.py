"""Maps in a real browser: how they are zoomed, shown whole again, and saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.driver import drawn, looked_until

Open = Callable[..., Page]
MAPS: list[tuple[str, dict[str, Any]]] = [
    ("word-vectors", {}),
    ("word-vectors", {"word_vectors_view": "analogies"}),
    ("word-vectors", {"word_vectors_view": "train one", "word_vectors_steps": 40}),  # beside the curve of its loss
    ("words-in-context", {"words_in_context_view": "map"}),
]
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def ticks(chart: Locator) -> list[str]:
    """The numbers along the axes."""
    return sorted(chart.locator(".role-axis-label text").all_text_contents())


def turn_wheel(tab: Page, chart: Locator, by: int) -> None:
    box = chart.bounding_box()
    assert box
    tab.mouse.move(box["x"] + box["width"] / 3, box["y"] + 0.6 * box["height"])
    tab.mouse.wheel(0, by)


@pytest.mark.parametrize(("page_name", "settings"), MAPS)
def test_the_wheel_scrolls_the_page_and_zooms_only_with_ctrl(
    page_name: str, settings: dict[str, Any], visit: Open
) -> None:
    tab = visit(page_name, **settings)
    reset = tab.get_by_role("button", name="Reset view").filter(visible=True).first
    within = ".st-key-word-vectors-live-map " if "word_vectors_steps" in settings else ""
    chart = tab.locator(f"{within}svg.marks").first
    chart.scroll_into_view_if_needed()
    before, start = ticks(chart), tab.evaluate(SCROLLED)
    turn_wheel(tab, chart, 60)
    assert looked_until(tab, lambda: tab.evaluate(SCROLLED), lambda top: top > start) > start, "the page goes on"
    assert ticks(chart) == before
    tab.keyboard.down("Control")
    turn_wheel(tab, chart, -400)
    tab.keyboard.up("Control")
    assert looked_until(tab, lambda: ticks(chart), lambda now: now != before) != before
    reset.click()
    assert looked_until(tab, lambda: ticks(chart), lambda now: now == before) == before


def test_a_saved_chart_brings_the_typeface_of_the_page(visit: Open, tmp_path: Path) -> None:
    tab = visit("word-vectors")
    drawn(tab)
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="as SVG").first.click()
    saved.value.save_as(tmp_path / "map.svg")
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert '@font-face{font-family:"Source Sans"' in text and "url(data:" in text
    assert "Source Sans" in text.partition("</style>")[2], "its words ask for it"
