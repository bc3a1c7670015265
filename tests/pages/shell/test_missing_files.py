"""A file of the project is missing: the server starts, and a visitor reads what is wrong and sees the rest."""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.checkpoints import examples
from core.checkpoints.shipped import MODELS_FOLDER
from core.text.tokenizer import TOKENIZERS, TOKENIZERS_FOLDER, Tokenizer
from pages.compute import cache
from pages.shell import navigation, startup
from pages.shell.header import CHANGE_IT
from tests.pages.conftest import Open, unopened
from tests.pages.house import APP
from tests.pages.screen import said

MISSING = "The tokenizer file unigram-8000.model is missing or damaged (No such file or directory)."


@pytest.fixture
def tokenizers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The app with a folder of tokenizers in which that of the defaults is missing."""
    for name in TOKENIZERS[1:]:
        (tmp_path / f"{name}.model").symlink_to(TOKENIZERS_FOLDER / f"{name}.model")
    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(cache, "Tokenizer", SimpleNamespace(load=lambda name: Tokenizer.load(name, tmp_path)))
    yield tmp_path
    st.cache_data.clear()
    st.cache_resource.clear()


def errors(at: AppTest) -> list[str]:
    return [error.value.replace("\\", "") for error in at.error]


def unfold_tokenizers(at: AppTest) -> None:
    at.session_state["drawer-tokenizer-and-device"] = True
    at.run()


def test_a_missing_tokenizer_is_said_without_a_path(tmp_path: Path) -> None:
    with pytest.raises(ValueError) as refusal:
        Tokenizer.load(folder=tmp_path)
    assert str(refusal.value) == MISSING


def test_without_its_first_tokenizer_the_server_starts(tokenizers: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def start() -> None:
        async with startup.ready(None):
            pass

    with caplog.at_level(logging.ERROR), ThreadPoolExecutor() as threads:  # a browser test's loop may run in this one
        threads.submit(asyncio.run, start()).result()
    assert MISSING in caplog.text and str(tokenizers) not in caplog.text


def test_without_its_first_tokenizer_a_page_says_so_and_one_without_a_model_is_shown(
    tokenizers: Path, open_page: Open
) -> None:
    at = open_page()
    assert errors(at) == [f"{MISSING} {CHANGE_IT}"]
    at.switch_page("pages/attention/heads/page.py").run()
    assert not at.exception and errors(at) == [f"{MISSING} {CHANGE_IT}"]
    at.switch_page("pages/comparisons/layer_costs/page.py").run()
    assert not at.exception and not at.error and at.session_state["visit"].run.tokenizer == "unigram-4000"


def test_another_tokenizer_can_then_be_chosen(tokenizers: Path, open_page: Open) -> None:
    at = open_page()
    unfold_tokenizers(at)
    at.selectbox(key="tok").set_value("bpe-1000").run()
    assert not at.error and not at.exception and at.session_state["visit"].run.tokenizer == "bpe-1000"


def test_without_any_tokenizer_a_page_says_so(tokenizers: Path, open_page: Open) -> None:
    for file in tokenizers.iterdir():
        file.unlink()
    at = open_page()
    unfold_tokenizers(at)
    assert errors(at) == [f"{MISSING} {CHANGE_IT}"] and at.selectbox(key="tok").value == "unigram-8000"


def test_without_its_logo_a_page_stands(tmp_path: Path) -> None:
    """A copy of the app in a folder that lacks the pictures."""
    (tmp_path / "pages").symlink_to(APP.parent / "pages")
    (tmp_path / "app.py").write_text(APP.read_text(encoding="utf-8"), encoding="utf-8")
    at = unopened(tmp_path / "app.py").run()
    assert not at.exception and at.title[0].value == "What does a model look at while it writes?"


def test_with_a_damaged_logo_a_page_stands(tmp_path: Path, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "logo.svg").write_bytes(b"\xff\xfe\x00")
    monkeypatch.setattr(navigation, "LOGO", tmp_path / "logo.svg")
    assert open_page().title


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The app with a folder of models that are those of the project, until a test takes some away."""
    for model in MODELS_FOLDER.iterdir():
        (tmp_path / model.name).symlink_to(model)
    monkeypatch.setattr(cache, "MODELS", tmp_path)
    return tmp_path


def test_a_page_whose_own_model_is_missing_names_it_and_the_command(models: Path, open_page: Open) -> None:
    (models / "storyteller").unlink()
    at = open_page("pages/attention/heads/page.py", model="suited to the page")
    assert errors(at) == [
        "The model storyteller cannot be used: storyteller/card.json does not exist. Copy it from the project again, "
        "or make it anew: python -m core.training storyteller --data DIR. Below are random weights."
    ]
    assert at.get("bidi_component") and at.session_state["visit"].run.source is None
    at.switch_page("pages/words/word_vectors/page.py").run()
    assert not at.error and not at.exception


def test_without_its_examples_a_page_opens_with_one_and_says_so(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = "The file examples.json is missing. Copy it from the project again."
    monkeypatch.setattr(examples, "_file", lambda: (examples.BUILT_IN_EXAMPLES, broken))
    at = open_page("pages/attention/heads/page.py")
    assert not at.error and broken in said(at).replace("\\", "") and at.get("bidi_component")
