"""Other people's models in a real browser: every page opens and draws, or says why it has nothing to draw; each family
on several pages."""

from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.checkpoints.real.places import PLACE_VARIABLE
from tests.browser.driver import STAGE_OF, address, drawn, go_to, looked_until, settled, stage, widget
from tests.browser.server import serving
from tests.core.checkpoints.real.real_place import fill_place, write_deep
from tests.pages.house import PAGES

FAMILIES = {
    "encoder": cycle(("bert", "distilbert")),
    "decoder": cycle(("gpt2", "llama", "mistral", "qwen2", "qwen3", "granite_swa", "gpt_neox")),
    "encoder-decoder": cycle(("marian", "t5")),
}
SHOWING = [
    (page.address, [next(FAMILIES[kind]) for kind in page.architectures])
    for page in PAGES
    if page.uses_model and not page.reference
]

# Scrolls no further than to see this cell, on a phone with the grid's box at the top; gives the cell's middle.
TO_CELL = f"""async (stage, cell) => {{
  const [box, main] = [stage.parentElement, document.querySelector("[data-testid=stMain]")];
  const zoom = stage.getBoundingClientRect().width / stage.offsetWidth;
  const [x, y, wide, high] = (await ({STAGE_OF})(stage)).view.rect(cell).map((each) => each * zoom);
  if (y + high > box.scrollTop + box.clientHeight || y < box.scrollTop) box.scrollTop = y - box.clientHeight / 2;
  if (innerWidth < 640) main.scrollTop += box.getBoundingClientRect().top - 70;
  const below = stage.getBoundingClientRect().top + y + high + 10 - innerHeight;
  if (below > 0) main.scrollTop += below;
  const {{ left, top }} = stage.getBoundingClientRect();
  return [left + x + wide / 2, top + y + high / 2];
}}"""
WHY_NOT = {"sentiment": "This encoder has no layer that chooses a class"}  # what a page says that has nothing to show


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, foreign: Path) -> Iterator[str]:
    """The app beside a place with a model of each family, and "deep" of 32 layers and 32 heads."""
    place = fill_place(tmp_path_factory.mktemp("place"))
    write_deep(place / "deep")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(PLACE_VARIABLE, str(place))
        with serving("app.py", tmp_path_factory.mktemp("server") / "real.log", foreign=foreign) as url:
            yield url


def test_every_page_draws_real_models(page: Callable[..., Page], url: str) -> None:
    """In one visit, for a worker that begins such a test makes all models anew."""
    name, (family, *_) = SHOWING[0]
    tab = page(address(url, name, model=f"real:{family}"))
    for name, families in SHOWING:
        for family in families:
            go_to(tab, address(url, name, model=f"real:{family}"))
            check_page(tab, name, family)


def check_page(tab: Page, name: str, family: str) -> None:
    if name in WHY_NOT:
        expect(tab.get_by_text(WHY_NOT[name])).to_be_visible()
    else:
        drawn(tab)
    title = "somebody/gpt2" if family == "gpt2" else family
    expect(widget(tab, "model-card"), name).to_contain_text(title)
    expect(tab.get_by_test_id("stException"), name).to_have_count(0)
    expect(tab.get_by_test_id("stAlertContentError"), name).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "height", "least", "presents"),
    [(1440, 900, 330, False), (1280, 720, 300, True), (390, 844, 200, False)],
    ids=["laptop", "projector", "phone"],
)
def test_a_head_that_is_picked_in_a_deep_model_is_in_sight(
    page: Callable[..., Page], url: str, width: int, height: int, least: int, presents: bool
) -> None:
    """At least so many pixels of its picture, beside the grid or below what is seen of it."""
    tab = page(address(url, "heads", model="real:deep", layer=1, head=1), width=width, height=height)
    drawn(tab)
    if presents:
        widget(tab, "present").locator("label").first.click()
        settled(tab)
        assert looked_until(tab, lambda: bottom_of(widget(tab, "main-picture")), lambda y: y <= height) <= height
        assert looked_until(tab, lambda: stays_fitted(tab), bool)  # or a click meets another cell
    grid, large = stage(tab, "heads-grid"), widget(tab, "heads-matrix")
    for layer, head in ((31, 3), (2, 9)):
        tab.mouse.click(*grid.evaluate(TO_CELL, [layer, head]))
        expect(large.locator(".title").first).to_contain_text(f"Layer {layer + 1} · head {head + 1}")
        seen = looked_until(tab, lambda: height - top_of(large), lambda pixels: pixels >= least)
        assert least <= seen < height, (layer, seen)


def stays_fitted(tab: Page) -> bool:
    """Whether Present has ended fitting the picture, step by step, to the screen."""
    zoom = "() => document.querySelector('.st-key-main-picture').style.zoom"
    before = tab.evaluate(zoom)
    tab.wait_for_timeout(600)
    return bool(tab.evaluate(zoom) == before)


def top_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"]


def bottom_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box
    return box["y"] + box["height"]
