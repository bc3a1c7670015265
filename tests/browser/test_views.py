"""Every view of every page in a real browser, at three widths: with hostile text, and at the largest sizes; and every
page, translated, under fast clicks."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from pages.shell.settings import RANDOM_WEIGHTS
from tests.browser.driver import address, drawn, go_to, pill, settled, stands_at_every_width
from tests.browser.fast_clicks import stand_fast_clicks
from tests.browser.test_first_screen import LISTS
from tests.browser.test_hostile_texts import TYPED, stays_text
from tests.browser.translator import TRANSLATOR, WAYS
from tests.pages import screen
from tests.pages.house import ANY_MODEL, PAGES

Open = Callable[..., Page]
AT_ONCE = 3
HOSTILE = f"{screen.HOSTILE} {TYPED}"
LONG = "the cat sat on the mat and then " * 100
WIDE = {"d": 1024, "h": 16, "n": 2, "head": 16, "layer": 2}
DEEP = {"n": 12, "h": 16, "d": 64, "layer": 12, "head": 16}
LARGEST: list[tuple[str, dict[str, Any]]] = [
    ("journey", DEEP | {"pos": "rotary", "mask": "causal"}),
    ("self-attention", WIDE | {"self_attention_step": "1 project", "self_attention_of": "keys", "pos": "rotary"}),
    ("self-attention", {"self_attention_step": "5 softmax", "t": LONG}),
    ("heads", DEEP | {"heads_view": "all heads", "t": LONG}),
    ("heads", WIDE | {"heads_view": "lines", "heads_whose": "all heads", "kind": "decoder", "t": HOSTILE}),
    ("heads", DEEP | {"heads_view": "switch off", "heads_effect": "every pattern", "heads_off": "L1H1"}),
    ("positions", {"positions_encoding": "learned", "positions_length": 512, "positions_width": 1024}),
    ("scaling", {"scaling_view": "weights", "scaling_width": 1024, "scaling_keys": 512, "scaling_draws": 2}),
]


def opens_with(topic: Topic) -> dict[str, str]:
    """Random weights, whose settings are controls too, where the page can show any model."""
    return {"model": RANDOM_WEIGHTS} if topic.address in ANY_MODEL else {}


@pytest.mark.parametrize("first", range(0, len(PAGES), AT_ONCE))
def test_every_view_draws_hostile_text_and_every_page_stands_fast_clicks(
    first: int, page: Open, serve: Callable[[str], str]
) -> None:
    """Each page is a visitor of its own; the clicks come at the end, in all at once, while a translator is at work."""
    app, clicked = serve("app.py"), list[Page]()
    for number, topic in enumerate(PAGES[first : first + AT_ONCE], first):
        path = topic.address if number else ""
        tab = page(address(app, path, t=HOSTILE, tt=HOSTILE, **opens_with(topic)), dark=number % 2 == 1)
        draws_at_every_width(tab, topic)
        if len(topic.views) > 1 and topic.address not in LISTS:
            tab.set_viewport_size({"width": 1280, "height": 900})
            go_to(tab, address(app, path, **opens_with(topic)))
            tab.evaluate(TRANSLATOR, WAYS[number % 2])
            clicked.append(tab)
    if clicked:
        stand_fast_clicks(clicked)


def draws_at_every_width(tab: Page, topic: Topic) -> None:
    for view in topic.views:
        if len(topic.views) > 1:
            pill(tab, topic.look_at.key, view.name).click()
            expect(pill(tab, topic.look_at.key, view.name)).to_have_attribute("aria-checked", "true")
            settled(tab)
        stands_at_every_width(tab)
        stays_text(tab)


def test_the_largest_sizes_are_drawn_at_every_width(visit: Open, serve: Callable[[str], str]) -> None:
    tab = visit()
    for number, (path, params) in enumerate(LARGEST):
        tab.emulate_media(color_scheme="dark" if number % 2 else "light")
        go_to(tab, address(serve("app.py"), path, **{"model": RANDOM_WEIGHTS, **params}))
        drawn(tab)
        stands_at_every_width(tab)
