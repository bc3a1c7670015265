"""Attention Explorer: the page list, the page settings, and the frame round every page.

Streamlit runs this file for every visitor; the server also imports it once, when it starts.
"""

import os

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

if __name__ == "__main__":
    st.set_page_config(page_title="Attention Explorer", page_icon="🔎", layout="wide")
    journey = st.Page("pages/start/journey.py", title="The journey", icon=":material/route:", default=True)
    self_attention = st.Page(
        "pages/attention/self_attention.py",
        title="Self-attention, step by step",
        url_path="self-attention",
        icon=":material/stairs:",
    )
    heads = st.Page("pages/attention/heads.py", title="Heads", url_path="heads", icon=":material/grid_view:")
    files = {
        journey: "pages/start/journey.py",
        self_attention: "pages/attention/self_attention.py",
        heads: "pages/attention/heads.py",
    }
    st.logo("assets/pictures/logo.svg", size="large")
    page = st.navigation({"Start": [journey], "Attention": [self_attention, heads]}, position="top")
    settle_memory()
    frame()
    carry_out(files[page], list(files.values()))
    report_unmet()
else:
    app = st.App(__file__, lifespan=ready, routes=[Route("/journey", to_first_page)])
