"""What the server does once, before the first visitor comes."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import streamlit as st
from altair.utils import schemapi
from starlette.requests import Request
from starlette.responses import RedirectResponse
from streamlit import net_util
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager

from core.memory import limit_arenas, trim_heap
from pages.shell import header
from pages.shell.late import hear_runs_out
from pages.shell.together import send_together

TRIM_INTERVAL_SECONDS = 5.0  # seconds


@asynccontextmanager
async def ready(app: Any) -> AsyncIterator[None]:
    """Import, load and run everything that the first page needs, so that nobody waits for it.

    Also tell Streamlit that `pages/` is not its old kind of multi-page app: otherwise the first visitor after a
    start who comes by a deep link reads "Page not found".
    """
    limit_arenas()
    schemapi.disable_debug_mode()  # which holds each part of a chart against the schema while it is made; the tests do
    ask_nobody_for_an_address()
    read_theme_once()
    hear_runs_out()
    send_together()
    PagesManager.uses_pages_directory = False
    try:
        header.warm_up()
    except ValueError as missing:  # every page says it again, and shows what it can
        logging.getLogger(__name__).error("%s", missing)
    settle_memory()
    tidying = asyncio.create_task(tidy_up())
    yield
    tidying.cancel()


@st.cache_resource(show_spinner=False)
def settle_memory() -> bool:
    """Once, when everything is imported: spare the garbage collector the objects that will never be garbage.

    Looking through those of torch and the pages takes tens of milliseconds each time.
    """
    gc.collect()
    gc.freeze()
    return True


async def tidy_up(every: float = TRIM_INTERVAL_SECONDS) -> None:
    """Every few seconds look for garbage, and give the system back what is free.

    Streamlit would look after every run of the script; with thirty visitors that took a fifth of the server's time.
    """
    while True:
        await asyncio.sleep(every)
        gc.collect()
        trim_heap()


def ask_nobody_for_an_address() -> None:
    """Streamlit's server does not look for its own address at another host.

    It does so for every `Origin` that it does not know, whoever sends it, to let in a browser that came by the
    machine's address in numbers behind a proxy that hides it. Such a proxy is named in `server.corsAllowedOrigins` or
    `browser.serverAddress` instead. A browser that comes by the host that it names itself is let in before.
    """
    net_util.get_external_ip = net_util.get_internal_ip = _no_address


def read_theme_once() -> None:
    """Streamlit's server makes the theme of its config file once, and not six times for every run of the script.

    That took a tenth of the processor time of a change. The file cannot change while the server runs.
    """
    fill = app_session._populate_theme_msg

    @cache
    def made(section: str) -> CustomThemeConfig:
        fill(theme := CustomThemeConfig(), section)
        return theme

    def fill_once(msg: CustomThemeConfig, section: str = "theme") -> None:
        if made(section).ByteSize():  # merging nothing would say that there is such a theme
            msg.MergeFrom(made(section))

    app_session._populate_theme_msg = fill_once


def _no_address() -> None:
    return None


async def to_first_page(request: Request) -> RedirectResponse:
    """From the first page's own name to where Streamlit keeps it, with every setting."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")
