"""Attention Explorer: the list of its pages.

Streamlit runs this file for every visitor; the server also imports it once, when it starts.
"""

import os

# Read by torch when it is imported: one thread for each of many visitors; the threads of heavy work sleep while they
# wait for each other, for those that spin take the processors from everybody; large pages for large tensors.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

import streamlit as st

if __name__ != "__main__":
    st.secrets.load_if_toml_exists()  # they become environment variables, which core.limits reads when it is imported

from pages.shell.navigation import run, serve

SECTIONS = {
    "Start": ("pages.start.welcome", "pages.start.lessons", "pages.start.journey"),
    "Words": ("pages.words.tokens", "pages.words.word_vectors", "pages.words.words_in_context"),
    "Attention": (
        "pages.attention.self_attention",
        "pages.attention.heads",
        "pages.attention.positions",
        "pages.attention.masks",
        "pages.attention.scaling",
    ),
    "Transformer": (
        "pages.transformer.block",
        "pages.transformer.circuits",
        "pages.transformer.depth",
        "pages.transformer.lab",
        "pages.transformer.architecture",
        "pages.transformer.translate",
        "pages.transformer.generate",
        "pages.transformer.kv_cache",
    ),
    "Comparisons": (
        "pages.comparisons.sequence_to_sequence",
        "pages.comparisons.layer_costs",
        "pages.comparisons.sentiment",
    ),
    "Reference": ("pages.reference.glossary", "pages.reference.sources"),
}

ROUTES = {
    "10 minutes": ("welcome", "tokens", "words-in-context", "self-attention", "heads", "generate"),
    "40 minutes": (
        *("welcome", "journey", "tokens", "word-vectors", "words-in-context", "self-attention", "heads", "positions"),
        *("masks", "block", "translate", "generate"),
    ),
}

if __name__ == "__main__":
    run(SECTIONS, ROUTES)
else:
    from pages.classroom.routes import class_routes

    # Written out, because Streamlit looks for st.App in the text of this file.
    app = st.App(__file__, **serve(SECTIONS, class_routes(SECTIONS)))
