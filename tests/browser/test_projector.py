"""What a projector shows of a page while it is presented, at three sizes, and the contrast of its words; every page is
tried in `test_first_screen.py`."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import found_by_axe
from tests.browser.driver import FRAMES, drawn, looked_until
from tests.browser.test_present import on_page, presented, press
from tests.browser.text_sizes import RECORD, small_texts

LETTERS = (1280, 720)  # where the size of letters is looked at
SIZES = [LETTERS, (1024, 768), (1920, 1080)]
# As a picture is after it was too high for a while. Its letters keep their least size, so it is too high there, too.
SMALLEST = """() => {
  const { style } = document.querySelector(".st-key-main-picture");
  style.zoom = "0.3";
  style.setProperty("--fitted-zoom", "0.3");
}"""
# What of the sentence, the first row of controls and the main picture is not on the screen as a whole.
OUTSIDE = """() => {
  const parts = { ".st-key-sentence": 1, ".st-key-look-at, .st-key-controls-view": 0, ".st-key-main-picture": 1 };
  return Object.entries(parts).flatMap(([kind, least]) => {
    const seen = [...document.querySelectorAll(kind)].filter((each) => each.getBoundingClientRect().height > 8);
    if (!seen.length) return least ? [`${kind}: not there`] : [];
    const drawings = [...seen[0].querySelectorAll("*")].filter((each) => each.shadowRoot || each.matches("svg.marks"));
    const drawn = drawings.reduce((sum, each) => sum + each.getBoundingClientRect().height, 0);
    if (kind.includes("picture") && drawn < 60) return [`no drawing: ${drawn} pixels`];
    for (const chart of seen[0].querySelectorAll("svg.marks")) {
      const place = chart.closest("[data-testid=stElementContainer]").getBoundingClientRect();
      const box = chart.getBoundingClientRect();
      const titles = [...chart.querySelectorAll(".role-title text")].map((title) => title.getBoundingClientRect());
      if (Math.abs(box.width / place.width - 1) > 0.05) return ["a chart is not as wide as its place"];
      if (titles.some((title) => title.top < box.top - 10)) return ["the title of a chart is outside it"];
    }
    const { top, bottom, left, right } = seen[0].getBoundingClientRect();
    const within = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth + 1;
    return within ? [] : [`${kind}: ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight}`];
  });
}"""


def faults_on_projector(tab: Page) -> list[str]:
    """What is wrong with a page that is presented, one line each."""
    tab.evaluate(RECORD)  # each picture is drawn anew once it is fitted
    drawn(tab)
    problems = []
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        tab.evaluate(FRAMES)  # in which the picture is fitted to it
        outside = looked_until(tab, lambda: tab.evaluate(OUTSIDE), lambda found: not found)
        problems += [f"{width} × {height}: {each}" for each in outside]
        if (width, height) == LETTERS:
            problems += looked_until(tab, lambda: small_texts(tab), lambda found: not found)
    return problems + found_by_axe(tab, "color-contrast")


def test_a_clicker_goes_from_stage_to_stage_of_the_journey(visit: Callable[..., Page]) -> None:
    tab = presented(visit("journey", height=720))
    stages = tab.locator(".st-key-journey-cards h5")
    expect(stages).to_have_count(8)
    for number in (*range(8), 6):
        expect(stages.filter(visible=True)).to_contain_text(f"{number + 1} · ")
        assert looked_until(tab, lambda: tab.evaluate(OUTSIDE), lambda found: not found) == []
        press(tab, "PageDown" if number < 7 else "PageUp")
    tab.locator(".keys .on").click()
    on_page(tab, "tokens")


def test_a_picture_that_was_too_high_for_a_moment_comes_back_from_the_smallest_zoom(visit: Callable[..., Page]) -> None:
    tab = presented(visit("lab"))
    tab.set_viewport_size({"width": 1024, "height": 768})
    tab.evaluate(SMALLEST)
    assert looked_until(tab, lambda: tab.evaluate(OUTSIDE), lambda found: not found) == []
    assert float(tab.locator(".st-key-main-picture").evaluate("(picture) => picture.style.zoom")) > 0.4


def test_a_chart_too_high_for_the_screen_keeps_letters_that_can_be_read(visit: Callable[..., Page]) -> None:
    tab = presented(visit("word-vectors", word_vectors_view="bias", height=720))
    words = tab.locator("svg.marks text", has_text="captain")
    size = "(word) => parseFloat(getComputedStyle(word).fontSize) * word.currentCSSZoom"
    fitted = looked_until(tab, lambda: float(words.evaluate(size)), lambda found: found < 12)
    assert 11 <= fitted < 12, "as small as it may be, and no smaller"


def test_a_player_is_no_larger_where_its_picture_is_made_smaller(visit: Callable[..., Page]) -> None:
    tab = presented(visit("tokens", tokens_view="how BPE got there", height=720))
    picture, button = tab.locator(".st-key-main-picture"), tab.locator(".st-key-tokens-player-play button")
    zoom = "(each) => each.currentCSSZoom"
    assert looked_until(tab, lambda: float(picture.evaluate(zoom)), lambda found: found < 0.9) < 0.9
    assert float(button.evaluate(zoom)) == pytest.approx(1, abs=0.02)


def test_play_again_is_not_cut(visit: Callable[..., Page]) -> None:
    tab = presented(visit("sequence-to-sequence", height=720))
    words = tab.get_by_role("button", name="Play again").locator("p")
    assert words.evaluate("(each) => each.scrollWidth <= each.clientWidth")
