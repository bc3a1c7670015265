"""A room: who is in it, what was answered, and what may happen next. It knows neither the web nor any right answer."""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from core.lessons.lesson import Lesson
from pages.classroom.states import LEAVABLE, NEXT, TRUTH_SHOWN, VOTES, State

MOST_PARTICIPANTS = 80
SILENT_SECONDS = 60.0  # after which somebody who has answered nothing may lose the seat in a full room
Pace = Literal["together", "free"]


class NotAllowed(ValueError):
    """The error for an action that a room does not allow now; its message is a sentence for the person who tried."""


class RoomFull(NotAllowed):
    """The error for a room without a free seat."""


@dataclass(eq=False)
class Poll:
    """The votes on one screen.

    votes: the answers of the first and of the second vote, by the participant's id.
    since: the time of the clock at which its state began.
    """

    state: State = State.WAITING
    votes: tuple[dict[str, Any], dict[str, Any]] = field(default_factory=lambda: ({}, {}))
    since: float = 0.0

    @property
    def number(self) -> int:
        """The number of the open vote, or else of the last one with an answer: 1 or 2."""
        return VOTES.get(self.state) or (2 if self.votes[1] or self.state is State.CLOSED_AGAIN else 1)

    @property
    def latest(self) -> dict[str, Any]:
        """The answers of that vote."""
        return self.votes[self.number - 1]


@dataclass(eq=False)
class Participant:
    """One person in a room, known by an id and not by name.

    id: known to this participant's phone alone.
    ticket: opens the stream of events of this phone.
    number: the screen that is shown, from 1, if everyone goes at their own pace.
    shown: the screens whose right answer this participant saw before the class did.
    """

    id: str
    ticket: str
    number: int
    seen: float
    shown: set[int] = field(default_factory=set)
    is_stuck: bool = False


@dataclass(eq=False)
class Room:
    """A class in progress: its lesson, its participants and their answers.

    code: five letters, by which phones join.
    secret: part of the teacher's address, and of no other.
    projector: part of the projector's address.
    text: the text that all questions are asked about.
    opened: the time of the clock at which it was opened.
    number: the screen that the class is at, from 1.
    is_over: whether the teacher has ended the lesson; the room is still there.
    pace: whether the teacher leads, or everyone goes at their own pace.
    version: changes with all that every phone shows.
    """

    code: str
    secret: str
    projector: str
    lesson: Lesson
    text: str
    clock: Callable[[], float] = time.monotonic
    number: int = 1
    is_over: bool = False
    pace: Pace = "together"
    version: int = 0
    participants: dict[str, Participant] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opened = self.seen = self.clock()
        self.polls = [Poll(since=self.opened) for _ in self.lesson.screens]
        self._lock = threading.RLock()

    @property
    def poll(self) -> Poll:
        """The votes on the screen that the class is at."""
        return self.polls[self.number - 1]

    @property
    def stuck(self) -> int:
        """The number of participants who have said that they are stuck."""
        return sum(participant.is_stuck for participant in list(self.participants.values()))

    def join(self, known: str = "") -> Participant:
        """Return the participant of this id, or a new one on the present screen.

        Raises RoomFull if there is no seat.
        """
        with self._lock:
            if known in self.participants:
                return self.participant(known)
            if len(self.participants) >= MOST_PARTICIPANTS:
                self._free_seat()
            joined = Participant(secrets.token_urlsafe(16), secrets.token_urlsafe(16), self.number, self._see())
            self.participants[joined.id] = joined
            return joined

    def participant(self, known: str) -> Participant:
        """Return the participant of this id. Raises KeyError if there is none."""
        participant = self.participants[known]
        participant.seen = self._see()
        return participant

    def shown_to(self, participant: Participant) -> tuple[int, State]:
        """Return the number and the state of the screen that a participant sees.

        The number is one more than there are screens for somebody who has been through all of them.
        """
        if self.pace == "together":
            return (len(self.polls) + 1, State.EXPLAIN) if self.is_over else (self.number, self.poll.state)
        number = participant.number
        done = number > len(self.polls) or number in participant.shown
        return number, State.EXPLAIN if done or self.polls[number - 1].state in TRUTH_SHOWN else State.OPEN

    def sees_truth(self, participant: Participant, number: int) -> bool:
        """Return whether a participant may see the right answer on a screen."""
        return self.polls[number - 1].state in TRUTH_SHOWN or number in participant.shown

    def answer(self, participant: Participant, number: int, vote: int, answer: Any) -> None:
        """Store a participant's answer, in place of an earlier one.

        At their own pace, participants see the right answer after theirs, which is then final.

        number, vote: the number of the screen and of the vote (1 or 2) that the phone showed.

        Raises NotAllowed if that vote is not open.
        """
        with self._lock:
            shown, state = self.shown_to(participant)
            if shown != number or VOTES.get(state) != vote:
                raise NotAllowed("This vote is closed.")
            if number in participant.shown:
                raise NotAllowed("You have seen the right answer.")
            self.polls[number - 1].votes[vote - 1][participant.id] = answer
            if self.pace == "free":
                participant.shown.add(number)

    def value(self, participant: Participant, number: int) -> Any:
        """Return a participant's last answer on a screen; None if there is none."""
        first, second = self.polls[number - 1].votes
        return second.get(participant.id, first.get(participant.id))

    def set_stuck(self, participant: Participant, is_stuck: bool) -> None:
        """Record whether a participant says that they are stuck."""
        participant.is_stuck = is_stuck

    def go_on(self, participant: Participant, number: int) -> None:
        """Take a participant to the screen after `number`, if everyone goes at their own pace.

        Raises NotAllowed if the question there is not answered yet, or if the teacher leads.
        """
        with self._lock:
            shown, state = self.shown_to(participant)
            if self.pace != "free" or shown > len(self.polls):
                raise NotAllowed("Your teacher leads the class.")
            if shown != number or state is not State.EXPLAIN:
                raise NotAllowed("Answer this question first.")
            participant.number, participant.is_stuck = number + 1, False

    def advance(self, to: State) -> None:
        """Move the current question to another state, such as from open to closed.

        Raises NotAllowed if that state cannot follow the present one.
        """
        with self._lock:
            if self.is_over or self.pace == "free":
                raise NotAllowed("The class is not at a question.")
            if to not in NEXT[self.poll.state]:
                raise NotAllowed(f"A question that is {self.poll.state} cannot become {to}.")
            self.poll.state, self.poll.since = to, self.clock()
            self._change()

    def show_screen(self, number: int) -> None:
        """Move the class to a screen, in the state in which it was left.

        Raises NotAllowed if there is no such screen, or if a vote has begun and its right answer is not shown yet.
        """
        with self._lock:
            if not 1 <= number <= len(self.polls):
                raise NotAllowed(f"There is no screen {number}.")
            self._check_leavable()
            self.number, self.is_over = number, False
            self.poll.since = self.clock()
            self._lower_hands()
            self._change()

    def finish(self) -> None:
        """End the lesson; phones then show the right answers.

        Raises NotAllowed if a vote has begun and its right answer is not shown yet.
        """
        with self._lock:
            self._check_leavable()
            self.is_over, self.pace = True, "together"
            self._lower_hands()
            self._change()

    def set_pace(self, pace: Pace) -> None:
        """Set whether the class goes through the lesson together or each participant at their own pace.

        Raises NotAllowed if a vote has begun and its right answer is not shown yet.
        """
        with self._lock:
            if pace == self.pace:
                return
            self._check_leavable()
            if pace == "free":
                for participant in self.participants.values():
                    participant.number = self.number
            self.pace, self.is_over = pace, False
            self._change()

    def touch(self) -> None:
        """Record that the teacher or the projector is still connected."""
        self._see()

    def _check_leavable(self) -> None:
        if not self.is_over and self.poll.state not in LEAVABLE:
            raise NotAllowed("Show first what is right: a vote has begun.")

    def _lower_hands(self) -> None:
        for participant in self.participants.values():
            participant.is_stuck = False

    def _change(self) -> None:
        self.version += 1
        self._see()

    def _see(self) -> float:
        self.seen = self.clock()
        return self.seen

    def _free_seat(self) -> None:
        """Take the seat of the participant who has been silent for longest, among those who have answered nothing."""
        answered = {known for poll in self.polls for vote in poll.votes for known in vote}
        silent = [seat for seat in self.participants.values() if seat.id not in answered]
        longest = min(silent, key=lambda participant: participant.seen, default=None)
        if longest is None or self.clock() - longest.seen < SILENT_SECONDS:
            raise RoomFull(f"This class is full: {MOST_PARTICIPANTS} are in it.")
        del self.participants[longest.id]
