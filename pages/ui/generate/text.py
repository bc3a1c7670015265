"""The text of the page Generate: the beginning, what the model wrote behind it, and the branches in it."""

import re
from dataclasses import dataclass

import streamlit as st

from core.decoding.sampling import Sampling
from core.explorer.generation.records import GeneratedToken, GenerationStep
from core.tracing.run import Run
from pages.canvas.token_buttons.token_buttons import Token, TokenButtons
from pages.ui.generate.choices import COUNT, FORCED, LOOKED
from pages.ui.say import notes
from pages.ui.writing import cache
from pages.ui.writing.player import halt

PAGE = "generate"
MOST = 200
PAIR = re.compile(r"(\d{1,3}):(\d{1,7})", re.ASCII)
LINES = 3  # of the text, before it scrolls
BITS = 12.0  # a surprisal of this many bits has the full colour


@dataclass(frozen=True)
class Story:
    """A text as far as it is written. start: the ids of the beginning."""

    run: Run
    sampling: Sampling
    forced: cache.Forced
    start: tuple[int, ...]
    written: tuple[GeneratedToken, ...]

    def ids(self, at: int) -> tuple[int, ...]:
        """What the model had read when it chose token `at`."""
        return (*self.start, *(each.chosen for each in self.written[:at]))

    def step(self, at: int) -> GenerationStep:
        """The choice of token `at`."""
        return cache.step(self.run, self.ids(at), self.sampling, at, dict(self.forced).get(at))

    def chosen_after(self, row: int) -> int | None:
        """The number of the written token that was chosen once the token at `row` of the text had been read."""
        place = row - len(self.start) + 1
        return place if 0 <= place < len(self.written) else None

    @property
    def pieces(self) -> tuple[str, ...]:
        return (*cache.start_pieces(self.run), *(each.piece for each in self.written))


def branches(run: Run) -> cache.Forced:
    """The tokens that the visitor writes in the model's place; what cannot be used is left out, with a note."""
    found, wrong = read_branches(st.session_state.get(FORCED.key) or "", run.config.vocab_size)
    if wrong:
        some = ", ".join(f"“{each[:20]}”" for each in wrong[:3]) + (" and more" if len(wrong) > 3 else "")
        notes(
            [
                "Branches are written place:id, with places below 200 and this model's ids below "
                f"{run.config.vocab_size:,}. Left out: {some}."
            ]
        )
    return found


def read_branches(text: str, vocabulary: int) -> tuple[cache.Forced, list[str]]:
    """ "3:512, 7:88" as ((3, 512), (7, 88)), and the parts that name no place and token."""
    found, wrong = {}, []
    for part in filter(None, (each.strip() for each in text.split(","))):
        match = PAIR.fullmatch(part)
        if match and int(match[1]) < MOST and int(match[2]) < vocabulary:
            found[int(match[1])] = int(match[2])
        else:
            wrong.append(part)
    return tuple(sorted(found.items())), wrong


def look_at(place: int) -> None:
    """Look at another written token, counted from 0. For callbacks."""
    st.session_state[LOOKED.key] = place


def branch(story: Story, at: int, token: int) -> None:
    """Write another token at a place; what came after it goes. For callbacks."""
    kept = {place: each for place, each in story.forced if place < at} | {at: token}
    state = st.session_state
    state[FORCED.key] = ",".join(f"{place}:{each}" for place, each in sorted(kept.items()))
    state[LOOKED.key] = None
    halt(PAGE, COUNT, at + 1)


def unbranch() -> None:
    st.session_state[FORCED.key] = ""


def draw_text(story: Story) -> int | None:
    """The whole text as buttons; returns the number of the written token that is looked at, if any is written."""
    wished = st.session_state.get(LOOKED.key)
    last = len(story.written) - 1
    at = last if wished is None else min(int(wished), last)
    beginning = [Token(piece, "the beginning", still=True) for piece in cache.start_pieces(story.run)]
    tokens = beginning + [_token(each, place) for place, each in enumerate(story.written)]
    first = len(beginning)

    def pick(place: int) -> None:
        if place >= first:
            look_at(place - first)

    TokenButtons(
        tokens,
        key="generate-text",
        name="The text, token by token",
        selected=first + at if at >= 0 else None,
        sets=pick,
        caption="Framed: written by the model; dashed: by you. The stronger the colour, the more it surprised the "
        f"model, up to {BITS:g} bits. Click one to see how it was chosen.",
        lines=LINES,
    ).draw()
    return at if at >= 0 else None


def _token(each: GeneratedToken, place: int) -> Token:
    how = "written in the model's place" if each.forced else f"chance {100 * each.own:.3g} %"
    note = f"written {place}, {how}, surprisal {each.surprisal:.2f} bits"
    return Token(each.piece, note, min(1.0, each.surprisal / BITS), new=True, forced=each.forced)
