"""Colours of text in drawings, which no checker of pages sees: contrast 4.5 or more (WCAG 2.2) in either theme."""

import re
import tomllib

import pytest

from core.charts.style import QUIET_COLOUR
from tests.browser.server import ROOT
from tests.browser.test_canvas_modules import Call
from tests.browser.test_canvas_modules import call as call

THEMES = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
VARIABLES = {
    "textColor": "text",
    "backgroundColor": "background",
    "secondaryBackgroundColor": "secondary-background",
    "borderColor": "border",
}
READ = """
const root = document.documentElement;
for (const [name, colour] of Object.entries(given)) root.style.setProperty(`--st-${name}-color`, colour);
return m.readTheme(root);
"""
LEAST = 4.5


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_counted_as_the_guidelines_do() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_axes_and_legends_of_drawings_can_be_read(name: str, call: Call) -> None:
    theme = call("runtime/theme.js", READ, {new: THEMES[name][old] for old, new in VARIABLES.items()})
    inks = {"text": theme["text"], "muted": theme["muted"], **theme["ink"]}
    for ground in (theme["background"], theme["panel"]):
        found = {ink: round(contrast(colour, ground), 2) for ink, colour in inks.items()}
        assert min(found.values()) >= (LEAST if ground == theme["background"] else 4), (ground, found)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_axes_and_legends_of_charts_can_be_read(name: str) -> None:
    on_light, on_dark = re.findall(r"#[0-9A-F]{6}", QUIET_COLOUR["expr"])
    colour = on_light if name == "light" else on_dark
    for ground in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(colour, THEMES[name][ground]) >= LEAST
