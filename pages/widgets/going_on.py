"""A picture that is not complete yet: how far it is, the clock by which it grows, and the switch that stops it."""

from dataclasses import dataclass

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.widgets.setting import Setting, draw_widget

PAUSE = 0.05  # seconds from one drawing to the next


@dataclass(frozen=True)
class ProgressSwitch:
    """While its switch is on, all is drawn again as soon as there is more; the view computes it (`Shown.afterwards`).

    name: the prefix of its keys. done of many: items; words: what they are. switch: the setting that says whether to go
    on, and runs its value.
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
