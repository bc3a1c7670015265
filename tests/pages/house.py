"""The pages of the app, as its own list has them."""

from pathlib import Path

from app import SECTIONS
from core.topics.shared.run_from_choices import ARCHITECTURES
from pages.shell.model_choice import known
from pages.shell.navigation import page_of
from pages.shell.page import Page

APP = Path(__file__).resolve().parents[2] / "app.py"
PAGES: list[Page] = [page_of(topic) for topics in SECTIONS.values() for topic in topics]
BY_ADDRESS = {page.address: page for page in PAGES}
ANY_MODEL = tuple(page.address for page in PAGES if page.architectures == ARCHITECTURES)
KNOWN = known(setting for page in PAGES for setting in page.all_settings)


def path_of(page: Page) -> str:
    """The page's file below the project's root, as AppTest names it."""
    return str(page.file).removeprefix(f"{APP.parent}/")
