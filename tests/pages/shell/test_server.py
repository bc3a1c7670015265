"""What the server does before a visitor comes."""

from streamlit.web.server.app_discovery import discover_asgi_app

from tests.pages.conftest import APP


def test_streamlit_finds_the_server_of_the_app() -> None:
    """Otherwise nothing is loaded before the first visitor, who then reads "Page not found" on a deep link."""
    found = discover_asgi_app(APP)
    assert found.is_asgi_app and found.app_name == "app"
