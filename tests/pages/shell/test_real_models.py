"""Other people's models in the chooser: pages open with them, and say whose they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from pages.queries import models as cache
from pages.shell.page import Page
from tests.core.checkpoints.real.real_place import fill_place
from tests.pages.conftest import Open
from tests.pages.house import PAGES, path_of
from tests.pages.screen import said
from tests.pages.test_every_page import through_views

KINDS = {"gpt2": "decoder", "bert": "encoder", "llama": "decoder", "marian": "encoder-decoder"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_place(tmp_path_factory.mktemp("place"))


@pytest.fixture
def shelf(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(cache, "real_place", lambda: (place, 2**28))
    yield place
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_probe(page: Page, name: str, shelf: Path, open_page: Open) -> None:
    if KINDS[name] not in page.architectures:
        pytest.skip("x")
    at = open_page(path_of(page), model=f"real:{name}")
    assert not at.warning, [w.value for w in at.warning]
    assert len(list(through_views(at, page))) == len(page.views)
