"""Every view of every page in a real browser, at three widths: with hostile text, and at the largest sizes."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from pages.shell.settings import RANDOM_WEIGHTS
from tests.browser.driver import address, pill, settled, stands_at_every_width
from tests.browser.test_hostile_texts import TYPED, stays_text
from tests.pages import screen
from tests.pages.house import ANY_MODEL, PAGES

Open = Callable[..., Page]
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


@pytest.mark.parametrize("topic", PAGES, ids=lambda topic: topic.address)
def test_every_view_draws_hostile_text_at_every_width(topic: Topic, page: Open, serve: Callable[[str], str]) -> None:
    path = "" if topic is PAGES[0] else topic.address
    fresh = {"model": RANDOM_WEIGHTS} if topic.address in ANY_MODEL else {}
    dark = PAGES.index(topic) % 2 == 1
    tab = page(address(serve("app.py"), path, t=HOSTILE, tt=HOSTILE, **fresh), dark=dark)
    for view in topic.views:
        if len(topic.views) > 1:
            pill(tab, topic.look_at.key, view.name).click()
            expect(pill(tab, topic.look_at.key, view.name)).to_have_attribute("aria-checked", "true")
            settled(tab)
        stands_at_every_width(tab)
        stays_text(tab)


@pytest.mark.parametrize("number", range(len(LARGEST)))
def test_the_largest_sizes_are_drawn_at_every_width(number: int, visit: Open) -> None:
    path, params = LARGEST[number]
    stands_at_every_width(visit(path, dark=number % 2 == 1, **params))
