"""The client of the load benchmark sees what a browser sees."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page

from tests.benchmarks.load.visit import Visit
from tests.browser.driver import OFTEN, address, location, pill, settled
from tests.browser.test_links import choose_page

WORDS = """() => [...document.querySelectorAll("[data-testid=stMain] [data-testid=stMarkdown]")].map((element) => {
  const copy = element.cloneNode(true);
  copy.querySelectorAll(".katex, style").forEach((part) => part.remove());
  return copy.textContent;
})"""
MARKUP = re.compile(r":material/(?=\w+:)|\]\([^)]*\)|\$[^$]+\$|&\w+;")  # an icon is drawn as its name


def letters(text: str) -> str:
    """A text without its markup, its spaces and its signs."""
    return "".join(filter(str.isalnum, MARKUP.sub("", text)))


def drawn_words(tab: Page, expected: list[str]) -> list[str]:
    """What the browser shows: as soon as that is what is expected, and at the latest after 45 seconds."""
    end, words = time.monotonic() + 45, list[str]()
    while words != expected and time.monotonic() < end:
        settled(tab)
        words = [letters(text) for text in tab.evaluate(WORDS)]
        if words != expected:
            tab.wait_for_timeout(OFTEN)
    return words


def sent_words(visit: Visit) -> list[str]:
    return [letters(each.proto.body) for each in visit.screen.shown() if each.kind == "markdown" and each.root == 0]


async def clicks(url: str) -> list[list[str]]:
    """What the client has at each step: an address, another head, another page."""
    visit = Visit(url)
    seen = []

    async def step(answer: Awaitable[object]) -> None:
        await answer
        seen.append(sent_words(visit))

    await visit.open("heads", "t=A+dog+ran&d=60")
    text = next(each for each in visit.controls() if each.proto.id.endswith("-t"))
    await step(visit.change(text, "The cat sat"))
    assert (visit.page, visit.query["t"]) == ("heads", ["The cat sat"])  # a change in the frame leads to no other page
    head = next(each for each in visit.controls() if each.proto.id.endswith("-head"))
    await step(visit.change(head, ["2"]))
    await step(visit.go("scaling"))
    assert (visit.page, visit.query["head"], visit.query["d"]) == ("scaling", ["2"], ["60"])
    await visit.close()
    return seen


def test_the_client_reads_what_a_browser_shows(page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    url = serve("app.py")
    with ThreadPoolExecutor(1) as aside:  # Playwright has a loop of its own in this thread
        first, head, other = aside.submit(asyncio.run, clicks(url)).result()
    tab = page(address(url, "heads", t="The cat sat", d=60))
    assert drawn_words(tab, first) == first
    pill(tab, "head", "2").click()
    tab.wait_for_url("**/heads?*head=2*")
    assert drawn_words(tab, head) == head != first
    choose_page(tab, "Attention", "Scores and scaling")
    tab.wait_for_url("**/scaling?*")
    assert drawn_words(tab, other) == other
    assert "head=2" in location(tab)
