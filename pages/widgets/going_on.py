"""The progress of a picture that is not complete yet, with the clock that continues it and the switch that stops it."""

from dataclasses import dataclass

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.widgets.setting import Setting, draw_widget

PAUSE = 0.05  # seconds from one drawing to the next


@dataclass(frozen=True)
class ProgressSwitch:
    """A progress bar with a switch; while it is on, everything is drawn again as soon as there is more.

    The view computes the rest itself (`Shown.afterwards`).

    name: the prefix of its keys.
    done, many: number of items so far, and of all.
    words: name of the items.
    switch: the setting that says whether to continue.
    runs: the value of that setting.
    """

    name: str
    done: int
    many: int
    words: str
    switch: Setting
    runs: bool

    def draw(self) -> None:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{self.name}-going-on"):
            st.progress(self.done / self.many, f"{self.done} of {self.many} {self.words}")
            draw_widget(self.switch, width="content")
            number = self.done if self.runs else None
            ticker(number, key=f"{self.name}-ticker", wait=PAUSE, on_tick=lambda number: None)
