"""The cover over a page's picture, until the lesson's question is answered."""

import streamlit as st

COVER = "Answer first: the picture is under this cover."
HEIGHT = 220  # pixels


def draw_cover() -> None:
    """Draw a cover in the place of the picture."""
    with st.container(key="lesson-cover", border=True, height=HEIGHT, vertical_alignment="center"):
        st.markdown(f":material/visibility_off: {COVER}", width="content")
