"""Careless and hostile use of everything: drawn by hypothesis, a little in every run and much in the nightly mode."""

import app as app  # first of all, for it says how torch's threads are to wait
