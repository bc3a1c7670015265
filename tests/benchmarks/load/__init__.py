"""Many visitors at once, over Streamlit's own protocol, so that no browser takes the server's processors."""
