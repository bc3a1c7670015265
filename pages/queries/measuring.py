"""Measuring time: one visitor after the other, for two at once would slow each other down."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@st.cache_resource(show_spinner=False)
def _lock() -> threading.Lock:
    return threading.Lock()


@contextmanager
def stopwatch(seconds: float) -> Iterator[None]:
    """The machine's stopwatch, for one measurement of about so many seconds. ValueError where others take long."""
    lock = _lock()
    if not lock.acquire(timeout=2 * seconds):
        raise ValueError("Somebody else is measuring on this machine: try again in a few seconds.")
    try:
        yield
    finally:
        lock.release()
