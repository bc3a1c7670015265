"""Measurements, as ratios within one run. Like the app, they let torch take large tensors in large pages."""

import os

os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
