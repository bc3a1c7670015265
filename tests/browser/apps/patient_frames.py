"""The app, in which a drawing gets all its frames at once, however busy the machine is."""

import streamlit as st

from app import ROUTES, SECTIONS
from pages.shell import ahead
from pages.shell.navigation import run, serve

if __name__ == "__main__":
    vars(ahead).update(MAX_SECONDS=60.0, MAX_STATE_SECONDS=60.0)
    run(SECTIONS, ROUTES)
else:
    app = st.App(__file__, **serve(SECTIONS))
