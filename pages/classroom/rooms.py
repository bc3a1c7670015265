"""A room: who is in it, what was answered, and what may happen next. It knows neither the web nor any right answer."""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.lessons.inventory import HALVES
from core.lessons.lesson import Screen
from pages.classroom.plans import ClassPlan, PlanQuestion
from pages.classroom.polls import Poll
from pages.classroom.refusals import NotAllowed, RoomFull
from pages.classroom.seats import Participant, free_seat, is_full, longest_away
from pages.classroom.states import CLEARED, TRUTH_SHOWN, VOTES, State, is_leavable, next_states

Pace = Literal["together", "free"]


@dataclass(eq=False)
class Room:
    """A class in progress: its plan, its participants and their answers.

    code: five letters, by which phones join.
    secret: known to the browser alone that opened the class.
    projector: part of the projector's address.
    opening_text: the text that all questions are asked about; "" if each is asked about that of its lesson.
    opened: the time of the clock at which it was opened.
    number: the screen that the class is at, from 1: a question of the plan.
    is_over: whether the teacher has ended the lesson; the room is still there.
    pace: whether the teacher leads, or everyone goes at their own pace.
    is_locked: whether nobody else may join.
    version: changes with all that every phone shows.
    """

    code: str
    secret: str
    projector: str
    plan: ClassPlan
    opening_text: str
    clock: Callable[[], float] = time.monotonic
    number: int = 1
    is_over: bool = False
    pace: Pace = "together"
    is_locked: bool = False
    version: int = 0
    participants: dict[str, Participant] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opened = self.seen = self.clock()
        self.polls = [Poll(since=self.opened) for _ in self.plan.questions]
        self.texts = ["" if each.when else self.opening_text or each.words for each in self.plan.questions]
        self._lock = threading.RLock()

    @property
    def poll(self) -> Poll:
        """The votes on the screen that the class is at."""
        return self.polls[self.number - 1]

    def keep_words(self, numbers: Iterable[int]) -> None:
        """Ask the questions with these numbers about the sentences of their lessons."""
        for number in set(numbers):
            self.texts[number - 1] = self.question(number).words

    @property
    def text(self) -> str:
        """The text that the question is about which the class is at."""
        return self.texts[self.number - 1]

    @property
    def screens(self) -> tuple[Screen, ...]:
        """The screens of all questions, in their order."""
        return tuple(question.screen for question in self.plan.questions)

    def question(self, number: int) -> PlanQuestion:
        """Return a question of the plan by its number, from 1."""
        return self.plan.questions[number - 1]

    @property
    def next_states(self) -> tuple[State, ...]:
        """The states that may follow that of the present question."""
        return next_states(self.poll.state, self.question(self.number).when)

    @property
    def is_leavable(self) -> bool:
        """Whether the class may go to another screen."""
        return self.is_over or is_leavable(self.poll.state, self.question(self.number).when)

    @property
    def stuck(self) -> int:
        """The number of participants who have said that they are stuck."""
        return sum(participant.is_stuck for participant in list(self.participants.values()))

    @property
    def is_vote_clearable(self) -> bool:
        """Whether the class is at a vote whose truth is not shown."""
        return self.poll.state in CLEARED and not self.is_over and self.pace == "together"

    @property
    def is_truth_shown(self) -> bool:
        """Whether the class is at a question and sees what is right."""
        return self.poll.state in TRUTH_SHOWN and not self.is_over and self.pace == "together"

    @property
    def joined(self) -> int:
        """The number of participants who have a seat, or who have answered in the present vote."""
        latest = self.poll.latest
        return sum(each.has_seat or each.id in latest for each in list(self.participants.values()))

    @property
    def connected(self) -> int:
        """The number of participants whose phones follow the events now."""
        return sum(each.is_connected for each in list(self.participants.values()))

    def check_joinable(self) -> None:
        """Raise NotAllowed if nobody else may join, RoomFull if there is no seat."""
        with self._lock:
            if self.is_locked:
                raise NotAllowed("Your teacher lets nobody else join.")
            if is_full(self.participants.values()) and self._free_seat() is None:
                raise RoomFull

    def join(self, known: str = "") -> Participant:
        """Return the participant of this id, or a new one on the present screen.

        Raises NotAllowed if nobody else may join, RoomFull if there is no seat.
        """
        with self._lock:
            if known in self.participants:
                return self.participant(known)
            self.check_joinable()
            self._make_place()
            halves = [each.half for each in self.participants.values()]
            half = min(HALVES, key=halves.count)  # so in turn, as they join
            joined = Participant(secrets.token_urlsafe(16), secrets.token_urlsafe(16), half, self.number, self._see())
            self.participants[joined.id] = joined
            return joined

    def participant(self, known: str) -> Participant:
        """Return the participant of this id, who is given a seat again after losing it.

        Raises KeyError if there is none, RoomFull if there is no seat.
        """
        with self._lock:
            participant = self.participants[known]
            participant.seen = self._see()
            if not participant.has_seat:
                self._make_place()
                participant.has_seat = True
            return participant

    def with_ticket(self, ticket: str) -> Participant | None:
        """Return the participant of this ticket; None if there is none."""
        return next((each for each in list(self.participants.values()) if each.ticket == ticket), None)

    def connect(self, participant: Participant, connection: str) -> None:
        """Record that a participant's phone follows the events by a stream, instead of an earlier one.

        connection: names the stream.
        """
        participant.connection, participant.was_connected = connection, True
        participant.seen = self._see()

    def disconnect(self, participant: Participant, connection: str) -> None:
        """Record that a stream has ended; the phone may follow by another meanwhile."""
        if participant.connection == connection:
            participant.connection = ""
        participant.seen = self._see()

    def drop_copy(self, copy: str) -> None:
        """Record that a copy of the app has ended, whose streams have its name before a dot."""
        for each in self.participants.values():
            if each.connection.partition(".")[0] == copy:
                each.connection = ""

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

    def is_ended(self, number: int) -> bool:
        """Return whether the class has seen what is right on a screen, or has ended without a vote on it."""
        state = self.polls[number - 1].state
        return state in TRUTH_SHOWN or (self.is_over and state is State.WAITING)

    def answer(self, participant: Participant, number: int, vote: int, answer: Any, edition: int = 0) -> None:
        """Store a participant's answer, in place of an earlier one.

        At their own pace, participants see the right answer after theirs, which is then final.

        number, vote: the number of the screen and of the vote (1 or 2) that the phone showed.
        edition: that of the screen's sentence which the phone showed.

        Raises NotAllowed if that vote is not open, or if the sentence has been changed since.
        """
        with self._lock:
            shown, state = self.shown_to(participant)
            if shown != number or VOTES.get(state) != vote:
                raise NotAllowed("This vote is closed.")
            if self.polls[number - 1].edition != edition:
                raise NotAllowed("Your teacher has changed the sentence.")
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
            if to not in self.next_states:
                raise NotAllowed(f"A question that is {self.poll.state} cannot become {to}.")
            self.poll.state, self.poll.since = to, self.clock()
            self._change()

    def set_choice(self, number: int, edition: int, choice: Mapping[str, Any]) -> None:
        """Store what the teacher has chosen in the drawing of a question; the projector's drawing follows it.

        number, edition: of the screen and of its sentence, as the teacher's page showed them.

        Raises NotAllowed if the class does not see that drawing.
        """
        with self._lock:
            if not self.is_truth_shown or (number, edition) != (self.number, self.poll.edition):
                raise NotAllowed("The class does not see this picture.")
            self.poll.choice = choice
            self._see()

    def clear_vote(self) -> None:
        """Forget all answers of the present vote, and open it again if it was closed.

        Whoever never followed the class on a phone loses the seat as well.

        Raises NotAllowed if there is no vote, or if its truth is shown.
        """
        with self._lock:
            if not self.is_vote_clearable:
                raise NotAllowed("There is no vote to clear.")
            state = CLEARED[self.poll.state]
            self.poll.votes[VOTES[state] - 1].clear()
            for participant in list(self.participants.values()):
                if not participant.was_connected:
                    self._forget(participant)
            self.poll.state, self.poll.since = state, self.clock()
            self._change()

    def change_text(self, text: str) -> None:
        """Ask the present question about another text, from the beginning; its answers are forgotten.

        Later questions about the text that it had are asked about the new one, too, unless they have begun.

        Raises NotAllowed if the class is at no question about a text, or if the text is the one that there is.
        """
        with self._lock:
            if self.is_over or self.pace == "free":
                raise NotAllowed("The class is not at a question.")
            former = self.text
            if self.question(self.number).when:
                raise NotAllowed("These questions are about no sentence.")
            if text in ("", former):
                raise NotAllowed("This is the sentence that the class has.")
            for number, poll in enumerate(self.polls, 1):
                is_here = number == self.number
                is_same = self.texts[number - 1] == former and not self.question(number).when
                if is_here or (number > self.number and is_same and not poll.has_begun):
                    self.texts[number - 1] = text
                    since = self.clock()
                    self.polls[number - 1] = Poll(since=since, edition=poll.edition + 1, is_changed=is_here)
            for participant in self.participants.values():
                participant.shown.discard(self.number)
            self._lower_hands()
            self._change()

    def set_locked(self, is_locked: bool) -> None:
        """Set whether nobody else may join. Whoever is known in the room comes and goes as before."""
        self.is_locked = is_locked
        self._see()

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
        if not self.is_leavable:
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

    def _free_seat(self) -> Participant | None:
        return free_seat(self.participants.values(), self.clock())

    def _make_place(self) -> None:
        """See to it that there is a seat. Its former participant is remembered after an answer. Raises RoomFull."""
        if not is_full(self.participants.values()):
            return
        former = self._free_seat()
        if former is None:
            raise RoomFull
        if not former.was_connected or not any(former.id in vote for poll in self.polls for vote in poll.votes):
            self._forget(former)
            return
        former.has_seat = former.is_stuck = False
        if oldest := longest_away(self.participants.values()):
            self._forget(oldest)

    def _forget(self, participant: Participant) -> None:
        """Delete a participant with all answers."""
        del self.participants[participant.id]
        for poll in self.polls:
            for vote in poll.votes:
                vote.pop(participant.id, None)
