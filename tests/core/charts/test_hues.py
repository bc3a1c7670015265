"""One hue for one meaning, in charts and in drawings."""

import re
from pathlib import Path

import pytest

from core.charts.style import CHANCE, SIZE, WEIGHT, legend_columns

ROOT = Path(__file__).resolve().parents[3]
CANVAS = ROOT / "pages/canvas"
HUE = re.compile(r"#[0-9a-fA-F]{6}\b")


def test_no_chart_writes_a_hue_with_a_meaning_by_hand() -> None:
    for path in sorted((ROOT / "core/charts").glob("*.py")):
        if path.name != "style.py":
            assert not {hue.lower() for hue in HUE.findall(path.read_text())} & {WEIGHT, CHANCE, SIZE}, path.name


@pytest.mark.parametrize(
    ("rule", "hue"),
    [
        (r"\.line \{[^}]*--hue: (#\w+)", WEIGHT),
        (r"\.line\.chance \{ --hue: (#\w+)", CHANCE),
        (r"\.line\.size \{ --hue: (#\w+)", SIZE),
    ],
)
def test_tokens_are_shaded_in_the_hues_of_the_charts(rule: str, hue: str) -> None:
    found = re.search(rule, (CANVAS / "token_buttons/token_buttons.css").read_text())
    assert found and found[1] == hue


def test_candidates_and_lines_have_them_too() -> None:
    for sheet, hue in (("candidates", CHANCE), ("bridge", WEIGHT)):
        assert hue in HUE.findall((CANVAS / sheet / f"{sheet}.css").read_text())


def test_matrices_of_weights_and_of_other_sizes_differ_in_hue() -> None:
    table = (CANVAS / "runtime/colours.js").read_text()
    weight, size = (re.search(rf"const {name} = ramp\(ground, pick\(\[(.*?)\]", table) for name in ("weight", "size"))
    assert weight and size and WEIGHT in weight[1] and WEIGHT not in size[1]


def test_a_legend_has_fewer_columns_in_a_narrow_frame() -> None:
    said = "containerSize()[0] < 480 ? 2 : containerSize()[0] < 760 ? 3 : 5"
    assert legend_columns(5, (480, 2), (760, 3)).to_dict() == {"expr": said}
    assert legend_columns(4).to_dict() == {"expr": "4"}
