"""The page Sequence to sequence: its views, called as the layout calls them."""

from typing import Any

import numpy as np
import pytest

from core.explorer.sequence_to_sequence.records import ADDITIVE, LONGEST
from pages.canvas import Matrices, TokenButtons
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.page import PAGE
from pages.comparisons.sequence_to_sequence.settings import COUNT, OTHER, REDIRECTED, TOWARDS, WORD
from pages.shell import Shown
from pages.widgets import Columns, Listing, Setting, Values

SHORT = "Go!"


def shown(view: str, values: dict[Setting, Any], text: str = PAGE.text) -> Shown:
    found: Shown = PAGE.view(view).show(text, Values(values))
    return found


def translations(found: Shown) -> list[str]:
    assert isinstance(found.table, Listing)
    return [str(each) for each in found.table.columns["translation"]]


def test_it_opens_on_a_sentence_that_only_the_bottleneck_gets_wrong() -> None:
    found = shown("three translations", {})
    first, second, third = translations(found)
    assert second == third and "mère" in second and "mère" not in first
    assert "22 of its 22 words" in found.said[0]


def test_tokens_that_are_not_written_yet_are_pale_and_have_no_row() -> None:
    found = shown("three translations", {COUNT: 3})
    columns = found.pictures[1]
    assert isinstance(columns, Columns)
    written, (matrices,) = columns.columns
    rows = [part for part in written if isinstance(part, TokenButtons)]
    assert [[token.dim for token in row.tokens].index(True) for row in rows] == [3, 3, 3]
    assert isinstance(matrices, Matrices)
    assert [int(np.isfinite(panel.values).all(1).sum()) for panel in matrices.panels] == [3, 3]
    assert shown("three translations", {COUNT: 0}).pictures


def test_a_forced_token_of_the_page_is_another_translation() -> None:
    found = shown("force it", {REDIRECTED: 6, TOWARDS: 18})
    as_it_was, forced = translations(found)
    assert as_it_was == queries.passage(ADDITIVE, PAGE.text).text != forced


@pytest.mark.parametrize("view", [view.name for view in PAGE.views])
@pytest.mark.parametrize("text", [SHORT, "and " * 3 * LONGEST])
def test_views_stand_for_one_word_and_for_too_many(view: str, text: str) -> None:
    choices: tuple[dict[Setting, Any], ...] = ({}, {OTHER: "", WORD: LONGEST - 1})
    for values in choices:
        assert shown(view, values, text).pictures
