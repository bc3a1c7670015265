"""The slots for runs of the script.

Python computes for one thread at a time, and a dozen threads that compete for it lose half of it to the competition.
"""

import streamlit as st

from core.device import processors
from pages.compute.slots import FairSlots

SLICE_SECONDS = 0.3  # nine of ten runs finish within it


@st.cache_resource(show_spinner=False)
def run_slots() -> FairSlots:
    return FairSlots(max(1, processors() // 2), slice_seconds=SLICE_SECONDS)
