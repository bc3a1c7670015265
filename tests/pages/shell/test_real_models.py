"""Other people's models in the chooser: pages open with them, and say whose they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from core.checkpoints.shelf import Shelf
from core.readings.models import describe_card
from pages.queries import models as cache
from pages.queries import shelf as shelves
from pages.shell.models import TITLED
from tests.core.checkpoints.real.real_place import fill_place
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, path_of
from tests.pages.screen import said

REAL = ("real:bert", "real:gpt2", "real:llama", "real:marian")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill_place(tmp_path_factory.mktemp("place"))


@pytest.fixture
def shelf(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app with a place of real models."""
    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(cache, "real_place", lambda: (place, 2**28))
    yield place
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.mark.parametrize(
    ("address", "name"), [("heads", "gpt2"), ("journey", "bert"), ("generate", "llama"), ("translate", "marian")]
)
def test_a_page_opens_with_a_real_model_and_says_whose_it_is(
    address: str, name: str, shelf: Path, open_page: Open
) -> None:
    at = open_page(path_of(BY_ADDRESS[address]), model=f"real:{name}")
    assert not at.error and not at.warning
    run = at.session_state["run"]
    known = Shelf(place=shelf).read(f"real:{name}")
    assert (run.checkpoint, run.config, run.special) == (f"real:{name}", known.config, known.special)
    titles = {"gpt2": "somebody/gpt2"}
    assert f"{titles.get(name, name)}**, a real model" in said(at).replace("\\", "")
    chooser = at.selectbox(key=TITLED)
    offered = [each for each in chooser.options if each.endswith("(real model)")]
    assert f"{titles.get(name, name)} (real model)" in offered
    for view in BY_ADDRESS[address].views[:2]:
        at.session_state[BY_ADDRESS[address].look_at.key] = view.name
        at.run()
        assert not at.exception and not at.error, view.name


@pytest.mark.parametrize("name", ["real:../bert", "real:nowhere", "real:", "real:/etc"])
def test_only_a_name_of_the_list_can_be_asked_for(name: str, shelf: Path, open_page: Open) -> None:
    at = open_page(path_of(BY_ADDRESS["heads"]), model=name)
    assert not at.error and not at.session_state["run"].checkpoint.startswith("real:")


def test_the_card_of_a_real_model_says_where_it_is_from(place: Path) -> None:
    cards = Shelf(place=place).cards()
    assert set(REAL) <= set(cards)
    rows = dict(describe_card(cards["real:gpt2"]))
    assert rows["Where from"] == "from the hub: somebody/gpt2. Licence: mit."
    assert rows["Size"].endswith("parameters: 2 layers, 4 heads, d_model 16, 330 pieces or words known")
    assert rows["What it is"].startswith("GPT-2, made elsewhere")
    assert dict(describe_card(cards["real:bert"]))["Where from"].endswith("Licence: not stated.")


def test_a_place_comes_from_the_environment_and_there_is_none_by_default(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for named, found in ((str(place), place), ("", None)):
        monkeypatch.setenv("ATTENTION_EXPLORER_MODELS", named)
        shelves.real_place.clear()
        assert shelves.real_place()[0] == found
    shelves.real_place.clear()
    assert not any(name.startswith("real:") for name in Shelf().names())
    assert Shelf(place=place).names()[-4:] == REAL
