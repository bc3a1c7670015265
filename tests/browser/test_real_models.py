"""Other people's models in a real browser: every page opens and draws, or says why it has nothing to draw; each family
on several pages."""

from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.checkpoints.real.places import PLACE_VARIABLE
from tests.browser.driver import address, drawn, go_to, widget
from tests.browser.server import serving
from tests.core.checkpoints.real.real_place import fill_place
from tests.pages.house import PAGES

FAMILIES = {
    "encoder": cycle(("bert", "distilbert")),
    "decoder": cycle(("gpt2", "llama", "mistral", "qwen2", "qwen3", "gpt_neox")),
    "encoder-decoder": cycle(("marian", "t5")),
}
SHOWING = [
    (page.address, [next(FAMILIES[kind]) for kind in page.architectures])
    for page in PAGES
    if page.uses_model and not page.reference
]

WHY_NOT = {"sentiment": "This encoder has no layer that chooses a class"}  # what a page says that has nothing to show


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, foreign: Path) -> Iterator[str]:
    """The app beside a place with a model of each family."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(PLACE_VARIABLE, str(fill_place(tmp_path_factory.mktemp("place"))))
        with serving("app.py", tmp_path_factory.mktemp("server") / "real.log", foreign=foreign) as url:
            yield url


def test_every_page_draws_real_models(page: Callable[..., Page], url: str) -> None:
    """In one visit, for a worker that begins such a test makes all models anew."""
    name, (family, *_) = SHOWING[0]
    tab = page(address(url, name, model=f"real:{family}"))
    for name, families in SHOWING:
        for family in families:
            go_to(tab, address(url, name, model=f"real:{family}"))
            check_page(tab, name, family)


def check_page(tab: Page, name: str, family: str) -> None:
    if name in WHY_NOT:
        expect(tab.get_by_text(WHY_NOT[name])).to_be_visible()
    else:
        drawn(tab)
    title = "somebody/gpt2" if family == "gpt2" else family
    expect(widget(tab, "model-card"), name).to_contain_text(title)
    expect(tab.get_by_test_id("stException"), name).to_have_count(0)
    expect(tab.get_by_test_id("stAlertContentError"), name).to_have_count(0)
