"""What the documentation says is kept of a visitor is what the app lists."""

from pathlib import Path

from core.sources.visitors import KEPT
from pages.classroom.registry import ROOM_SECONDS
from pages.classroom.teacher_cookie import PREFIX

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "data-protection.md").read_text(encoding="utf-8")
CONFIG = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_app() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and line.count("|") == 5][1:]
    assert rows == [f"| {each.what} | {each.where} | {each.until} | {each.seen_by} |" for each in KEPT]


def test_times_are_those_of_the_code() -> None:
    assert ROOM_SECONDS == 4 * 3600 and sum("four hours" in each.until for each in KEPT) == 4
    assert "disconnectedSessionTTL = 60\n" in CONFIG and "a minute after" in KEPT[1].until
    assert "gatherUsageStats = false\n" in CONFIG
    assert (PREFIX,) in [each.browser_names for each in KEPT]
