"""Measuring in short turns, only when the visitor asks for it: a button, how far it is, and what is done."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.widgets.player import playing, playing_key

PAUSE = 0.05  # seconds from a drawing to the next turn


@dataclass(frozen=True)
class BenchmarkButton:
    """A button that measures, and one that stops it. What is done stays in the session.

    name: the prefix of its keys. what: what is measured; with another, nothing has been measured yet. go_on: from what
    is done to that and one turn more, and whether it is all; keep it short, for Stop waits until it is over. tell: the
    share of all that is done, and what was measured last, in words.
    """

    name: str
    what: Hashable
    go_on: Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], bool]]
    tell: Callable[[tuple[Any, ...]], tuple[float, str]]

    def measured(self) -> tuple[Any, ...]:
        """Draws the button, carries out a turn while it runs, and returns what is done."""
        place = st.container()
        done, number = self._turn()
        runs = playing(self.name)
        with place.container(horizontal=True, vertical_alignment="center", key=self.name):
            label, icon = ("Stop", "stop") if runs else ("Measure", "timer")
            key = f"{self.name}-measure"
            st.button(label, icon=f":material/{icon}:", type="primary", key=key, on_click=self._toggle)
            ticker(number if runs else None, key=f"{self.name}-ticker", wait=PAUSE, on_tick=lambda number: None)
        if runs and done:
            share, words = self.tell(done)
            place.progress(min(1.0, share), words)
        return done

    def _turn(self) -> tuple[tuple[Any, ...], int]:
        """What was measured of this, and in how many turns; one turn more while it runs."""
        state = st.session_state
        what, done, number = state.get(done_key(self.name), (None, (), 0))
        if what != self.what:
            state[playing_key(self.name)] = False
            return (), 0
        if playing(self.name):
            done, over = self.go_on(done)
            number += 1
            state.update({done_key(self.name): (what, done, number), playing_key(self.name): not over})
        return done, number

    def _toggle(self) -> None:
        """Begin anew, or stop; what is done stays."""
        begins = not playing(self.name)
        st.session_state[playing_key(self.name)] = begins
        if begins:
            st.session_state[done_key(self.name)] = (self.what, (), 0)


def done_key(name: str) -> str:
    """Where the session keeps what the bench of this name has measured: (of what, its timings, the number of turns)."""
    return f"{name}-timings"
