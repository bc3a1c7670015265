"""The votes on one question of a room."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.classroom.states import VOTES, State


@dataclass(eq=False)
class Poll:
    """The votes on one question.

    votes: the answers of the first and of the second vote, by the participant's id.
    since: the time of the clock at which its state began.
    edition: how often its sentence has been changed; an answer to an earlier edition is not counted.
    is_changed: whether the class has seen its sentence change.
    choice: what the teacher has chosen in its drawing, which the projector's drawing follows; None for nothing.
    """

    state: State = State.WAITING
    votes: tuple[dict[str, Any], dict[str, Any]] = field(default_factory=lambda: ({}, {}))
    since: float = 0.0
    edition: int = 0
    is_changed: bool = False
    choice: Mapping[str, Any] | None = None

    @property
    def number(self) -> int:
        """The number of the open vote, or else of the last one with an answer: 1 or 2."""
        return VOTES.get(self.state) or (2 if self.votes[1] or self.state is State.CLOSED_AGAIN else 1)

    @property
    def latest(self) -> dict[str, Any]:
        """The answers of that vote."""
        return self.votes[self.number - 1]

    @property
    def has_begun(self) -> bool:
        """Whether it was opened, or answered by somebody at their own pace."""
        return self.state is not State.WAITING or any(self.votes)
