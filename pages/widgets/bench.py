"""A measurement in short turns, made only when the visitor asks for it: its button, progress and results."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.widgets.player import playing, playing_key

PAUSE = 0.05  # seconds from a drawing to the next turn


@dataclass(frozen=True)
class BenchmarkButton:
    """A button that starts and stops a measurement. The results stay in the session.

    name: the prefix of its keys.
    what: the subject of the measurement; with another, nothing has been measured yet.
    go_on: takes the results so far; returns them with those of one more turn, and whether that is all. Keep a turn
        short, because Stop waits until it is over.
    tell: takes the results; returns the share of the measurement that is done, and the last result in words.
    """

    name: str
    what: Hashable
    go_on: Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], bool]]
    tell: Callable[[tuple[Any, ...]], tuple[float, str]]

    def measured(self) -> tuple[Any, ...]:
        """Draw the button, carry out one turn if the measurement runs, and return the results so far."""
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
        """Return the results and the number of turns so far, after one more turn if the measurement runs."""
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
        """Start the measurement anew, or stop it and keep its results."""
        begins = not playing(self.name)
        st.session_state[playing_key(self.name)] = begins
        if begins:
            st.session_state[done_key(self.name)] = (self.what, (), 0)


def done_key(name: str) -> str:
    """Return the session key of a measurement's state: (what is measured, the results, the number of turns)."""
    return f"{name}-timings"
