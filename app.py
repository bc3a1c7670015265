"""Attention Explorer: the list of its pages.

Streamlit runs this file for every visitor; the server also imports it once, when it starts.
"""

import os

# Read by torch when it is imported: one thread for each of many visitors, large pages for large tensors.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

from pages.attention.heads import page as heads
from pages.attention.self_attention import page as self_attention
from pages.shell.navigation import run, serve
from pages.start.journey import page as journey

SECTIONS = {
    "Start": (journey.PAGE,),
    "Attention": (self_attention.PAGE, heads.PAGE),
}

if __name__ == "__main__":
    run(SECTIONS)
else:
    app = serve(__file__, SECTIONS)
