"""A text as far as it is written: where a visitor looks in it, and the branches, tokens that stand in it at their wish.

A branch is the number of a written token and the id that is written there, whatever the model says.
"""

import re
from dataclasses import dataclass

from core.decoding.sampling import Sampling
from core.explorer.generation.records import GeneratedToken
from core.limits import BRANCH_CHARACTERS, WRITTEN_TOKENS
from core.model.config import TransformerConfig
from core.tracing.run import Run, text_limit

PAIR = re.compile(r"(\d{1,3}):(\d{1,7})", re.ASCII)
Branches = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Story:
    """A text as far as it is written. start: the ids of the beginning; most: how many tokens can be written; looked:
    the number of the token that the visitor looks at, None for the last."""

    run: Run
    sampling: Sampling
    forced: Branches
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
    def token(self) -> GeneratedToken:
        """The token looked at."""
        return self.written[self.at]

    @property
    def forced_here(self) -> int | None:
        """The id that a branch writes at the token looked at."""
        return dict(self.forced).get(self.at)

    @property
    def over(self) -> bool:
        """Whether nothing can follow."""
        return bool(self.written) and self.written[-1].ended

    @property
    def ended(self) -> bool:
        """Whether the model, or the visitor, wrote </s>."""
        return self.over and self.written[-1].chosen in self.run.special.ends

    def chosen_after(self, row: int) -> int | None:
        """The number of the written token that was chosen once the token at `row` of the text had been read."""
        place = row - len(self.start) + 1
        return place if 0 <= place < len(self.written) else None

    def branches_with(self, token: int) -> str:
        """The branches that write another token at this place, as `read_branches` reads them; later ones are gone."""
        left = {place: each for place, each in self.forced if place < self.at} | {self.at: token}
        return ",".join(f"{place}:{each}" for place, each in sorted(left.items()))


def room_behind(config: TransformerConfig, start: int) -> int:
    """How many tokens are written at most behind `start` of them; never less than one."""
    return max(1, min(WRITTEN_TOKENS, text_limit(config) - start + 1))


def read_branches(text: str | None, vocabulary: int) -> tuple[Branches, list[str]]:
    """ "3:512, 7:88" as ((3, 512), (7, 88)), and what is left out: the parts that name no place and token, and
    what stands behind the last comma within `BRANCH_CHARACTERS`."""
    found, wrong = {}, []
    read, rest = _until_comma(text or "")
    for part in _parts(read):
        match = PAIR.fullmatch(part)
        if match and int(match[1]) < WRITTEN_TOKENS and int(match[2]) < vocabulary:
            found[int(match[1])] = int(match[2])
        else:
            wrong.append(part)
    return tuple(sorted(found.items())), [*wrong, *_parts(rest)]


def _until_comma(text: str) -> tuple[str, str]:
    """What is read of a text, as far as the last comma within the limit, and what stands behind that."""
    read = text if len(text) <= BRANCH_CHARACTERS else text[: BRANCH_CHARACTERS + 1].rpartition(",")[0]
    return read, text[len(read) :]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
