"""Play, pause, step and step back through a text that a model writes, a few tokens at a time."""

from collections.abc import Callable

import streamlit as st

from pages.canvas.ticker.ticker import ticker
from pages.ui.address import fits
from pages.ui.settings import Setting, ask

SECONDS = 0.15  # from a token on the screen to the next
Reach = Callable[[int], tuple[int, bool]]  # of a wished number of tokens: how many there are, whether that is the end


def advance(page: str, count: Setting, most: int, reach: Reach) -> bool:
    """Find out how far the text goes. Call before the count's widget is drawn.

    Returns whether the text is over; a number of tokens that it does not have is put right, and a text that is over
    plays no longer.
    """
    state = st.session_state
    wished = min(asked_for(count, most), most)
    have, over = reach(wished)
    if have < wished and count.key in state:  # the first run leaves the number in the address
        state[count.key] = have
    state[_have(page)] = have
    if over or have >= most:
        rest(page)
    return over


def halt(page: str, count: Setting, at: int) -> None:
    """Go to `at` tokens and stop there. For callbacks."""
    st.session_state[count.key] = at
    rest(page)


def playing(page: str) -> bool:
    return bool(st.session_state.get(_key(page)))


def rest(page: str) -> None:
    """Play no longer."""
    st.session_state[_key(page)] = False


def asked_for(count: Setting, most: int) -> int:
    """How many tokens the visitor asks for; on the first run, when its widget is not drawn yet, as the address says.

    The widget drops a number above `most` from the address.
    """
    if count.key in st.session_state:
        return int(st.session_state[count.key] or 0)
    text = st.query_params.get(count.key, "")
    return int(text) if fits(count, text) and int(text) <= most else int(count.default)


def controls(
    page: str,
    count: Setting,
    most: int,
    ended: bool,
    on_move: Callable[[], None] | None = None,
    beside: Setting | None = None,
) -> int:
    """The row of buttons and the number of tokens written, which they change; returns that number.

    ended: whether the text is over. on_move: called when the visitor goes to another token. beside: a setting asked
    for in the same row, the number of a token that is written; its value is in the session state.
    """
    state = st.session_state
    have = state[_have(page)]

    def move(to: int, play: bool = False) -> None:
        halt(page, count, max(0, min(most, to)))
        state[_key(page)] = play
        if on_move and (play or to != have):
            on_move()

    def changed() -> None:
        if on_move and not plays:  # of a text that is played, a tick may bring a number that is older
            on_move()

    def tick(at: int) -> None:
        state[count.key] = min(at + 1, most)

    plays = playing(page)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key=f"{page}-player"):
        _button("Restart", "first_page", f"{page}-restart", move, 0, disabled=have == 0)
        _button("Back", "chevron_left", f"{page}-back", move, have - 1, disabled=have == 0)
        again = ended or have >= most
        words = ("Pause", "pause") if plays else ("Play again", "replay") if again else ("Play", "play_arrow")
        st.button(
            words[0],
            icon=f":material/{words[1]}:",
            key=f"{page}-play",
            type="primary",
            on_click=move,
            args=(0 if again and not plays else have, not plays),
            width=130,
        )
        _button("Step", "chevron_right", f"{page}-step", move, have + 1, disabled=ended or have >= most)
        number = int(ask(count, high=most, width=150, on_change=changed) or 0)
        if beside is not None:
            ask(beside, high=max(0, number - 1), width=150, placeholder="the last")
        ticker(have if plays else None, key=f"{page}-ticker", wait=SECONDS, on_tick=tick)
        return number


def _button(label: str, icon: str, key: str, move: Callable[[int], None], to: int, disabled: bool = False) -> None:
    st.button(label, icon=f":material/{icon}:", key=key, on_click=move, args=(to,), disabled=disabled)


def _key(page: str) -> str:
    return f"{page}-playing"


def _have(page: str) -> str:
    return f"{page}-have"
