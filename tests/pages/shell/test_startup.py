"""What the server does before a visitor comes."""

import asyncio
import gc
import os
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st
from streamlit.proto.NewSession_pb2 import CustomThemeConfig, NewSession
from streamlit.runtime import app_session
from streamlit.web.server.app_discovery import discover_asgi_app

from pages.compute.streamlit_patches import read_theme_once
from pages.shell.startup import tidy_up
from tests.pages.conftest import APP


def test_streamlit_finds_the_server_of_the_app() -> None:
    """Otherwise nothing is loaded before the first visitor, who then reads "Page not found" on a deep link."""
    found = discover_asgi_app(APP)
    assert found.is_asgi_app and found.app_name == "app"


def test_the_rules_for_threads_stand_before_torch_is_read() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    environment |= {"OMP_DISPLAY_ENV": "TRUE"}
    said = subprocess.run(
        [sys.executable, "-c", "import app, torch"], cwd=APP.parent, env=environment, capture_output=True, text=True
    ).stderr
    assert "OMP_NUM_THREADS = '1'" in said and "OMP_WAIT_POLICY = 'PASSIVE'" in said


class Knot:
    """What only the collector can free."""

    def __init__(self) -> None:
        self.own = self


def test_garbage_is_looked_for_while_the_server_runs() -> None:
    """And not after each run of the script."""

    async def wait() -> None:
        tidying = asyncio.create_task(tidy_up(every=0.01))
        await asyncio.sleep(0.1)
        tidying.cancel()

    assert not st.get_option("runner.postScriptGC")
    gc.disable()
    try:
        left = weakref.ref(Knot())
        assert left() is not None
        with ThreadPoolExecutor(1) as beside:  # in this thread a browser's loop may be running
            beside.submit(asyncio.run, wait()).result()
        assert left() is None
    finally:
        gc.enable()


def test_the_theme_is_made_once_and_is_streamlits_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own, asked = app_session._populate_theme_msg, []

    def counted(msg: CustomThemeConfig, section: str = "theme") -> None:
        asked.append(section)
        own(msg, section)

    def whole() -> bytes:
        message = NewSession()
        app_session._populate_theme_msg(message.custom_theme)
        app_session._populate_theme_msg(message.custom_theme.light, "theme.light")
        app_session._populate_theme_msg(message.custom_theme.light.sidebar, "theme.light.sidebar")
        return message.SerializeToString(deterministic=True)

    expected = whole()
    monkeypatch.setattr(app_session, "_populate_theme_msg", counted)
    read_theme_once()
    assert expected == whole() == whole() and len(expected) > 50
    assert asked == ["theme", "theme.light", "theme.light.sidebar"]
