"""The pages as Streamlit knows them, what stands round each, and the server that shows them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.routing import Route

from pages.queries.models import settle_memory
from pages.shell.address import report_unmet
from pages.shell.arrival import draw_page
from pages.shell.frame import frame
from pages.shell.models import known
from pages.shell.page import Page
from pages.shell.server import ready, to_first_page
from pages.widgets.parts import PAGES

Sections = Mapping[str, Sequence[Page]]
LOGO = Path(__file__).parents[2] / "assets/pictures/logo.svg"


def run(sections: Sections) -> None:
    """Show the page that the visitor has chosen; once for each run of the script."""
    st.set_page_config(page_title="Attention Explorer", page_icon="🔎", layout="wide")
    if LOGO.exists():
        st.logo(LOGO, size="large")
    pages = _pages(sections)
    settings = known(setting for page in pages for setting in page.all_settings)
    numbered = {
        page: st.Page(
            page.file, title=page.title, icon=page.icon, url_path=page.address if number else None, default=not number
        )
        for number, page in enumerate(pages)
    }
    st.session_state[PAGES] = {page.address: each for page, each in numbered.items()}
    entries = {section: [numbered[page] for page in group] for section, group in sections.items()}
    shown = st.navigation(entries, position="top")
    chosen = next(page for page, each in numbered.items() if each is shown)
    settle_memory()
    frame(chosen, settings)
    draw_page(pages, chosen)
    report_unmet(settings)


def serve(sections: Sections) -> dict[str, Any]:
    """What `st.App` needs beside the app's file: what is loaded before the first visitor, and its routes."""
    first = _pages(sections)[0]
    return {"lifespan": ready, "routes": [Route(f"/{first.address}", to_first_page)]}


def _pages(sections: Sections) -> list[Page]:
    return [page for group in sections.values() for page in group]
