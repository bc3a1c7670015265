"""Tags, handlers and links that someone types into the text boxes of a page stay text, in a real browser.

The text above every page is tried in `test_views.py`.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from pages.words.word_vectors.settings import OWN_WORDS
from tests.browser.driver import address, go_to, settled, widget
from tests.pages.house import PAGES

MARK = "zqx9"  # what each tag would make or call
TYPED = f"<script>{MARK}()</script> cat <img src=x onerror={MARK}()> <b id={MARK}>x</b> [a](javascript:{MARK}())"
# The views with text boxes of their own: what has to be set for these to be there, and the boxes, less the page's name.
BOXES: tuple[tuple[str, dict[str, str], tuple[str, ...]], ...] = (
    ("word-vectors", {"view": "map", "set": OWN_WORDS}, ("words",)),
    ("word-vectors", {"view": "neighbours"}, ("word",)),
    ("word-vectors", {"view": "analogies"}, ("a", "b", "c")),
    ("word-vectors", {"view": "similarity"}, ("compared",)),
    ("word-vectors", {"view": "bias"}, ("from", "to", "leaning")),
    ("word-vectors", {"view": "train one", "source": "my own"}, ("text",)),
    ("words-in-context", {"view": "layer by layer"}, ("first", "second", "third", "word")),
    ("masks", {"view": "leak test"}, ("word", "painting")),
    ("masks", {"view": "padding in a batch"}, ("second",)),
    ("block", {"view": "patch"}, ("other",)),
    ("generate", {"view": "next word"}, ("branches",)),
    ("sequence-to-sequence", {"view": "the bottleneck"}, ("other",)),
    ("sentiment", {"view": "why", "word": "1"}, ("put",)),
    ("glossary", {"view": "A to Z"}, ("find",)),
)
OWN_BOXES = [page for page in PAGES if page.address in {name for name, *_ in BOXES}]
BEHIND = {"masks-painting": "Paste a painting", "generate-branches": "More"}  # the buttons that show these boxes
# What a text has made, in the page and in every drawing: elements of its name, handlers, and links that run something.
# What it runs is an error of the page, for nothing has the name that it calls.
MADE = """(mark) => {
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? [])];
  const named = `[id="${mark}"], [onerror], [onload], a[href^="javascript:"], img[src="x"], [src*="${mark}"]`;
  const found = roots.flatMap((root) => [...root.querySelectorAll(named)]).map((element) => element.outerHTML);
  const scripts = roots.flatMap((root) => [...root.querySelectorAll("script")]);
  return [...found, ...scripts.map((script) => script.text).filter((text) => text.includes(mark))];
}"""
CONTROL = """(typed) => {
  const box = document.createElement("div");
  box.innerHTML = typed;
  document.body.append(box);
}"""


def screens(page: Topic) -> Iterator[tuple[str, dict[str, Any], tuple[str, ...]]]:
    """Each view of a page with text boxes of its own: its address, its parameters and these boxes. All texts are what
    was typed."""
    own = [(params, boxes) for name, params, boxes in BOXES if name == page.address]
    texts = dict.fromkeys(("t", "tt", *text_settings(page)), TYPED)
    for params, boxes in own:
        named = {f"{page.address}-{key}": value for key, value in params.items()}
        model = {"model": page.model} if page.model else {}
        yield page.address, {**model, **texts, **named}, tuple(f"{page.address}-{box}" for box in boxes)


def text_settings(page: Topic) -> list[str]:
    return [setting.key for setting in page.all_settings if setting.kind == "text"]


def test_every_text_box_is_tried() -> None:
    tried = {box for page in PAGES for _, _, boxes in screens(page) for box in boxes}
    assert tried == {key for each in PAGES for key in text_settings(each)}


@pytest.mark.parametrize("topic", OWN_BOXES, ids=lambda topic: topic.address)
def test_what_is_typed_into_any_box_stays_text(
    topic: Topic, page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    tab = None
    for path, params, boxes in screens(topic):
        url = address(serve("app.py"), path, **params)
        if tab is None:
            tab = page(url)
        else:
            go_to(tab, url)
        for box in boxes:
            if box in BEHIND:
                tab.get_by_test_id("stMain").get_by_role("button", name=BEHIND[box]).click()
            expect(widget(tab, box).locator("input")).to_have_value(re.compile("^<script>"))
        stays_text(tab)


def test_a_text_that_a_tokenizer_learns_stays_text(page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "tokens", tokens_view="train your own"))
    widget(tab, "tokens-pasted").locator("textarea").fill(TYPED)
    tab.get_by_role("button", name="Train", exact=True).click()
    stays_text(tab)
    tab.evaluate(CONTROL, f"<b id={MARK}></b><a href='javascript:{MARK}()'></a>")
    assert len(tab.evaluate(MADE, MARK)) == 2


def stays_text(tab: Page) -> None:
    """As soon as all is drawn, the text has made nothing, and no error has come."""
    settled(tab)
    expect(tab.locator(".canvas-root:empty")).to_have_count(0)
    assert tab.evaluate(MADE, MARK) == []
    assert tab.get_by_test_id("stException").count() == 0
