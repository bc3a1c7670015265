"""Rooms: what may follow what, who may answer when, and how long a room is there."""

from collections.abc import Callable, Iterable
from itertools import product

import pytest

from pages.classroom.plans import lesson_plan
from pages.classroom.refusals import NotAllowed
from pages.classroom.rooms import Room
from pages.classroom.states import LEAVABLE, NEXT, State
from tests.pages.classroom.lesson import LESSON, Clock

WAYS: dict[State, tuple[State, ...]] = {
    State.WAITING: (),
    State.OPEN: (State.OPEN,),
    State.CLOSED: (State.OPEN, State.CLOSED),
    State.SPREAD: (State.OPEN, State.CLOSED, State.SPREAD),
    State.SECOND: (State.OPEN, State.CLOSED, State.SPREAD, State.SECOND),
    State.CLOSED_AGAIN: (State.OPEN, State.CLOSED, State.SECOND, State.CLOSED_AGAIN),
    State.SPREAD_AGAIN: (State.OPEN, State.CLOSED, State.SECOND, State.CLOSED_AGAIN, State.SPREAD_AGAIN),
    State.REVEAL: (State.OPEN, State.CLOSED, State.REVEAL),
    State.EXPLAIN: (State.OPEN, State.CLOSED, State.REVEAL, State.EXPLAIN),
}


def room_at(state: State = State.WAITING, clock: Clock | None = None) -> Room:
    room = Room("BCDFG", "secret", "projector", lesson_plan(LESSON), LESSON.words, clock or Clock())
    for step in WAYS[state]:
        room.advance(step)
    return room


ALLOWED = {
    (State.WAITING, State.OPEN),
    (State.OPEN, State.CLOSED),
    (State.CLOSED, State.SPREAD),
    (State.CLOSED, State.SECOND),
    (State.CLOSED, State.REVEAL),
    (State.SPREAD, State.SECOND),
    (State.SPREAD, State.REVEAL),
    (State.SECOND, State.CLOSED_AGAIN),
    (State.CLOSED_AGAIN, State.SPREAD_AGAIN),
    (State.CLOSED_AGAIN, State.REVEAL),
    (State.SPREAD_AGAIN, State.REVEAL),
    (State.REVEAL, State.EXPLAIN),
}


@pytest.mark.parametrize(("before", "after"), product(State, State))
def test_each_state_has_its_followers_and_no_others(before: State, after: State) -> None:
    room = room_at(before)
    version = room.version
    if (before, after) in ALLOWED:
        room.advance(after)
        assert room.poll.state is after and room.version == version + 1
    else:
        with pytest.raises(NotAllowed, match="cannot become"):
            room.advance(after)
        assert room.poll.state is before and room.version == version


def test_no_way_leads_back_to_a_vote_that_was_closed() -> None:
    def after(state: State, seen: frozenset[State] = frozenset()) -> Iterable[State]:
        for follower in set(NEXT[state]) - seen:
            yield follower
            yield from after(follower, seen | {follower})

    assert all(state not in after(state) for state in State)


@pytest.mark.parametrize("state", State)
def test_answers_are_taken_while_a_vote_is_open(state: State) -> None:
    room = room_at(state)
    someone = room.join()
    for vote in (1, 2):
        if (state, vote) in ((State.OPEN, 1), (State.SECOND, 2)):
            room.answer(someone, 1, vote, "rows")
            room.answer(someone, 1, vote, "columns")  # until it closes
            assert room.value(someone, 1) == "columns" and len(room.poll.latest) == 1
        else:
            with pytest.raises(NotAllowed, match="closed"):
                room.answer(someone, 1, vote, "rows")
    for number in (2, 0, 99):
        with pytest.raises(NotAllowed):
            room.answer(someone, number, 1, "rows")


def test_the_second_vote_leaves_the_first_as_it_was() -> None:
    room = room_at(State.OPEN)
    one, other = room.join(), room.join()
    room.answer(one, 1, 1, "rows")
    room.answer(other, 1, 1, "columns")
    for step in (State.CLOSED, State.SPREAD, State.SECOND):
        room.advance(step)
    assert room.poll.latest == {} and room.value(other, 1) == "columns"
    room.answer(other, 1, 2, "rows")
    room.advance(State.CLOSED_AGAIN)
    assert [*room.poll.votes[0].values()] == ["rows", "columns"]
    assert room.poll.latest == {other.id: "rows"} and room.value(other, 1) == "rows"


def test_a_second_vote_without_answers_counts_no_more() -> None:
    room = room_at(State.OPEN)
    one = room.join()
    room.answer(one, 1, 1, "rows")
    for step in (State.CLOSED, State.SECOND, State.CLOSED_AGAIN):
        room.advance(step)
    assert room.poll.latest == {}
    room.advance(State.REVEAL)
    assert room.poll.latest == {one.id: "rows"}


@pytest.mark.parametrize("state", State)
def test_a_class_leaves_a_question_before_its_vote_or_after_the_truth(state: State) -> None:
    acts: tuple[Callable[[Room], None], ...] = (
        lambda room: room.show_screen(2),
        Room.finish,
        lambda room: room.set_pace("free"),
    )
    for act in acts:
        room = room_at(state)
        if state in LEAVABLE:
            act(room)
        else:
            with pytest.raises(NotAllowed, match="Show first"):
                act(room)
            assert (room.number, room.is_over, room.pace) == (1, False, "together")


def test_a_screen_is_found_again_as_it_was_left() -> None:
    room = room_at(State.EXPLAIN)
    room.show_screen(2)
    assert room.poll.state is State.WAITING
    room.show_screen(1)
    assert room.poll.state is State.EXPLAIN
    with pytest.raises(NotAllowed):
        room.advance(State.OPEN)
    for number in (0, len(LESSON.screens) + 1):
        with pytest.raises(NotAllowed, match="no screen"):
            room.show_screen(number)


def test_late_comers_land_where_the_class_is() -> None:
    room = room_at(State.EXPLAIN)
    room.show_screen(3)
    room.advance(State.OPEN)
    late = room.join()
    assert room.shown_to(late) == (3, State.OPEN) and not room.sees_truth(late, 3)
    room.advance(State.CLOSED)
    later = room.join()
    with pytest.raises(NotAllowed):
        room.answer(later, 3, 1, [0, 0])


def test_a_phone_that_comes_again_is_the_same_participant() -> None:
    room = room_at()
    one = room.join()
    assert room.join(one.id) is one and room.join("made up").id != "made up"
    assert len(room.participants) == 2 and len({one.id, one.ticket, room.secret, room.projector}) == 4
    with pytest.raises(KeyError):
        room.participant("made up")


def test_hands_go_down_with_the_next_screen() -> None:
    room = room_at()
    one, other = room.join(), room.join()
    room.set_stuck(one, True)
    room.set_stuck(other, True)
    room.set_stuck(other, False)
    assert room.stuck == 1
    room.show_screen(2)
    assert room.stuck == 0


def test_everyone_goes_at_their_own_pace_and_sees_the_truth_after_the_answer() -> None:
    room = room_at(State.EXPLAIN)
    fast, slow = room.join(), room.join()
    with pytest.raises(NotAllowed, match="leads"):
        room.go_on(fast, 1)
    room.set_pace("free")
    assert room.shown_to(fast) == (1, State.EXPLAIN)
    room.go_on(fast, 1)
    assert room.shown_to(fast) == (2, State.OPEN) and room.shown_to(slow) == (1, State.EXPLAIN)
    with pytest.raises(NotAllowed, match="Answer this"):
        room.go_on(fast, 2)
    room.answer(fast, 2, 1, 1)
    assert room.sees_truth(fast, 2) and not room.sees_truth(slow, 2)
    with pytest.raises(NotAllowed):
        room.answer(fast, 2, 1, 2)
    with pytest.raises(NotAllowed):  # a click that came twice
        room.go_on(fast, 1)
    with pytest.raises(NotAllowed):
        room.advance(State.OPEN)
    for number in range(2, len(LESSON.screens) + 1):
        if number > 2:
            room.answer(fast, number, 1, 1)
        room.go_on(fast, number)
    assert room.shown_to(fast)[0] == len(LESSON.screens) + 1
    with pytest.raises(NotAllowed):
        room.go_on(fast, len(LESSON.screens) + 1)


def test_who_has_seen_a_truth_answers_no_more_when_the_class_is_together_again() -> None:
    room = room_at()
    ahead, other = room.join(), room.join()
    room.set_pace("free")
    room.answer(ahead, 1, 1, "columns")
    room.set_pace("together")
    room.advance(State.OPEN)
    assert room.shown_to(ahead) == (1, State.OPEN)
    with pytest.raises(NotAllowed, match="seen the right answer"):
        room.answer(ahead, 1, 1, "rows")
    room.answer(other, 1, 1, "rows")
    assert set(room.poll.latest.values()) == {"columns", "rows"}


def test_the_end_can_be_taken_back() -> None:
    room = room_at(State.EXPLAIN)
    one = room.join()
    room.finish()
    assert room.shown_to(one) == (len(LESSON.screens) + 1, State.EXPLAIN)
    with pytest.raises(NotAllowed):
        room.advance(State.OPEN)
    room.show_screen(2)
    assert room.shown_to(one) == (2, State.WAITING)
