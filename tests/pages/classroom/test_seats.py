"""Seats: who may take one, who loses it, what stays of the answers; and people who want to fill a class."""

from collections.abc import Iterator
from random import Random

import pytest

from pages.classroom.limits import JOIN_LIMIT
from pages.classroom.refusals import NotAllowed, RoomFull
from pages.classroom.rooms import Room
from pages.classroom.seats import MOST_AWAY, MOST_PARTICIPANTS, SILENT_SECONDS, Participant
from pages.classroom.states import VOTES, State
from tests.pages.classroom.clients import Phone, School, Teacher, opened_school
from tests.pages.classroom.lesson import Clock
from tests.pages.classroom.test_rooms import room_at

BURST = int(JOIN_LIMIT[1])


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


def seated(room: Room, many: int = 1) -> list[Participant]:
    """Participants who have joined with a phone that follows the class."""
    joined = [room.join() for _ in range(many)]
    for each in joined:
        room.connect(each, "1")
    return joined


# In a room.


def test_a_full_room_takes_nobody_while_all_are_connected() -> None:
    clock = Clock()
    room = room_at(clock=clock)
    seated(room, MOST_PARTICIPANTS)
    clock.wait(10 * SILENT_SECONDS)
    with pytest.raises(RoomFull, match="80"):
        room.join()
    with pytest.raises(RoomFull):
        room.check_joinable()
    assert room.joined == MOST_PARTICIPANTS


def test_a_seat_is_free_after_a_minute_without_a_connection() -> None:
    clock = Clock()
    room = room_at(State.OPEN, clock)
    voted, silent, *others = seated(room, MOST_PARTICIPANTS)
    room.answer(voted, 1, 1, "rows")
    room.disconnect(voted, "1")
    clock.wait(1)
    room.disconnect(silent, "1")
    clock.wait(SILENT_SECONDS - 2)
    with pytest.raises(RoomFull):
        room.join()
    clock.wait(1)
    (first,) = seated(room)  # takes the seat of who has been away longer, voted or not
    assert not voted.has_seat and silent.has_seat
    clock.wait(1)
    (second,) = seated(room)
    assert silent.id not in room.participants and {first.id, second.id} < set(room.participants)
    with pytest.raises(RoomFull):
        room.join()
    assert room.poll.latest == {voted.id: "rows"}  # what was counted stays counted
    assert room.joined == MOST_PARTICIPANTS + 1 and all(each.has_seat for each in others)


def test_who_comes_back_has_the_same_answer_and_no_second_vote() -> None:
    clock = Clock()
    room = room_at(State.OPEN, clock)
    gone, *others = seated(room, MOST_PARTICIPANTS)
    room.answer(gone, 1, 1, "rows")
    room.disconnect(gone, "1")
    clock.wait(SILENT_SECONDS)
    seated(room)
    with pytest.raises(RoomFull):  # all seats are taken by phones that are here
        room.join(gone.id)
    room.disconnect(others[0], "1")
    clock.wait(SILENT_SECONDS)
    assert room.join(gone.id) is gone and gone.has_seat and room.value(gone, 1) == "rows"
    room.answer(gone, 1, 1, "columns")
    assert room.poll.latest == {gone.id: "columns"}


def test_who_never_followed_the_class_gives_way_at_once() -> None:
    room = room_at(State.OPEN)
    invented = [room.join() for _ in range(MOST_PARTICIPANTS)]
    for each in invented:
        room.answer(each, 1, 1, "all")
    (honest,) = seated(room)
    assert invented[0].id not in room.participants and honest.id in room.participants
    assert len(room.poll.latest) == MOST_PARTICIPANTS - 1  # no phone gave this answer
    seated(room, MOST_PARTICIPANTS - 1)
    assert room.poll.latest == {} and not any(each.id in room.participants for each in invented)
    with pytest.raises(RoomFull):
        room.join()


def test_a_phone_that_sleeps_gives_way_after_those_who_never_followed_the_class() -> None:
    clock = Clock()
    room = room_at(clock=clock)
    asleep, *_ = seated(room, MOST_PARTICIPANTS - 1)
    room.disconnect(asleep, "1")
    clock.wait(2 * SILENT_SECONDS)
    invented = room.join()
    seated(room)
    assert invented.id not in room.participants and asleep.has_seat
    seated(room)
    assert asleep.id not in room.participants


def test_only_so_many_are_remembered_without_a_seat() -> None:
    clock = Clock()
    room = room_at(State.OPEN, clock)
    stay = seated(room, MOST_PARTICIPANTS - 1)
    passing: list[Participant] = []
    for _ in range(MOST_AWAY + 5):
        (one,) = seated(room)
        room.answer(one, 1, 1, "rows")
        room.disconnect(one, "1")
        passing.append(one)
        clock.wait(SILENT_SECONDS)
    assert len(room.participants) == MOST_PARTICIPANTS + MOST_AWAY == len(stay) + 1 + MOST_AWAY
    assert passing[0].id not in room.participants and passing[-2].id in room.participants
    assert len(room.poll.latest) == MOST_AWAY + 1
    oldest = next(each for each in passing if each.id in room.participants)
    assert room.join(oldest.id) is oldest and oldest.id in room.participants  # who comes back is not forgotten for it


def test_nobody_else_may_join_a_locked_room_and_the_known_come_and_go() -> None:
    clock = Clock()
    room = room_at(clock=clock)
    (one,) = seated(room)
    room.set_locked(True)
    for attempt in (room.join, room.check_joinable, lambda: room.join("made up")):
        with pytest.raises(NotAllowed, match="nobody else"):
            attempt()
    room.disconnect(one, "1")
    clock.wait(SILENT_SECONDS)
    assert room.join(one.id) is one
    room.set_locked(False)
    assert room.join() is not one


VOTED = {State.CLOSED: State.OPEN, State.SPREAD: State.OPEN, State.OPEN: State.OPEN} | {
    State.SECOND: State.SECOND,
    State.CLOSED_AGAIN: State.SECOND,
    State.SPREAD_AGAIN: State.SECOND,
}


@pytest.mark.parametrize("state", State)
def test_a_vote_is_cleared_until_its_truth_is_shown(state: State) -> None:
    room = room_at(state)
    (one,) = seated(room)
    for vote in room.poll.votes:
        vote[one.id] = "rows"
    invented, version = room.join(), room.version
    if state not in VOTED:
        with pytest.raises(NotAllowed, match="no vote to clear"):
            room.clear_vote()
        assert not room.is_vote_clearable and all(room.poll.votes) and room.poll.state is state
        return
    assert room.is_vote_clearable
    room.clear_vote()
    assert room.poll.state is VOTED[state] and room.version == version + 1
    cleared = VOTES[room.poll.state]
    assert room.poll.votes[cleared - 1] == {} and room.poll.votes[2 - cleared] == {one.id: "rows"}
    assert invented.id not in room.participants and one.id in room.participants
    room.answer(one, 1, cleared, "columns")


def test_no_vote_is_cleared_at_their_own_pace_or_after_the_end() -> None:
    room = room_at()
    room.set_pace("free")
    with pytest.raises(NotAllowed):
        room.clear_vote()
    room = room_at()
    room.finish()
    with pytest.raises(NotAllowed):
        room.clear_vote()


# From one address, or from several.


def try_to_join(school: School, code: str) -> int:
    return int(school.post("/join", {"code": code}).status_code)


def test_one_line_in_a_console_takes_forty_seats_and_then_one_a_second(school: School) -> None:
    teacher, pupil = school.open(), school.at("198.51.100.7")
    tried = [try_to_join(pupil, teacher.code) for _ in range(MOST_PARTICIPANTS - 1)]
    assert tried == [200] * BURST + [429] * (MOST_PARTICIPANTS - 1 - BURST)
    refused = pupil.post("/join", {"code": teacher.code})
    assert "Wait a few seconds" in refused.json()["error"]
    for _ in range(5):
        school.clock.wait(1)
        assert [try_to_join(pupil, teacher.code) for _ in range(3)] == [200, 429, 429]
    assert try_to_join(school.at("203.0.113.5"), teacher.code) == 200
    other = school.open()
    assert try_to_join(pupil, other.code) == 200  # the classes of one school do not wait for each other


def test_a_refusal_by_a_full_or_locked_room_costs_no_turn(school: School) -> None:
    teacher = school.open()
    teacher.act("lock", True)
    assert {try_to_join(school, teacher.code) for _ in range(2 * BURST)} == {409}
    teacher.act("lock", False)
    for _ in range(BURST):
        teacher.join().follow()
    assert try_to_join(school, teacher.code) == 429
    other = school.at("203.0.113.5")
    for _ in range(MOST_PARTICIPANTS - BURST):
        Phone(other, teacher.code).follow()
    full = school.at("203.0.113.6").post("/join", {"code": teacher.code})
    assert full.status_code == 503 and "80" in full.json()["error"]  # a status after which a phone asks again


def class_joins(school: School, teacher: Teacher, many: int, attacker: School, tries: int) -> list[Phone]:
    """The phones of one address that are in after a minute: four come each second, and try every other second.

    tries: how often somebody tries meanwhile in each second, and votes with every seat.
    """
    here: list[Phone] = []
    draw = Random(0)
    for second in range(60):
        waiting = range(len(here), min(many, 4 * (second + 1)))
        turns = [school] * sum(number % 2 == second % 2 for number in waiting) + [attacker] * tries
        for who in draw.sample(turns, len(turns)):
            if (answer := who.post("/join", {"code": teacher.code})).status_code != 200:
                continue
            phone = Phone(who, teacher.code, answer.json()["id"])
            if who is attacker:
                phone.answer("all")
            else:
                here.append(phone.follow())
        school.clock.wait(1)
    return here


def test_eighty_phones_of_one_address_join_in_a_minute_while_somebody_tries_to_fill_the_class(school: School) -> None:
    teacher = school.open()
    teacher.lead("open")
    phones = class_joins(school.at("10.0.0.1"), teacher, 80, school.at("198.51.100.7"), 20)
    assert len(phones) == MOST_PARTICIPANTS
    assert all(phone.answer("rows").status_code == 200 for phone in phones)
    seen = teacher.state()
    assert (seen["joined"], seen["connected"], seen["answered"]) == (80, 80, 80)
    assert set(teacher.room.poll.latest.values()) == {"rows"}


def test_a_class_joins_in_a_minute_though_one_of_its_own_network_took_forty_seats_and_goes_on(school: School) -> None:
    """After the forty a minute has sixty turns, of which somebody who tries twice as often as a phone takes a few."""
    teacher, inside, attacker = school.open(), school.at("10.0.0.1"), school.at("10.0.0.1")
    assert sum(try_to_join(attacker, teacher.code) == 200 for _ in range(79)) == BURST
    assert len(class_joins(inside, teacher, 30, attacker, 1)) == 30


def test_the_teacher_ends_an_attack_with_two_switches(school: School) -> None:
    teacher = school.open()
    honest = [teacher.join().follow() for _ in range(5)]
    teacher.lead("open")
    attacker = school.at("198.51.100.7")
    invented = [Phone(attacker, teacher.code) for _ in range(30)]
    for phone in [*honest, *invented]:
        phone.answer("all")
    assert teacher.lead("closed")["answered"] == 35 and teacher.state()["clearable"]
    assert teacher.act("lock", True)["locked"] is True
    cleared = teacher.act("clear")
    assert (cleared["state"], cleared["answered"], cleared["joined"]) == ("open", 0, 5)
    assert {phone.answer("all").status_code for phone in invented} == {403}
    assert try_to_join(attacker, teacher.code) == 409
    assert honest[0].state()["form"]["value"] is None and honest[0].state()["voted"] is False
    assert {phone.answer("rows").status_code for phone in honest} == {200} and teacher.state()["answered"] == 5
    assert Phone(school, teacher.code, honest[0].id).id == honest[0].id


def test_a_phone_that_lost_its_seat_keeps_its_answer_until_there_is_one_again(school: School) -> None:
    teacher, other = school.open(), school.at("203.0.113.5")
    teacher.lead("open")
    asleep = teacher.join().follow()
    asleep.answer("rows")
    asleep.follow(is_connected=False)
    school.clock.wait(SILENT_SECONDS)
    late = [
        Phone(other if number < BURST else school, teacher.code).follow() for number in range(MOST_PARTICIPANTS - 1)
    ]
    late.append(Phone(school.at("203.0.113.6"), teacher.code).follow())
    for refused in (school.get(f"/{teacher.code}/state", headers=asleep.headers), asleep.answer("columns")):
        assert refused.status_code == 503 and "full" in refused.json()["error"]
    assert teacher.state()["answered"] == 1 and teacher.state()["joined"] == MOST_PARTICIPANTS + 1
    late[0].follow(is_connected=False)
    school.clock.wait(SILENT_SECONDS)
    assert asleep.state()["form"]["value"] == "rows" and asleep.answer("columns").status_code == 200
    assert teacher.state()["answered"] == 1
