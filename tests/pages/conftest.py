"""Opening the app as a visitor would, through app.py."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

Open = Callable[..., AppTest]
APP = Path(__file__).resolve().parents[2] / "app.py"


@pytest.fixture
def open_page() -> Open:
    """`open_page("pages/attention/heads/page.py", d="32", heads_view="lines")`: the page with these in its address.

    The hyphens of a setting's key are written as underscores.
    """

    def opener(path: str = "", **params: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=60)
        for key, value in params.items():
            app.query_params[key.replace("_", "-")] = value
        app.run()
        if path:
            app.switch_page(path).run()
        assert not app.exception, app.exception[0].message
        return app

    return opener
