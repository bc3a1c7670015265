"""Every page stands whatever a visitor types, sends or writes into its address, one change after the other.

Each change is a case: 20 for each page in every run. The nightly mode draws 2,000 for each page, other ones each time:

    python -m pytest tests/fuzz --hypothesis-profile=nightly

It goes on where it was stopped, page by page; with --cache-clear it begins anew. `pytest --cache-show "fuzz/*"` shows
how many cases each page has stood.
"""

from contextlib import nullcontext, suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.errors import FlakyStrategyDefinition

from pages.shell.page import Page
from tests.fuzz.mode import CHANGES, DRAWS, NIGHTLY, VISITS
from tests.fuzz.visits import Visit, telling
from tests.pages.house import PAGES


@pytest.mark.timeout(0 if NIGHTLY else 300)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_a_page_stands_whatever_is_done_to_it(
    page: Page, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    cache, place = request.config.cache, f"fuzz/{page.address}"
    if NIGHTLY and cache and cache.get(place, 0):
        pytest.skip(f"has stood {cache.get(place, 0):,} cases")
    cases = 0

    @DRAWS
    @given(st.data())
    def visits(data: st.DataObject) -> None:
        nonlocal cases
        visit = Visit(page, data.draw)
        monkeypatch.setattr("pages.shell.layout.error_boundary", partial(telling, visit.mistakes))
        visit.open()
        cases += 1
        for _ in range(CHANGES - 1):
            visit.change()
            cases += 1

    changed_course = suppress(FlakyStrategyDefinition) if NIGHTLY else nullcontext()
    while cases < (VISITS * CHANGES if NIGHTLY else 1):
        with changed_course:  # what a page offers depends on what is cached by then, and then hypothesis begins anew
            visits()
    if NIGHTLY and cache:
        cache.set(place, cases)
