"""The conformance report has a row for every criterion, and names only tests that are there."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPORT = (ROOT / "docs" / "accessibility.md").read_text(encoding="utf-8")
# WCAG 2.2, https://www.w3.org/TR/WCAG22: of each guideline the criteria of either level; 4.1.1 was removed.
LEVELS = {
    "A": "1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 2.3.1 2.4.1 2.4.2 2.4.3 "
    "2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 3.3.7 4.1.2",
    "AA": "1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 2.4.7 2.4.11 2.5.7 2.5.8 "
    "3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3",
}
RESULTS = ("Supports", "Partially supports", "Does not support", "Not applicable")
ROW = re.compile(r"^\| (\d\.\d\.\d+) [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows(level: str) -> list[tuple[str, str, str, str]]:
    """Number, result, remarks and tests of each criterion in the table of a level."""
    return ROW.findall(REPORT.split(f"\n## Level {level}\n")[1].split("\n## ")[0])


def test_every_criterion_has_a_row_in_its_level_and_in_order() -> None:
    for level, numbers in LEVELS.items():
        assert [number for number, *_ in rows(level)] == numbers.split()
    assert sum(len(numbers.split()) for numbers in LEVELS.values()) == 55


def test_every_test_that_is_named_is_there() -> None:
    named = set(NAMED.findall(REPORT))
    assert len(named) > 30
    for path, name in sorted(named):
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (path, name)


def test_a_result_is_one_of_four_and_what_no_test_shows_is_said_so() -> None:
    found = [row for level in LEVELS for row in rows(level)]
    for number, result, remarks, tests in found:
        assert result in RESULTS and len(remarks) > 6, number
        assert tests == "no test" or all(NAMED.fullmatch(each) for each in tests.split("<br>")), number
    untested = {number for number, _, _, tests in found if tests == "no test"}
    assert untested == {"1.3.3", "1.3.5", "2.3.1", "2.5.4", "3.2.4", "3.3.4"}


def test_the_counts_at_the_top_are_those_of_the_rows() -> None:
    counts = Counter(result for level in LEVELS for _, result, _, _ in rows(level))
    said = "55 criteria; {Supports} supported, {Partially supports} in part, {Not applicable} not applicable"
    assert said.format_map(counts) in REPORT and "Does not support" not in counts


def test_no_sound_and_no_film_is_played() -> None:
    plays = re.compile(r"<(?:audio|video)\b|new Audio\(|AudioContext|speechSynthesis|st\.(?:audio|video)\(")
    files = [path for path in (ROOT / "pages").rglob("*") if path.suffix in (".py", ".js", ".html")]
    assert len(files) > 100
    assert [str(path) for path in files if plays.search(path.read_text(encoding="utf-8"))] == []
