"""Questions on a page without Streamlit, as on a phone in a class."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pages.canvas.runtime import modules
from tests.browser.test_first_screen import found_by_axe

APP = "tests/browser/apps/answers_demo.py"
PLAIN = """<!doctype html><html lang="en"><title>A plain page</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="{answers}"><link rel="stylesheet" href="plain.css">
<main><h1>A question</h1><div id="here"></div></main></html>"""
COLOURS = """:root { --st-text-color: #111; --st-background-color: #fff; --st-secondary-background-color: #eee;
  --st-border-color: #bbb; --st-primary-color: #06a; --st-font: sans-serif; }"""
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'"
MOUNT = """async ([file, spec]) => {
  const { mount } = await import(file);
  const log = (event) => window.sent.push("refused: " + event.violatedDirective);
  [window.sent, window.show] = [[], (spec) => mount(here, spec, (answer) => window.sent.push(answer))];
  document.addEventListener("securitypolicyviolation", log);
  window.show(spec);
}"""
Plain = Callable[[dict[str, Any]], Page]


@pytest.fixture
def plain(chromium: Browser, serve: Callable[[str], str]) -> Iterator[Plain]:
    """A page without Streamlit, under a strict policy, that asks a question; `show(spec)` there draws it again."""
    home, context = serve(APP), chromium.new_context(viewport={"width": 360, "height": 640})
    tab, errors = context.new_page(), list[str]()
    tab.on("pageerror", lambda error: errors.append(str(error)))

    def show(spec: dict[str, Any]) -> Page:
        page = PLAIN.format(answers=modules.address("answers/answers.css"))
        policy = {"Content-Security-Policy": POLICY}
        tab.route("**/plain", lambda route: route.fulfill(body=page, content_type="text/html", headers=policy))
        tab.route("**/plain.css", lambda route: route.fulfill(body=COLOURS, content_type="text/css"))
        tab.goto(f"{home}/plain")
        tab.evaluate(MOUNT, [f"{home}/{modules.address('answers/form.js')}", spec])
        return tab

    yield show
    context.close()
    assert errors == []


HOSTILE = ["<img src=x onerror=alert(1)>", "\u202e\u05e7\u05d8\u05d4", " ", "", "w" * 200, "the"]
SPECS: list[tuple[dict[str, Any], Any]] = [
    ({"kind": "choice", "options": [{"name": name, "text": name} for name in HOSTILE[:2]]}, HOSTILE[1]),
    ({"kind": "token", "labels": HOSTILE}, 4),
    ({"kind": "cell", "labels": HOSTILE, "rows": HOSTILE}, [4, 4]),
    ({"kind": "row", "labels": HOSTILE}, [0, 0, 0, 1, 0.5, 0]),
    ({"kind": "order", "labels": HOSTILE}, [5, 4, 3, 2, 1, 0]),
    ({"kind": "number", "unit": "<b>bits</b>"}, -0.5),
    ({"kind": "formula", "formula": "<b>(___)", "options": [{"name": "w", "text": "w" * 200}]}, ["w"]),
]


@pytest.mark.parametrize(("spec", "value"), SPECS, ids=[spec["kind"] for spec, _ in SPECS])
def test_any_page_can_ask_and_text_is_only_text(plain: Plain, spec: dict[str, Any], value: Any) -> None:
    tab = plain({**spec, "question": HOSTILE[0], "value": value})
    assert tab.locator(".answer-form :is(img, b)").count() == 0
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= 360
    tab.get_by_role("button", name="Answer", exact=True).click()
    assert tab.evaluate("() => window.sent") == [[0, 0, 0, 100, 50, 0] if spec["kind"] == "row" else value]


def test_a_plain_page_shows_a_changed_answer_only_where_none_is_half_made(plain: Plain) -> None:
    spec = {"kind": "number", "question": "How many?", "send": "Send"}
    tab = plain(spec)
    box = tab.get_by_role("textbox")

    def show(**changes: Any) -> Locator:
        tab.evaluate("(spec) => window.show(spec)", spec | changes)
        return box

    expect(show(value=3)).to_have_value("3")
    box.fill("4")
    expect(show(value=3, send="Change")).to_have_value("4")
    expect(show(value=5)).to_have_value("4")
    box.press("Enter")
    expect(show(value=4)).to_have_value("4")
    expect(show(value=None)).to_have_value("")
    box.fill("6")
    expect(show(locked=True, value=4)).to_have_value("4")
    expect(show(value=4)).to_be_enabled()
    expect(show(question="And now?", value=None)).to_have_value("")
    assert tab.evaluate("() => window.sent") == [4]
    assert tab.evaluate("() => here.children.length") == 1


def test_a_plain_page_is_clean_for_axe(plain: Plain) -> None:
    for spec, value in SPECS:
        tab = plain({**spec, "question": "Why?", "value": value})
        assert found_by_axe(tab) == []
