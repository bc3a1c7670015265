"""The start of the server, before the first visitor comes, and the regular clean-up of its memory."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from altair.utils import schemapi
from starlette.requests import Request
from starlette.responses import RedirectResponse

from core.memory import limit_arenas, trim_heap
from pages.compute import streamlit_patches
from pages.shell import run_plan
from pages.shell.environment import PATCHES_VARIABLE, unread_variables

TRIM_INTERVAL_SECONDS = 5.0


@asynccontextmanager
async def ready(app: Any) -> AsyncIterator[None]:
    """Import, load and run everything that the first page needs, so that no visitor waits for it."""
    limit_arenas()
    schemapi.disable_debug_mode()  # debug mode checks each part of a chart against the schema; the tests do that
    patched = streamlit_patches.apply(os.environ.get(PATCHES_VARIABLE) != "needed")
    for sentence in [*unread_variables(os.environ), *patched]:
        logging.getLogger(__name__).warning("%s", sentence)
    try:
        run_plan.warm_up()
    except ValueError as missing:  # every page says it again, and shows what it can
        logging.getLogger(__name__).error("%s", missing)
    settle_memory()
    tidying = asyncio.create_task(tidy_up())
    yield
    tidying.cancel()


@st.cache_resource(show_spinner=False)
def settle_memory() -> bool:
    """Exempt the objects that exist now from garbage collection, once, when everything is imported.

    They will never be garbage, and looking through those of torch and the pages takes tens of milliseconds each time.
    """
    gc.collect()
    gc.freeze()
    return True


async def tidy_up(every: float = TRIM_INTERVAL_SECONDS) -> None:
    """Collect garbage and give free memory back to the system, every few seconds.

    Streamlit would collect after every run of the script; with thirty visitors that took a fifth of the server's time.

    every: seconds between two rounds.
    """
    while True:
        await asyncio.sleep(every)
        gc.collect()
        trim_heap()


async def to_first_page(request: Request) -> RedirectResponse:
    """Redirect from the first page's own address to the root, where Streamlit keeps it, with every setting."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")
