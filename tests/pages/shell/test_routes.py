"""The ways through the pages: their pages, where a page stands on them, and how they end."""

from itertools import pairwise
from typing import Any

import pytest

from app import ROUTES
from pages.shell.routes import LONGEST_ROUTE, name_route, routes_of
from pages.shell.settings import ROUTE
from tests.pages.conftest import Open
from tests.pages.house import PAGES as HOUSE
from tests.pages.screen import said

START, TOKENS, DEPTH, GENERATE = (
    f"pages/{path}/page.py" for path in ("start/welcome", "words/tokens", "transformer/depth", "transformer/generate")
)


def test_routes_keep_the_reading_order_and_a_longer_one_holds_the_shorter() -> None:
    routes = routes_of(HOUSE, ROUTES)
    assert tuple(routes) == ROUTE.options
    order = [page.address for page in routes[LONGEST_ROUTE]]
    assert order == [page.address for page in HOUSE if not page.reference]
    named = [[page.address for page in route] for route in routes.values()]
    for shorter, longer in pairwise(named):
        assert [each for each in longer if each in shorter] == shorter
    assert named[0] == ["welcome", "tokens", "words-in-context", "self-attention", "heads", "generate"]


def test_a_route_to_no_page_is_refused() -> None:
    with pytest.raises(ValueError, match="no page has the address nowhere"):
        routes_of(HOUSE, {"10 minutes": ("welcome", "nowhere")})


def test_a_route_is_named_in_a_sentence() -> None:
    assert name_route("10 minutes") == "the 10-minute route"
    assert name_route(LONGEST_ROUTE) == "the route through everything"


@pytest.mark.parametrize(
    ("path", "route", "told"),
    [
        (START, "10 minutes", "1 of 6"),
        (TOKENS, "10 minutes", "2 of 6"),
        (TOKENS, "40 minutes", "3 of 12"),
        (TOKENS, "everything", "3 of 21"),
        (DEPTH, "10 minutes", "not on the 10-minute route"),
    ],
)
def test_a_page_says_where_it_stands(path: str, route: str, told: str, open_page: Open) -> None:
    at = open_page(path, route=route)
    assert told in said(at) and not at.error and not at.warning


@pytest.mark.parametrize("settings", [{}, {"seed": 3, "generate_temperature": 1.1, "generate_view": "many texts"}])
def test_the_last_page_ends_the_route_and_leads_on_to_the_longer_one(settings: dict[str, Any], open_page: Open) -> None:
    at = open_page(GENERATE, **settings)
    assert "what you have seen" in said(at)
    at.button(key="go-on-40-minutes").click().run()
    assert not at.exception
    assert at.session_state[ROUTE.key] == "40 minutes" and "2 of 12" in said(at)
