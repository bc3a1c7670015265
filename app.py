"""Attention Explorer: the page list, the page settings, and the frame round every page."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import streamlit as st

st.set_page_config(page_title="Attention Explorer", page_icon="🔎", layout="wide")

from pages.ui.cache import settle_memory
from pages.ui.frame import frame

NAVIGATION = {
    "Start": [
        st.Page(
            "pages/start/journey.py", title="The journey", url_path="journey", default=True, icon=":material/route:"
        ),
    ],
    "Attention": [
        st.Page(
            "pages/attention/self_attention.py",
            title="Self-attention, step by step",
            url_path="self-attention",
            icon=":material/stairs:",
        ),
        st.Page("pages/attention/heads.py", title="Heads", url_path="heads", icon=":material/grid_view:"),
    ],
}

page = st.navigation(NAVIGATION, position="top")
settle_memory()
frame()
page.run()
