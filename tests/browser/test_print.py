"""A printed page has its pictures whole, upright and sideways."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.driver import address, drawn, settled

# What is cut while the page is laid out for paper: a picture that is wider or higher than its box, or leaves the sheet.
LOOK = """() => {
  const paper = matchMedia("print");
  paper.addEventListener("change", () => {
    if (!paper.matches) return;
    const roots = [...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
    const boxes = roots.flatMap((root) => [...root.querySelectorAll(".scroll")]);
    const sheet = document.documentElement.clientWidth;
    const pictures = [...roots.flatMap((root) => [...root.querySelectorAll("canvas.base, .bridge")]),
      ...document.querySelectorAll("svg.marks")];
    const cut = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1);
    window.printed = {
      sheet,
      pictures: pictures.length,
      cut: cut.map((box) => [box.scrollWidth, box.clientWidth, box.scrollHeight, box.clientHeight]),
      outside: pictures.map((each) => each.getBoundingClientRect().right).filter((right) => right > sheet + 1),
      zooms: boxes.map((box) => Number(getComputedStyle(box).zoom)),
    };
  });
}"""


@pytest.mark.parametrize("name", ["heads", "masks", "self-attention", "generate", "depth", "welcome"])
def test_no_picture_is_cut_on_a4(name: str, page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "" if name == "welcome" else name), width=1440)
    drawn(tab)
    settled(tab)
    tab.evaluate(LOOK)
    for sideways, width in ((False, 700), (True, 1000)):
        tab.pdf(format="A4", landscape=sideways, margin={"left": "1cm", "right": "1cm"})
        printed = tab.evaluate("() => window.printed")
        assert width < printed["sheet"] < 1.1 * width and printed["pictures"]
        assert not printed["cut"] and not printed["outside"], printed
        if name == "heads" and not sideways:
            assert min(printed["zooms"]) < 1, "eight heads beside the large one are wider than the sheet"
    on_screen = (
        "() => [...document.querySelectorAll('*')].flatMap((e) => [...e.shadowRoot?.querySelectorAll('.scroll') ?? []])"
    )
    assert all(not box for box in tab.evaluate(f"{on_screen}.map((box) => box.style.zoom)"))
