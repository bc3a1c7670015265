"""Attention Explorer: the page list, the page settings, and the frame round every page.

Streamlit runs this file for every visitor; the server also imports it once, when it starts.
"""

import os
from pathlib import Path
from typing import Any

# Read by torch when it is imported: one thread for each of many visitors, large pages for large tensors.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

import streamlit as st
from starlette.routing import Route

from pages.ui.address import report_unmet
from pages.ui.arrival import carry_out
from pages.ui.cache import settle_memory
from pages.ui.frame import frame
from pages.ui.server import ready, to_first_page

ROOT = Path(__file__).resolve().parent
LOGO = ROOT / "assets/pictures/logo.svg"
SECTIONS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "Start": [("start/journey.py", {"title": "The journey", "icon": ":material/route:", "default": True})],
    "Attention": [
        (
            "attention/self_attention.py",
            {"title": "Self-attention, step by step", "url_path": "self-attention", "icon": ":material/stairs:"},
        ),
        ("attention/heads.py", {"title": "Heads", "url_path": "heads", "icon": ":material/grid_view:"}),
        ("attention/positions.py", {"title": "Positions", "url_path": "positions", "icon": ":material/pin:"}),
        ("attention/masks.py", {"title": "Masks", "url_path": "masks", "icon": ":material/visibility_off:"}),
        ("attention/scaling.py", {"title": "Scores and scaling", "url_path": "scaling", "icon": ":material/balance:"}),
    ],
    "Transformer": [
        ("transformer/translate.py", {"title": "Translate", "url_path": "translate", "icon": ":material/translate:"}),
        ("transformer/generate.py", {"title": "Generate", "url_path": "generate", "icon": ":material/edit_note:"}),
        ("transformer/kv_cache.py", {"title": "KV cache", "url_path": "kv-cache", "icon": ":material/inventory_2:"}),
    ],
}

if __name__ == "__main__":
    st.set_page_config(page_title="Attention Explorer", page_icon="🔎", layout="wide")
    if LOGO.is_file():
        st.logo(LOGO, size="large")
    files = {
        section: {st.Page(ROOT / "pages" / file, **options): ROOT / "pages" / file for file, options in pages}
        for section, pages in SECTIONS.items()
    }
    chosen = st.navigation({section: list(pages) for section, pages in files.items()}, position="top")
    settle_memory()
    frame(chosen)
    carry_out({page: file for pages in files.values() for page, file in pages.items()}, chosen)
    report_unmet()
else:
    app = st.App(__file__, lifespan=ready, routes=[Route("/journey", to_first_page)])
