"""A text as written so far: the token that the visitor has selected, and the branches, tokens that the visitor forces.

A branch is the number of a written token and the id that is written there, whatever the model predicts.
"""

import re
from dataclasses import dataclass

from core.decoding.sampling import Sampling
from core.limits import BRANCH_CHARACTERS, WRITTEN_TOKENS
from core.model.config import TransformerConfig
from core.topics.generate.records import GeneratedToken
from core.tracing.run import Run, text_limit

PAIR = re.compile(r"(\d{1,3}):(\d{1,7})", re.ASCII)
Branches = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Story:
    """A text as written so far.

    forced: the branches.
    start: the ids that the model reads before the first token that it writes.
    written: the tokens written so far.
    max_tokens: the largest number of tokens that can be written.
    looked: the number of the token that the visitor has selected; None for the last one.
    """

    run: Run
    sampling: Sampling
    forced: Branches
    start: tuple[int, ...]
    written: tuple[GeneratedToken, ...]
    max_tokens: int
    looked: int | None

    @property
    def at(self) -> int:
        """The number of the selected token; −1 if nothing is written yet."""
        last = len(self.written) - 1
        return last if self.looked is None else min(self.looked, last)

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids that the model had read when it chose the selected token."""
        return (*self.start, *(token.chosen for token in self.written[: self.at]))

    @property
    def token(self) -> GeneratedToken:
        """The selected token, with the numbers of its choice."""
        return self.written[self.at]

    @property
    def forced_here(self) -> int | None:
        """The id that a branch forces at the selected token; None if no branch forces a token there."""
        return dict(self.forced).get(self.at)

    @property
    def over(self) -> bool:
        """Whether nothing can be written after the last token."""
        return bool(self.written) and self.written[-1].ended

    @property
    def ended(self) -> bool:
        """Whether the text ends with </s>, written by the model or forced by the visitor."""
        return self.over and self.written[-1].chosen in self.run.format.special.ends

    def chosen_after(self, row: int) -> int | None:
        """Return the number of the written token that was chosen after the token at `row` of the text was read.

        None if no written token was chosen there.
        """
        number = row - len(self.start) + 1
        return number if 0 <= number < len(self.written) else None

    def branches_with(self, token: int) -> str:
        """Return the branches with `token` forced in place of the selected token, as text that `read_branches` reads.

        Branches at later tokens are dropped.
        """
        branches = {number: forced_id for number, forced_id in self.forced if number < self.at} | {self.at: token}
        return ",".join(f"{number}:{forced_id}" for number, forced_id in sorted(branches.items()))


def room_behind(config: TransformerConfig, start: int) -> int:
    """Return how many tokens can be written after the first `start` ids before a limit is reached; at least one."""
    return max(1, min(WRITTEN_TOKENS, text_limit(config) - start + 1))


def read_branches(text: str | None, vocabulary: int) -> tuple[Branches, list[str]]:
    """Parse "3:512, 7:88" into ((3, 512), (7, 88)), and return the parts that cannot be used.

    Not used are parts that do not name a valid token number and id, and the text after the last comma within
    `BRANCH_CHARACTERS`.

    text: the branches from the address; None is read as "".
    vocabulary: the number of ids.
    """
    branches, wrong = {}, []
    usable, rest = _until_comma(text or "")
    for part in _parts(usable):
        match = PAIR.fullmatch(part)
        if match and int(match[1]) < WRITTEN_TOKENS and int(match[2]) < vocabulary:
            branches[int(match[1])] = int(match[2])
        else:
            wrong.append(part)
    return tuple(sorted(branches.items())), [*wrong, *_parts(rest)]


def _until_comma(text: str) -> tuple[str, str]:
    """Split a text into the part that is read, up to the last comma within the limit, and the rest."""
    usable = text if len(text) <= BRANCH_CHARACTERS else text[: BRANCH_CHARACTERS + 1].rpartition(",")[0]
    return usable, text[len(usable) :]


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
