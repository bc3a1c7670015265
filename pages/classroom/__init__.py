"""A class that takes a lesson together: plain pages for phones, the teacher and the projector, without Streamlit."""
