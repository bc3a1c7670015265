"""The app in a real browser: every page and view, extremes and hostile text, controls, cells, files, keyboard."""

import codecs
import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from core.checkpoints.examples import examples_of
from core.topics.self_attention import one_head
from core.topics.self_attention.cells import cell
from core.topics.self_attention.records import HeadRecord
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.settings import TEXT
from tests.browser.driver import (
    click_cell,
    enter,
    location,
    looked_until,
    open_more,
    pill,
    query,
    settled,
    stage,
    widget,
)

SELF, HEADS = "self-attention", "heads"
# The keys round the focused element, and whether it, or what stands around it, looks otherwise without the focus.
FOCUSED = """async () => {
  const keys = [];
  for (let up = document.activeElement; up; up = up.parentElement)
    keys.push(...[...up.classList].filter((name) => name.startsWith("st-key-")).map((name) => name.slice(7)));
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const around = [at, ...at.children, at.parentElement, at.parentElement?.parentElement].filter(Boolean);
  const look = () => JSON.stringify(around.map((element) => getComputedStyle(element)).map((style) =>
    [style.outline, style.boxShadow, style.borderColor, style.backgroundColor, style.color]));
  const focused = look();
  at.blur();
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const changes = look() !== focused;
  at.focus();
  return [keys, changes];
}"""

Open = Callable[..., Page]


def record_at(url: str) -> HeadRecord:
    """The core's own record of the head that an address names, where kind, d, h, t, layer and head may be set."""
    params = {key: values[-1] for key, values in parse_qs(urlsplit(url).query).items()}
    numbers = {key: int(params[key]) for key in ("d", "h", "n", "seed") if key in params}
    words = {key: params[key] for key in ("kind", "pos") if key in params}
    run = make_run(DEFAULTS | numbers | words, params.get("t", TEXT.default), "")
    place = HeadAddress(run.config.stacks[0], int(params.get("layer", 1)) - 1, int(params.get("head", 1)) - 1)
    return one_head.head(*open_run(run), run, place)


def arithmetic(tab: Page) -> str:
    """What the step-by-step page writes about the chosen cell."""
    return tab.get_by_test_id("stCode").first.inner_text()


def expect_arithmetic(tab: Page, matrix: str, row: int, col: int) -> None:
    """Wait until the address names this cell and the page shows the core's arithmetic of it."""
    shown = tab.get_by_test_id("stCode").first
    expect(shown).to_have_text(cell(record_at(location(tab)), matrix, row, col).text, use_inner_text=True)
    params = parse_qs(urlsplit(location(tab)).query)
    shown_at = [params.get(f"self-attention-{axis}", ["0"]) for axis in ("row", "col")]
    assert shown_at == [[str(row)], [str(col)]]


def saved(tab: Page, click: Callable[[], None]) -> Path:
    with tab.expect_download() as download:
        click()
    return Path(download.value.path())


def test_typing_shows_at_once_and_an_example_replaces_it(visit: Open) -> None:
    tab = visit(SELF, self_attention_step="5 softmax", t="one two")
    shape = widget(tab, "step-picture").locator(".shape").last
    expect(shape).to_have_text("2 × 2")
    widget(tab, "t").locator("input").press("End")
    widget(tab, "t").locator("input").press_sequentially(" three four", delay=60)
    expect(shape).to_have_text("4 × 4")
    expect(widget(tab, "t").locator("input")).to_have_value("one two three four")
    tab.get_by_role("button", name="Examples").click()
    tab.get_by_role("button", name="again and again").click()
    example = examples_of("")["again and again"].text
    expect(widget(tab, "t").locator("input")).to_have_value(example)
    looked_until(tab, lambda: query(tab).get("t"), lambda text: text == example)
    length = len(record_at(location(tab)).queries)
    expect(shape).to_have_text(f"{length} × {length}")


def test_d_model_changes_the_shapes_in_the_formula(visit: Open) -> None:
    tab = visit(SELF, self_attention_step="1 project", t="one two")
    formula = tab.get_by_test_id("stMain").locator(".katex-mathml annotation").last
    expect(formula).to_contain_text(r"(2\times64)\cdot(64\times16)")
    enter(tab, "d", 32)
    expect(formula).to_contain_text(r"(2\times32)\cdot(32\times8)")


def test_a_click_and_the_keyboard_open_a_cell(visit: Open) -> None:
    tab = visit(SELF, self_attention_step="2 score", layer=2, head=3)
    picture = stage(tab, "step-picture", 2)
    click_cell(picture, 4, 1)
    tab.wait_for_function("() => location.search.includes('self-attention-row=4')")
    expect_arithmetic(tab, "raw S", 4, 1)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        picture.press(key)
    tab.wait_for_function("() => location.search.includes('self-attention-row=5')")
    expect_arithmetic(tab, "raw S", 5, 2)


def test_the_arithmetic_follows_text_and_model(visit: Open) -> None:
    tab = visit(SELF, self_attention_step="5 softmax", self_attention_row=2, self_attention_col=1, t="one two three")
    expect_arithmetic(tab, "A", 2, 1)
    enter(tab, "d", 32)
    tab.wait_for_function("() => location.search.includes('d=32')")
    expect_arithmetic(tab, "A", 2, 1)


def test_a_click_in_the_grid_chooses_layer_and_head(visit: Open) -> None:
    tab = visit(HEADS)
    click_cell(stage(tab, "heads-grid"), 2, 1)
    expect(pill(tab, "layer", "3")).to_have_attribute("aria-checked", "true")
    expect(pill(tab, "head", "2")).to_have_attribute("aria-checked", "true")
    expect(widget(tab, "heads-matrix").locator(".title").first).to_contain_text("Layer 3 · head 2")


def test_a_pinned_token_is_in_the_address(visit: Open) -> None:
    tab = visit(HEADS, heads_view="lines")
    widget(tab, "heads-lines").locator("[data-part=q] button").nth(3).click()
    tab.wait_for_function("() => location.search.includes('heads-pin=3')")
    open_more(tab, "heads_pin")
    expect(widget(tab, "heads_pin").locator("input")).to_have_value("3")


def test_the_temperature_is_turned_without_the_server_and_lands_in_the_address(visit: Open) -> None:
    tab = visit(SELF, self_attention_view="soft dictionary", self_attention_row=1)
    slider = widget(tab, "dictionary").locator("input[type=range]")
    weights = widget(tab, "dictionary").locator("td.weight")
    tab.evaluate("""() => {
      const send = WebSocket.prototype.send;
      window.sent = 0;
      WebSocket.prototype.send = function (...parts) { window.sent += 1; return send.apply(this, parts); };
    }""")
    slider.evaluate("(input) => { input.value = 50; input.dispatchEvent(new Event('input')); }")
    scores = record_at(location(tab)).scores[1] / 10**0.5
    expected = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    shown = weights.evaluate_all("(cells) => cells.map((cell) => Number(cell.dataset.weight))")
    np.testing.assert_allclose(shown, expected, atol=1e-5)
    tab.wait_for_timeout(300)
    assert tab.evaluate("() => window.sent") == 0
    slider.evaluate("(input) => input.dispatchEvent(new Event('change'))")
    tab.wait_for_function("() => location.href.includes('self-attention-temperature=3.162')")
    again = visit(SELF, self_attention_view="soft dictionary", self_attention_row=1, self_attention_temperature=3.162)
    expect(widget(again, "dictionary").locator("input[type=range]")).to_have_value("50")


@pytest.mark.parametrize(
    ("path", "picture", "table"),
    [
        ("", "journey-4", "journey-stages"),
        (SELF, "step-picture", "self-attention-six-steps"),
        (HEADS, "heads-matrix", "heads-all-heads"),
    ],
)
def test_files_are_real_and_hold_the_numbers(path: str, picture: str, table: str, visit: Open) -> None:
    tab = visit(path, self_attention_step="5 softmax", t="one two three")
    expected = record_at(location(tab))
    png = saved(tab, widget(tab, picture).locator(".save-png").click).read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n") and min(struct.unpack(">II", png[16:24])) > 100
    svg = saved(tab, widget(tab, picture).locator(".save-svg").click).read_text(encoding="utf-8")
    texts = [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    if path:
        assert all(any(label in text for text in texts) for label in expected.queries.labels)
    csv = saved(tab, widget(tab, f"{table}-csv").get_by_role("button").click)
    assert csv.read_bytes().startswith(codecs.BOM_UTF8)  # by which Excel knows UTF-8
    frame = pd.read_csv(csv, index_col=0)
    np.testing.assert_allclose(frame.to_numpy(), expected.pattern, rtol=1e-5)
    assert list(frame.index) == list(expected.queries.labels)


def test_every_control_is_reached_by_tab_and_seen(visit: Open) -> None:
    tab = visit(SELF)
    tab.get_by_test_id("stExpandSidebarButton").click()
    settled(tab)
    tab.locator("body").press("Home")
    tab.add_style_tag(content="* { transition: none !important; }")
    own = {f"self-attention-{name}" for name in ("view", "step", "row", "six-steps-csv")}
    wanted = {"t", "d", "h", "pos", "step-picture"} | own
    reached: set[str] = set()
    for _ in range(100):
        tab.keyboard.press("Tab")
        keys, changes = tab.evaluate(FOCUSED)
        found = wanted & set(keys)
        assert changes or not found, f"nothing shows that {found} has the focus"
        reached |= found
        if reached == wanted:
            break
    assert reached == wanted
