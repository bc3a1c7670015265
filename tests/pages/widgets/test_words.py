"""Words and tables: visitors' text stays text, and a table holds the numbers."""

import io

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.widgets.source import source
from pages.widgets.table import Listing, Table, csv
from pages.widgets.words import plain


@given(st.text())
def test_plain_text_makes_no_markdown(text: str) -> None:
    tokens = MarkdownIt("commonmark").parseInline(plain(text))
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= {"text", "text_special", "softbreak", "hardbreak"}


def test_plain_text_escapes_what_streamlit_adds_to_markdown() -> None:
    assert plain(":red[x] $x$ :smile:") == r"\:red\[x\] \$x\$ \:smile\:"


def test_the_csv_holds_every_number_exactly() -> None:
    values = np.random.default_rng(0).normal(size=(3, 2)).astype(np.float32)
    text = csv(Table("a", values, ["0:a", '1:"b,"', "2:c"], ["k0", "query"]).frame())
    back = pd.read_csv(io.StringIO(text))
    assert list(back["query"]) == ["0:a", '1:"b,"', "2:c"]
    np.testing.assert_array_equal(back.iloc[:, 1:].to_numpy(np.float32), values)


def test_a_label_that_a_spreadsheet_would_run_is_quoted() -> None:
    assert "'=1+1" in csv(Table("a", np.zeros((1, 1)), ["=1+1"], ["a"]).frame())
    assert "'@a" in csv(Table("a", np.zeros((1, 1)), ["b"], ["@a"]).frame())
    assert csv(Listing("a", {"text": ["-1+1", ""], "count": [-1, 2]}).frame()) == "text,count\n'-1+1,-1\n,2\n"


def test_the_table_keeps_a_column_that_is_named_like_the_corner() -> None:
    assert Table("a", np.ones((1, 1)), ["a"], ["query"]).frame().shape == (1, 2)


def test_the_code_shown_is_the_code_that_runs() -> None:
    shown = source("core.model.attention.attention")
    assert shown.startswith("# core/model/attention.py\ndef attention(")
