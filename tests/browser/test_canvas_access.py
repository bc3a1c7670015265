"""The drawings for those who hear them, and for those whose system sets all colours."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import widget

APPS = "tests/browser/apps"
DRAWINGS = [
    ("matrices_demo", "n=3", ("product", "heads")),
    ("lines_demo", "tokens=3&heads=2", ("lines",)),
    ("lines_demo", "view=dictionary&tokens=3", ("dictionary",)),
    ("lines_demo", "view=chart", ("bars-save",)),
    ("tokens_demo", "", ("tokens", "chips", "candidates", "strip", "mask")),
    ("tokens_demo", "still=1", ("tokens", "candidates")),
]
LEAVES = {"button", "image", "application", "slider", "cell", "rowheader", "columnheader"}  # said by their names
Open = Callable[..., Page]


@pytest.fixture
def demo(page: Open, serve: Callable[[str], str]) -> Open:
    def show(app: str, query: str, **options: Any) -> Page:
        tab = page(f"{serve(f'{APPS}/{app}.py')}/?{query}", **options)
        expect(tab.locator(".canvas-root").last).not_to_be_empty()
        expect(tab.locator(".canvas-root:empty")).to_have_count(0)
        tab.wait_for_function("() => document.fonts.status === 'loaded'")
        return tab

    return show


def heard(tab: Page, key: str) -> list[dict[str, str]]:
    """What a screen reader says of a drawing, in order: role, name and description of each node that is not hidden."""
    devtools = tab.context.new_cdp_session(tab)
    element = devtools.send("Runtime.evaluate", {"expression": f"document.querySelector('.st-key-{key}')"})
    described = devtools.send("DOM.describeNode", {"objectId": element["result"]["objectId"]})
    nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
    devtools.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    root = next(node for node in nodes if node.get("backendDOMNodeId") == described["node"]["backendNodeId"])
    return list(_below(root, by_id))


def _below(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> Iterator[dict[str, str]]:
    said = {field: node.get(field, {}).get("value", "") for field in ("role", "name", "description")}
    if not node["ignored"]:
        yield said
    if said["role"] not in LEAVES | {"StaticText", "LabelText"}:
        for child in node.get("childIds", []):
            yield from _below(by_id[child], by_id)


@pytest.mark.parametrize(("app", "query", "keys"), DRAWINGS)
def test_nothing_is_said_twice(demo: Open, app: str, query: str, keys: tuple[str, ...]) -> None:
    tab = demo(app, query)
    for key in keys:
        check_said(heard(tab, key), key)


def check_said(nodes: list[dict[str, str]], key: str) -> None:
    said = [node for node in nodes if len(node["name"]) > 2 and node["role"] != "LabelText"]
    assert len(said) > 1, f"{key} says something"
    assert not [node for node in nodes if node["description"]], f"{key}: a description repeats or interrupts"
    for place, node in enumerate(said):
        for other in said[:place] + said[place + 1 :]:
            assert node["name"] != other["name"]
            if other["role"] != "button":  # "Save … as PNG" names what it saves
                assert len(node["name"]) < 8 or node["name"] not in other["name"], other


def test_each_picture_has_one_name_that_holds_its_title(demo: Open) -> None:
    tab = demo("matrices_demo", "n=3")
    applications = [node["name"] for node in heard(tab, "product") if node["role"] == "application"]
    assert applications == [
        "Q = X W_Q, 3 rows, 4 columns",
        "Kᵀ, 4 rows, 3 columns",
        "S = Q Kᵀ / √d_k, 3 rows, 3 columns",
    ]


def test_a_step_of_the_keyboard_is_said_by_the_live_line_alone(demo: Open) -> None:
    tab = demo("matrices_demo", "n=3")
    stage = widget(tab, "product").locator(".stage").first
    stage.press("ArrowRight")
    line = widget(tab, "product").locator(".spoken").first
    assert line.get_attribute("aria-live") == "polite" and "0:the" in line.inner_text()
    assert stage.get_attribute("aria-label") == "Q = X W_Q, 3 rows, 4 columns"


@pytest.mark.parametrize(
    ("query", "key", "told"),
    [("tokens=3", "lines", "below 0.01, hides"), ("view=dictionary&tokens=3", "dictionary", "T = 2.5")],
)
def test_a_slider_says_what_it_does_and_no_live_text_repeats_it(demo: Open, query: str, key: str, told: str) -> None:
    tab = demo("lines_demo", query)
    slider = widget(tab, key).locator("input[type=range]")
    slider.press("PageUp")
    assert (slider.get_attribute("aria-valuetext") or "").startswith(told)
    assert widget(tab, key).locator("output, [aria-live]").count() == 0
    expect(widget(tab, key).locator(".said")).to_have_attribute("aria-hidden", "true")


SYSTEM = """(name) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = name;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""
STYLE = "(element, name) => getComputedStyle(element)[name]"


@pytest.mark.parametrize("dark", [True, False])
def test_pictures_take_the_colours_of_the_system(demo: Open, dark: bool) -> None:
    tab = demo("tokens_demo", "", dark=dark, forced_colors="active")
    text = tab.evaluate(SYSTEM, "CanvasText")
    assert text != tab.evaluate(SYSTEM, "Canvas")
    tokens = widget(tab, "tokens").locator(".token")
    assert tokens.first.evaluate(STYLE, "color") == text
    grounds = [token.evaluate(STYLE, "backgroundColor") for token in tokens.all()]
    assert len(set(grounds)) == len(grounds), "each token keeps its shade"
    frames = [token.evaluate(STYLE, "borderTopColor") for token in tokens.all()]
    assert frames[1] == text and frames[0].endswith(", 0)"), "the chosen token is framed, another is not"
    widths = [bar.evaluate(STYLE, "backgroundColor") for bar in widget(tab, "candidates").locator(".after").all()]
    assert set(widths) == {"rgb(18, 136, 154)"}, "bars are seen"


def painted(tab: Page) -> np.ndarray:
    """The opaque pixels of the mask and its labels, (n, 3)."""
    script = "(c) => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
    data = widget(tab, "mask").locator("canvas.base").evaluate(script)
    pixels = np.array(data, np.uint8).reshape(-1, 4)
    return pixels[pixels[:, 3] == 255][:, :3]


def test_a_picture_follows_when_the_system_starts_to_set_all_colours(demo: Open) -> None:
    tab = demo("tokens_demo", "", dark=True)
    before = widget(tab, "mask").locator("canvas.base").evaluate("(c) => c.toDataURL()")
    assert not (painted(tab) == 255).all(axis=1).any(), "the page's own text is not quite white"
    tab.emulate_media(forced_colors="active")
    tab.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before",
        arg=[widget(tab, "mask").locator("canvas.base").element_handle(), before],
    )
    assert (painted(tab) == 255).all(axis=1).any(), "labels in the system's white"
