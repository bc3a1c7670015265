"""The app with views that take a second to make, as on a busy machine."""

import time
from typing import Any

import streamlit as st

from app import ROUTES, SECTIONS
from pages.shell import layout
from pages.shell.compare.pinned_run import with_pinned
from pages.shell.navigation import run, serve

SECONDS = 1.0


def late(*made: Any) -> Any:
    time.sleep(SECONDS)
    return with_pinned(*made)


if __name__ == "__main__":
    vars(layout)["with_pinned"] = late
    run(SECTIONS, ROUTES)
else:
    app = st.App(__file__, **serve(SECTIONS))
