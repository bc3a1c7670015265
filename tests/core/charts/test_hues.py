"""One hue for one meaning, in charts and in drawings."""

import re
from pathlib import Path

import pytest

from core.charts.head_paths import HUES
from core.charts.style import CHANCE, KEY, QUERY, SIZE, VALUE, WEIGHT, legend_columns

ROOT = Path(__file__).resolve().parents[3]
CANVAS = ROOT / "pages/canvas"
HUE = re.compile(r"#[0-9a-fA-F]{6}\b")
RESERVED = {"q": QUERY.lower(), "k": KEY.lower(), "v": VALUE.lower()}
# The only lines of charts, drawings and pages that may name the hues of queries, keys and values.
NAMED = {
    "core/charts/style.py": r"QUERY, KEY, VALUE = ",
    "pages/canvas/runtime/theme.js": r"const SIDES = \{ q: ",
    "pages/canvas/answers/answers.css": r"\.answer-form (thead|tbody) th \{ border-",  # keys and queries of a grid
    "pages/canvas/token_buttons/token_buttons.css": r"\.line\.[qkv] \{ --hue: ",
}
DRAWN = [
    path
    for room in ("core/charts", "pages")
    for path in (ROOT / room).rglob("*")
    if path.suffix in (".py", ".js", ".css")
]


def test_no_chart_writes_a_hue_with_a_meaning_by_hand() -> None:
    for path in sorted((ROOT / "core/charts").glob("*.py")):
        if path.name != "style.py":
            assert not {hue.lower() for hue in HUE.findall(path.read_text())} & {WEIGHT, CHANCE, SIZE}, path.name


def reserved_elsewhere(name: str, source: str) -> list[str]:
    """Return the lines of a file that name a reserved hue, also as rgb(), without being its named constant."""
    rgb = "|".join(r",?\s*".join(str(int(hue[n : n + 2], 16)) for n in (1, 3, 5)) for hue in RESERVED.values())
    hue = re.compile(rf"{'|'.join(RESERVED.values())}|rgba?\((?:{rgb})\b", re.IGNORECASE)
    lines = [line.strip() for line in source.splitlines() if hue.search(line)]
    return [line for line in lines if not re.match(NAMED.get(name, "(?!)"), line)]


def test_the_hues_of_queries_keys_and_values_are_used_for_nothing_else() -> None:
    found = {path: reserved_elsewhere(path.relative_to(ROOT).as_posix(), path.read_text()) for path in DRAWN}
    assert len(found) > 300 and {path: lines for path, lines in found.items() if lines} == {}
    assert HUES == {"queries": QUERY, "keys": KEY, "values": VALUE}
    others = (path for path in DRAWN if path.name not in ("style.py", "head_paths.py"))
    charts = (path for path in others if path.parent == ROOT / "core/charts")
    assert not [path for path in charts if re.search(r"\b(QUERY|KEY|VALUE)\b", path.read_text())]


def test_queries_keys_and_values_have_the_same_hues_in_charts_and_drawings() -> None:
    sides = re.search(r"const SIDES = \{(.*?)\}", (CANVAS / "runtime/theme.js").read_text())
    assert sides and dict(re.findall(r'([qkv]): "(#\w{6})"', sides[1].lower())) == RESERVED
    sheet = (CANVAS / "token_buttons/token_buttons.css").read_text().lower()
    assert dict(re.findall(r"\.line\.([qkv]) \{ --hue: (#\w{6})", sheet)) == RESERVED


@pytest.mark.parametrize("line", ['HUES = ("#0072B2",)', "fill: #e69f00;", "rgba(0, 158, 115, 0.3)", "rgb(0 114 178)"])
def test_a_reserved_hue_is_seen_in_any_writing(line: str) -> None:
    assert reserved_elsewhere("core/charts/x.py", line) == [line]
    assert reserved_elsewhere("pages/canvas/runtime/theme.js", line) == [line]


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
