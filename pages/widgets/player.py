"""A player for a text that a model writes, or for the steps of a training: play, pause, step forward and back."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.session.visit import visit_state
from pages.widgets.parts import Part
from pages.widgets.setting import Setting, draw_widget

STEP_SECONDS = 0.15  # from one token on the screen to the next


@dataclass(frozen=True)
class Player(Part):
    """The buttons that move through a text, and the number of its tokens, which they change.

    name: the prefix of its keys.
    count: the setting that holds the number of tokens.
    max_count: the highest value of `count`.
    have: number of tokens that there are.
    over: whether the text ends there.
    looked: the setting that holds the number of the selected token, with its box in the same row; it is emptied when
        the visitor moves to another token.
    looked_label: its placeholder.
    opens: number of tokens to begin with, if `count` has no default of its own.
    stride: number of tokens that one tick adds while it plays.
    leaps: numbers of tokens that further buttons add at once.
    stops: the only numbers that can be shown, ascending, if not all can: Back, Step and ticks go to the next one.
    seconds: the time from one tick to the next.
    asked: number of tokens asked for, if there may be fewer as yet: it ticks until they are there, unless it is paused.
    """

    name: str
    count: Setting
    max_count: int
    have: int
    over: bool
    looked: Setting | None = None
    looked_label: str = "the last"
    opens: int | None = None
    stride: int = 1
    leaps: tuple[int, ...] = ()
    stops: Sequence[int] = ()
    seconds: float = STEP_SECONDS
    asked: int = 0

    def draw(self) -> None:
        self._settle()
        have, done = self.have, self.over or self.have >= self.max_count
        plays = playing(self.name) or have < self.asked
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key=f"{self.name}-player"):
            self._button("Restart", "first_page", 0, have == 0)
            self._button("Back", "chevron_left", self._before(), have == 0)
            words = ("Pause", "pause") if plays else ("Play again", "replay") if done else ("Play", "play_arrow")
            st.button(
                words[0],
                icon=f":material/{words[1]}:",
                key=f"{self.name}-play",
                type="primary",
                on_click=self._pause if plays else self._move,
                args=() if plays else (0 if done else have, True),
                width=130,
            )
            self._button("Step", "chevron_right", self._after(), done)
            for leap in self.leaps:
                self._button(f"+{leap}", "fast_forward", have + leap, done)
            begin = {} if self.opens is None else {"default": self.opens}
            number = int(draw_widget(self.count, high=self.max_count, width=150, on_change=self._changed, **begin) or 0)
            if number < self.have:  # the URL asked for more than the widget takes: run again with the widget's number
                st.rerun()
            if self.looked is not None:
                draw_widget(self.looked, high=max(0, number - 1), width=150, placeholder=self.looked_label)
            ticker(have if plays else None, key=f"{self.name}-ticker", wait=self.seconds, on_tick=self._tick)

    def _settle(self) -> None:
        """Lower the count to the number of tokens that there are, and stop playing at the end of the text.

        A count that is empty becomes `opens`.
        """
        state = st.session_state
        if self.opens is not None and state.get(self.count.key, 0) is None:  # it was reset, or emptied by hand
            state[self.count.key] = self.opens
        if self.count.key in state and max(self.have, self.asked) < int(state[self.count.key] or 0):
            state[self.count.key] = self.have
        if self.over or self.have >= self.max_count:
            stop_player(self.name)

    def _before(self) -> int:
        return max((stop for stop in self.stops if stop < self.have), default=self.have - 1)

    def _after(self) -> int:
        return min((stop for stop in self.stops if stop > self.have), default=self.have + 1)

    def _button(self, label: str, icon: str, to: int, disabled: bool) -> None:
        st.button(
            label,
            icon=f":material/{icon}:",
            key=f"{self.name}-{label.lower()}",
            on_click=self._move,
            args=(to,),
            disabled=disabled,
        )

    def _move(self, to: int, play: bool = False) -> None:
        state = st.session_state
        state[self.count.key] = max(0, min(self.max_count, to))
        stop_player(self.name)
        if play:
            visit_state().playing.add(self.name)
        if self.looked is not None and (play or to != self.have):
            state[self.looked.key] = None

    def _pause(self) -> None:
        state, key = st.session_state, self.count.key
        # A tick may have asked for one more than there were when this button was drawn. Set the number even if it is
        # the same: the browser may show another, from a tick that was interrupted. A player that waits would go on.
        state[key] = self.have if self.asked else max(self.have, int(state.get(key) or 0))
        stop_player(self.name)

    def _changed(self) -> None:
        asked = int(st.session_state.get(self.count.key) or 0)
        if self.have < asked < self._after():  # the field's own button adds 1, which is no stop
            st.session_state[self.count.key] = self._after()
        if self.looked is not None and not playing(self.name):  # while it plays, a tick may bring an older number
            st.session_state[self.looked.key] = None

    def _tick(self, step: int) -> None:
        if playing(self.name):
            asked = int(st.session_state.get(self.count.key) or 0)
            st.session_state[self.count.key] = max(asked, min(max(step + self.stride, self._after()), self.max_count))
            visit_state().automatic.add(self.count.key)


@dataclass(frozen=True)
class StopPlayer(Part):
    """A part that shows nothing and stops a player, for a view beside which a text does not play."""

    name: str

    def draw(self) -> None:
        stop_player(self.name)


@dataclass(frozen=True)
class DrawAgain(Part):
    """A part that shows nothing and has the view drawn again soon, because its background work is not done.

    key: its key.
    number: how far the work is; None if it is done.
    """

    key: str
    number: int | None

    def draw(self) -> None:
        ticker(self.number, key=self.key, wait=STEP_SECONDS, on_tick=lambda number: None)


def stop_player(name: str) -> None:
    """Stop the player of this name."""
    visit_state().playing.discard(name)


def playing(name: str) -> bool:
    """Return whether the player of this name plays."""
    return name in visit_state().playing
