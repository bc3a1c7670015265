"""Opening the app as a visitor would, through app.py."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tests.pages.house import ANY_MODEL, APP, FRESH

Open = Callable[..., AppTest]
JOURNEY = "pages/start/journey/page.py"


@pytest.fixture
def open_page() -> Open:
    """`open_page("pages/attention/heads/page.py", d="32", heads_view="lines")`: the page with these in its address."""
    return opened


def opened(path: str = JOURNEY, **params: str | list[str]) -> AppTest:
    """A page, by the path of its file, with these settings in its address.

    The hyphens of a setting's key are written as underscores. Where the test names no model, pages that can show any
    have random weights.
    """
    address = path.split("/")[-2].replace("_", "-")
    if address in ANY_MODEL:
        params = {"model": FRESH, **params}
    app = AppTest.from_file(str(APP), default_timeout=120)
    for key, value in params.items():
        app.query_params[key.replace("_", "-")] = value
    app._page_hash = calc_hash(address)  # as a browser comes by a deep link; `switch_page` needs a run before it
    app.run()
    assert not app.exception, app.exception[0].message
    return app
