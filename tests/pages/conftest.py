"""Opening the app as a visitor would, through app.py."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.compute.jobs import job_runner
from pages.shell import ahead
from pages.shell.settings import RANDOM_WEIGHTS
from tests.pages.house import ANY_MODEL, APP

Open = Callable[..., AppTest]
JOURNEY = "pages/start/journey/page.py"


@pytest.fixture(autouse=True)
def no_visit_outlasts_its_test() -> Iterator[None]:
    """What a visit of the test began in the background ends with it, as when its tab is closed."""
    yield
    if (runner := job_runner()).count:
        runner.unseen_seconds = -1.0  # nobody has looked for so long
        job_runner.clear()


@pytest.fixture(scope="session", autouse=True)
def nothing_is_drawn_ahead() -> Iterator[None]:
    """No browser would draw it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ahead, "PAUSE_SECONDS", 0)
        patch.setattr(ahead, "MAX_SECONDS", 0)
        yield


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
        params = {"model": RANDOM_WEIGHTS, **params}
    app = unopened()
    for key, value in params.items():
        app.query_params[key.replace("_", "-")] = value
    app._page_hash = calc_hash(address)  # as a browser comes by a deep link; `switch_page` needs a run before it
    app.run()
    assert not app.exception, app.exception[0].message
    return app


def unopened(file: Path = APP) -> AppTest:
    """The app, before its first run. It takes no components out of installed packages: AppTest would look through all
    of them anew for each test, which takes longer than a page."""
    app = AppTest.from_file(str(file), default_timeout=280)
    app._bidi_component_manager = BidiComponentManager()
    return app
