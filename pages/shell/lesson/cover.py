"""The cover over a page's picture, until the lesson's question is answered."""

import streamlit as st

COVER_TEXT = "Answer first: the picture is under this cover."
COVER_PIXELS = 220  # pixels


def draw_cover() -> None:
    """Draw a cover in the place of the picture."""
    with st.container(key="lesson-cover", border=True, height=COVER_PIXELS, vertical_alignment="center"):
        st.markdown(f":material/visibility_off: {COVER_TEXT}", width="content")
