"""The least page of Streamlit's own: pills and a line of text that follows them. What every click costs at least."""

import streamlit as st

st.pills("Layer", ["1", "2", "3"], default="1", key="layer")
st.markdown(f"Layer {st.session_state['layer']}")
