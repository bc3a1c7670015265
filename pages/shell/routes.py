"""The routes through the pages: which one a visitor follows, where this page is on it, and what comes next."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.session.visit import visit_state
from pages.shell.page import Page
from pages.shell.settings import ROUTE
from pages.widgets import draw_widget, explained

LONGEST_ROUTE = ROUTE.options[-1]
LINE_LAYOUT: dict[str, Any] = {"horizontal": True, "gap": "small", "vertical_alignment": "center"}

Routes = Mapping[str, Sequence[Page]]  # the pages of each route in order, by the options of ROUTE


def routes_of(pages: Sequence[Page], addresses: Mapping[str, Sequence[str]]) -> Routes:
    """Return the pages of each route.

    The last route has every page of the reading order. Raises ValueError for an address that no page has.

    addresses: the addresses of the pages on each shorter route.
    """
    order = [page for page in pages if not page.reference]
    known = {page.address: page for page in order}
    if unknown := {address for route in addresses.values() for address in route} - known.keys():
        raise ValueError(f"no page has the address {', '.join(sorted(unknown))}")
    shorter = {name: [known[address] for address in route] for name, route in addresses.items()}
    return {**shorter, LONGEST_ROUTE: order}


def name_route(name: str) -> str:
    """Name a route in a sentence: "the 10-minute route", "the route through everything"."""
    return (
        "the route through everything" if name == LONGEST_ROUTE else f"the {name.replace(' minutes', '-minute')} route"
    )


def choose_route(name: str, first: st.Page) -> None:
    """Follow a route from its first page; the action of an entry in the menu."""
    st.session_state[ROUTE.key] = name
    st.switch_page(first)


def route_entries(routes: Routes, entries: Mapping[str, Any]) -> list[Any]:
    """Return the menu's entries that lead to the first page of each route."""
    return [
        st.Page(
            partial(choose_route, name, entries[route[0].address]),
            title=f"{name} · {len(route)} pages",
            icon=":material/route:",
            url_path=f"route-{name.replace(' ', '-')}",
        )
        for name, route in routes.items()
    ]


def draw_choice(routes: Routes, page: Page, above: bool) -> None:
    """Draw the control that chooses a route, if this place on the page is the one where it belongs.

    On the page with which all routes begin, it belongs above the page; on every other page, below it. With a single
    route there is no control.

    above: whether this call draws the place above the page, not the one below.
    """
    first = all(page is route[0] for route in routes.values())
    if len(routes) > 1 and above == first:
        with st.container(key="routes-above" if above else "routes", **LINE_LAYOUT):
            st.markdown("**How much time do you have?**" if first else "Route:", width="content")
            draw_widget(ROUTE, label_visibility="collapsed", width="content")
            if first:
                _link_to_second(routes)


def _link_to_second(routes: Routes) -> None:
    """Draw a link to the second page of the chosen route, with the number of its pages."""
    route = routes[st.session_state.get(ROUTE.key) or ROUTE.default]
    _link(route[1], f"{len(route)} pages; next: {route[1].question}", "arrow_forward")


def draw_neighbours(routes: Routes, page: Page) -> None:
    """Draw where this page is on the route, with links to the pages before and after it.

    The last page of a route also gets the end of the route; a reference page only gets a link back.
    """
    name = st.session_state.get(ROUTE.key) or ROUTE.default
    route = routes.get(name, routes[LONGEST_ROUTE])
    if page.reference:
        _lead_back(name, routes)
        return
    visit_state().route_page = page.address
    if page in route:
        st.caption(f"{route.index(page) + 1} of {len(route)} on {name_route(name)}")
        if page is route[-1]:
            _draw_end(name, routes)
    else:
        st.caption(f"This page is not on {name_route(name)}; the links follow the order of all pages.")
        route = routes[LONGEST_ROUTE]
    index = route.index(page)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="neighbours"):
        for neighbour, icon in ((index - 1, "arrow_back"), (index + 1, "arrow_forward")):
            if 0 <= neighbour < len(route):
                _link(route[neighbour], f"{neighbour + 1} · {route[neighbour].question}", icon)


def _link(page: Page, label: str, icon: str) -> None:
    st.page_link(visit_state().entries[page.address], label=label, icon=f":material/{icon}:")


def _draw_end(name: str, routes: Routes) -> None:
    """Draw the end of a route: one sentence for each of its pages, and where to continue."""
    route = routes[name]
    with st.container(border=True, key="route-end"):
        st.markdown(f"#### The end of {name_route(name)}: what you have seen")
        definitions = "\n".join(f"- **{page.title}**: {page.definition}" for page in route)
        st.markdown(explained(definitions))
        longer = list(routes)[list(routes).index(name) + 1 :]
        st.markdown("**Where to go on**")
        for longer_route in longer:
            new = next((page for page in routes[longer_route] if page not in route), None)
            if new:
                label = (
                    f"{name_route(longer_route)[4:].capitalize()}, {len(routes[longer_route])} pages: {new.question}"
                )
                st.button(
                    label,
                    key=f"go-on-{longer_route.replace(' ', '-')}",
                    type="tertiary",
                    icon=":material/route:",
                    on_click=partial(_follow, longer_route, new.address),
                )
        _link(routes[LONGEST_ROUTE][0], "Start again, with a sentence of your own", "replay")


def _follow(name: str, address: str) -> None:
    st.session_state[ROUTE.key] = name
    visit_state().next_page = address, {}


def _lead_back(name: str, routes: Routes) -> None:
    """Draw the link from a reference page back to where the route was left, or to its beginning."""
    known = {page.address: page for page in routes[LONGEST_ROUTE]}
    left = known.get(visit_state().route_page)
    page = left or routes.get(name, routes[LONGEST_ROUTE])[0]
    with st.container(horizontal=True, key="neighbours"):
        _link(page, f"{'Back to' if left else 'Begin with'} “{page.title}”: {page.question}", "arrow_back")
