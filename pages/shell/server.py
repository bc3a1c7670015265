"""What the server does once, before the first visitor comes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse
from streamlit.runtime.pages_manager import PagesManager

from pages.queries import models as cache
from pages.shell import frame


@asynccontextmanager
async def ready(app: Any) -> AsyncIterator[None]:
    """Import, load and run everything that the first page needs, so that nobody waits for it.

    Also tell Streamlit that `pages/` is not its old kind of multi-page app: otherwise the first visitor after a
    start who comes by a deep link reads "Page not found".
    """
    PagesManager.uses_pages_directory = False
    frame.warm_up()
    cache.settle_memory()
    yield


async def to_first_page(request: Request) -> RedirectResponse:
    """From the first page's own name to where Streamlit keeps it, with every setting."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")
