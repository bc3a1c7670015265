"""The text of the page Generate: the beginning, what the model wrote behind it, and the branches in it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.decoding.sampling import Sampling
from core.explorer.generation.records import GeneratedToken, GenerationStep
from core.text.special import EOS
from core.tracing.run import Run, text_limit
from pages.queries import generation as queries
from pages.shell import Shown
from pages.transformer.generate.settings import (
    COUNT,
    FORCED,
    LOOKED,
    MIN_P,
    MOST,
    PENALTY,
    SAMPLING,
    SEED,
    TEMPERATURE,
    TOP_K,
    TOP_P,
)
from pages.widgets import Control, Message, Values, control, playing_key

NAME = "generate"  # of the page and its player
PAIR = re.compile(r"(\d{1,3}):(\d{1,7})", re.ASCII)
BRANCH_CHARACTERS = 400
UNWRITTEN = Shown([Message("Nothing is written yet: press Step or Play.", icon=":material/play_arrow:")])


@dataclass(frozen=True)
class Story:
    """A text as far as it is written. start: the ids of the beginning; most: how many tokens can be written; looked:
    the number of the token that the visitor looks at, None for the last."""

    run: Run
    sampling: Sampling
    forced: queries.Forced
    start: tuple[int, ...]
    written: tuple[GeneratedToken, ...]
    most: int
    looked: int | None

    @property
    def at(self) -> int:
        """The number of the token looked at; −1 while nothing is written."""
        last = len(self.written) - 1
        return last if self.looked is None else min(self.looked, last)

    @property
    def ids(self) -> tuple[int, ...]:
        """What the model had read when it chose the token looked at."""
        return (*self.start, *(each.chosen for each in self.written[: self.at]))

    @property
    def step(self) -> GenerationStep:
        """The choice of the token looked at."""
        return queries.step(self.run, self.ids, self.sampling, self.at, dict(self.forced).get(self.at))

    @property
    def token(self) -> GeneratedToken:
        """The token looked at."""
        return self.written[self.at]

    @property
    def over(self) -> bool:
        """Whether nothing can follow."""
        return bool(self.written) and self.written[-1].ended

    @property
    def ended(self) -> bool:
        """Whether the model, or the visitor, wrote </s>."""
        return self.over and self.written[-1].chosen == EOS

    def chosen_after(self, row: int) -> int | None:
        """The number of the written token that was chosen once the token at `row` of the text had been read."""
        place = row - len(self.start) + 1
        return place if 0 <= place < len(self.written) else None

    def branch(self, token: int) -> Mapping[str, Any]:
        """The settings that write another token at this place; what came after it goes."""
        kept = {place: each for place, each in self.forced if place < self.at} | {self.at: token}
        return {
            FORCED.key: ",".join(f"{place}:{each}" for place, each in sorted(kept.items())),
            LOOKED.key: None,
            COUNT.key: self.at + 1,
            playing_key(NAME): False,
        }


def sampling_controls(run: Run, values: Values) -> Iterator[Control]:
    """How the next token is drawn; the branches stand behind "More"."""
    yield control(TEMPERATURE, step=0.1, format="%g", width=130)
    yield control(TOP_K, width=130)
    yield control(TOP_P, step=0.05, format="%g", width=130)
    yield control(MIN_P, "more", step=0.05, format="%g")
    yield control(PENALTY, "more", step=0.1, format="%g")
    yield control(SEED, "more")
    yield control(FORCED, "more", max_chars=BRANCH_CHARACTERS)


def story(run: Run, values: Values) -> Story:
    """The text that the model writes behind the visitor's own."""
    run = replace(run, pads=0)
    sampling = Sampling(*(values[each] for each in SAMPLING))
    start = queries.start(run)
    most = max(1, min(MOST, text_limit(run.config) - len(start) + 1))
    forced, _ = read_branches(values[FORCED], run.config.vocab_size)
    count = min(int(values[COUNT] or 0), most)
    written = queries.written(run, sampling, forced, count)
    looked = values[LOOKED]
    return Story(run, sampling, forced, start, written, most, None if looked is None else int(looked))


def read_branches(text: str | None, vocabulary: int) -> tuple[queries.Forced, list[str]]:
    """ "3:512, 7:88" as ((3, 512), (7, 88)), and the parts that name no place and token."""
    found, wrong = {}, []
    parts = (each.strip() for each in (text or "")[:BRANCH_CHARACTERS].split(","))
    for part in filter(None, parts):
        match = PAIR.fullmatch(part)
        if match and int(match[1]) < MOST and int(match[2]) < vocabulary:
            found[int(match[1])] = int(match[2])
        else:
            wrong.append(part)
    return tuple(sorted(found.items())), wrong


def left_out(text: str | None, vocabulary: int) -> str | None:
    """What of the branches cannot be used, as a sentence."""
    _, wrong = read_branches(text, vocabulary)
    if not wrong:
        return None
    some = ", ".join(f"“{each[:20]}”" for each in wrong[:3]) + (" and more" if len(wrong) > 3 else "")
    return (
        f"Branches are written place:id, with places below {MOST} and this model's ids below {vocabulary:,}. "
        f"Left out: {some}."
    )


def once_written(show: Callable[[Story, Values], Shown]) -> Callable[[Story, Values], Shown]:
    """A view of a token; a sentence in its place while there is none."""

    def shown(text: Story, values: Values) -> Shown:
        return show(text, values) if text.written else UNWRITTEN

    return shown
