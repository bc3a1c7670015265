"""Small helpers for driving the app in Chromium, shared by tests and benchmarks."""

import shutil
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, TimeoutError, expect

from pages.canvas.runtime import modules

Found = TypeVar("Found")
TOUCH_MS = 15_000
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DRAWN = """(least) => {
  const roots = [...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  const kinds = "canvas.base, canvas[data-part=all], canvas[data-part=mix]";
  const canvases = roots.flatMap((root) => [...root.querySelectorAll(kinds)]);
  const painted = ({ width, height }, i) => {
    if (!width || !height) return false;
    const pixels = new Uint32Array(canvases[i].getContext("2d").getImageData(0, 0, width, height).data.buffer);
    return pixels.some((pixel) => pixel !== pixels[0]);
  };
  const empty = roots.some((root) => root.querySelector(".canvas-root:empty")); // its module is still on the way
  const kindsOfWords = ".bridge .word, .line .token, .map .term, .entries dt, .spot"; // drawings without a canvas
  const words = roots.filter((root) => root.querySelector(kindsOfWords));
  const pictures = canvases.length + words.length + document.querySelectorAll("svg.marks").length;
  return !empty && pictures >= least && canvases.every(painted);
}"""
OVERFLOW = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
  .map((element) => element.scrollWidth - element.clientWidth)"""
# The picture of cells around an element, as its drawing keeps it, and where one of its cells is.
STAGE_OF = f"""async (element) => {{
  const {{ stateOf }} = await import("/{modules.address("runtime/state.js")}");
  return stateOf(element.closest(".panel, .grid, .tile"));
}}"""
CELL_RECT = f"async (element, cell) => (await ({STAGE_OF})(element)).view.rect(cell)"
FRAMES = """async () => {
  for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
}"""
# Every run that was asked for has begun, the last one has ended, and what came of it is drawn: no grey bar stands where
# the script of a widget is still to come, and no chart or drawing is empty (then arriving.js hides what stands below).
# A run of a part of a page that is no longer there is asked for in vain: then nothing comes for long.
SETTLED = """([patience, complete]) => {
  const app = document.querySelector("[data-testid=stApp]");
  const { due, begun, running, since, calm } = window.traffic ?? { due: 0, begun: 0, running: false, calm: true };
  const answered = begun >= due || performance.now() - since > patience;
  const drawings = "[data-testid=stBidiComponentIsolated]:not([data-drawn])";
  const missing = `[data-testid=stSkeleton], [data-testid=stVegaLiteChart]:empty, ${drawings}`;
  const whole = !complete || !document.querySelector(missing);
  return app?.dataset.testScriptState === "notRunning" && answered && !running && calm && whole;
}"""
# Past the app's own `history.pushState`, which leaves the address of the same page to itself.
GO = """(url) => {
  History.prototype.pushState.call(history, {}, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
PATIENCE = 4_000  # milliseconds
WIDTHS = (1280, 768, 360)
FOLDED = ("attention", "layer", "head")  # settings behind the button “More”
# Milliseconds; to look in every frame makes the browser draw frames that nobody needs.
OFTEN, SOON = 100, 15
WAIT = 45_000  # milliseconds, at the most, for what is to come: a busy machine is no failure
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The Chromium of this machine, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def address(base: str, page: str = "", **params: object) -> str:
    """The URL of a page with these settings; hyphens in their keys are written as underscores."""
    named = {key.replace("_", "-"): value for key, value in params.items()}
    return f"{base}/{page}?{urlencode(named, doseq=True)}"


def tap(target: Locator) -> None:
    """Touch an element; once more where the browser has not confirmed the touch, which happens in rare runs."""
    try:
        target.tap(timeout=TOUCH_MS)
    except TimeoutError as error:
        if "performing tap action" not in str(error) or target.is_visible():
            target.tap()


def settled(tab: Page, complete: bool = True) -> None:
    """Wait until the app's script has run and nothing is left to run.

    It may be called right after a click, where the tab is one of `tabs.py`.

    complete: whether all that came of it has to be drawn, too.
    """
    tab.wait_for_function(SETTLED, arg=[PATIENCE, complete], polling=SOON, timeout=60_000)


def go_to(tab: Page, url: str) -> None:
    """Go on to another address of the app, as Back and Forward do: the visit goes on, and no script is loaded again,
    which is more than half of the work of opening a page."""
    tab.evaluate(GO, url)
    settled(tab)


def widget(tab: Page, key: str) -> Locator:
    """The widget of the setting with this key, hyphens as underscores."""
    return tab.locator(f".st-key-{key.replace('_', '-')}")


def open_more(tab: Page, key: str) -> Locator:
    """The widget of a setting; the button that it is folded behind is pressed where the widget is not there."""
    found, behind = widget(tab, key), "Text of the decoder" if key == "tt" else "More"
    opener = tab.locator(f":is(.st-key-target, .st-key-fold) button:has(p:text-is('{behind}'))")
    expect(found.or_(opener).first).to_be_attached()
    if not found.count():
        settled(tab)
        opener.click()
    return found


def pill(tab: Page, key: str, label: str) -> Locator:
    """One pill of a setting."""
    if key in FOLDED:
        open_more(tab, key)
    return widget(tab, key).get_by_role("radio", name=label, exact=True)


def open_box(tab: Page, key: str) -> Locator:
    """The text or number box of a setting; what it is folded in, or the drawer, is opened."""
    box, drawer = open_more(tab, key).locator("input"), tab.get_by_test_id("stExpandSidebarButton")
    expect(box.or_(drawer).filter(visible=True).first).to_be_visible()
    if not box.is_visible():
        drawer.click()
    return box


def enter(tab: Page, key: str, value: object) -> None:
    """Write into a text or number box, and press Enter."""
    box = open_box(tab, key)
    box.fill(str(value))
    box.press("Enter")


def location(tab: Page) -> str:
    """The address bar; Playwright's own `page.url` lags behind Streamlit's changes of it."""
    return str(tab.evaluate("() => location.href"))


def query(tab: Page) -> dict[str, str]:
    """What the address says."""
    return {key: values[-1] for key, values in parse_qs(urlsplit(location(tab)).query).items()}


def looked_until(tab: Page, look: Callable[[], Found], good: Callable[[Found], Any]) -> Found:
    """What one sees, as soon as it is as it should be; where that does not come, what one sees after WAIT."""
    end = time.monotonic() + WAIT / 1000
    while not good(found := look()) and time.monotonic() < end:
        tab.wait_for_timeout(OFTEN)
    return found


def in_address(tab: Page, *words: str) -> None:
    """Wait until the address has all of these words in it."""
    every = "(words) => words.every((each) => decodeURIComponent(location.href).includes(each))"
    tab.wait_for_function(every, arg=words, polling=OFTEN)


def drawn(tab: Page) -> None:
    """Wait until the page has a picture and no picture on it is blank."""
    tab.wait_for_function(DRAWN, arg=1, polling=OFTEN)


def stage(tab: Page, key: str, place: int = 0) -> Locator:
    """A picture of cells: the `place`-th matrix of the canvas with this key."""
    return widget(tab, key).locator(".stage").nth(place)


def click_cell(target: Locator, row: int, col: int) -> None:
    """Click in the middle of a cell."""
    x, y, width, height = target.evaluate(CELL_RECT, [row, col])
    target.click(position={"x": x + width / 2, "y": y + height / 2})


def hover_cell(target: Locator, row: int, col: int) -> None:
    """Point at the middle of a cell."""
    x, y, width, height = target.evaluate(CELL_RECT, [row, col])
    target.hover(position={"x": x + width / 2, "y": y + height / 2})


def fits_within(tab: Page, width: int) -> None:
    """Make the window this wide, wait until its pictures are drawn, and fail if anything stays wider than it."""
    tab.set_viewport_size({"width": width, "height": 900})
    tab.evaluate(FRAMES)  # in which what looks at its own width draws itself anew
    tab.wait_for_function(DRAWN, arg=0, polling=OFTEN)
    tab.wait_for_function(f"() => Math.max(...({OVERFLOW})()) <= 0", polling=OFTEN)


def stands_at_every_width(tab: Page) -> None:
    """Fail if the page is too wide for a laptop, a tablet or a phone, or holds an exception or a stranger's picture."""
    narrow = (tab.viewport_size or {"width": WIDTHS[0]})["width"] == WIDTHS[-1]
    for width in reversed(WIDTHS) if narrow else WIDTHS:  # from where it is, for each new width draws all pictures
        fits_within(tab, width)
    assert tab.get_by_test_id("stException").count() == 0
    assert tab.locator("img[src*='example.com'], img[src='x']").count() == 0
