"""The page Sources: which file was made from what, and the books and packages by name."""

import pandas as pd
import pytest

from core.sources.packages import installed_packages
from core.sources.texts import DATA_SOURCES, books_read
from core.sources.visitors import KEPT
from core.topics.sources.charts import made_from_data
from core.topics.sources.readings import read_bound
from tests.pages.conftest import Open
from tests.pages.screen import said

FILE = "pages/reference/sources/page.py"


def test_each_source_is_named_with_its_people_and_what_it_asks(open_page: Open) -> None:
    words = said(open_page(FILE)).replace("\\", "")
    for source in DATA_SOURCES:
        assert source.people in words and source.licence in words and source.asks in words
        assert all(f"]({address})" in words for _, address in source.links)
    assert "made from Multi30k, which may not be used commercially" in words
    assert "rnn-attention, rnn-bottleneck" in words


def test_books_and_packages_are_listed(open_page: Open) -> None:
    books, packages = (open_page(FILE, sources_view=view).dataframe[0].value for view in ("books", "packages"))
    assert len(books) == len(books_read()) and "Alice" in " ".join(books["title"])
    assert len(packages) == len(installed_packages()) and list(packages["package"])[:2] == ["torch", "streamlit"]


def test_what_is_kept_of_a_visitor_is_all_there(open_page: Open) -> None:
    words = said(open_page(FILE, sources_view="your data")).replace("\\", "")
    for kept in KEPT:
        assert kept.what[1:] in words and kept.where in words and kept.until in words and kept.seen_by in words


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([], ("None of the 9 files was made from X.",)),
        (["a"], ("1 of 9 files was made from X, which may not be used commercially.", "Made from X: a.")),
        (
            ["a", "b", "c"],
            ("3 of 9 files were made from X, which may not be used commercially.", "Made from X: a, b and c."),
        ),
    ],
)
def test_the_files_that_are_not_for_business_are_counted(files: list[str], said: tuple[str, ...]) -> None:
    assert read_bound("X", files, 9) == said


def test_the_chart_has_a_mark_for_each_file_and_source() -> None:
    data = made_from_data({"one": ["a", "b"], "two": ["b"]}, {"a": "free", "b": "bound"})
    expected = pd.DataFrame(
        {
            "place": [0, 0, 1],
            "file": ["one", "one", "two"],
            "source": ["a", "b", "b"],
            "kind": ["free", "bound", "bound"],
        }
    )
    pd.testing.assert_frame_equal(data, expected, check_dtype=False)
