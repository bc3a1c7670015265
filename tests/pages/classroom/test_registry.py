"""Where rooms are kept: one contract, held by the memory of a copy and by a Redis that several copies share."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pages.classroom.codes import LETTERS, is_code
from pages.classroom.inventory_steps import asked_questions, checked_sheet
from pages.classroom.limits import RATES, Limits, MemoryLimits
from pages.classroom.memory_rooms import MemoryRooms
from pages.classroom.plans import ClassPlan, PlanQuestion, lesson_plan
from pages.classroom.redis_client import PREFIX, SECONDS, connected
from pages.classroom.redis_limits import RedisLimits
from pages.classroom.redis_rooms import RedisRooms
from pages.classroom.refusals import NotAllowed
from pages.classroom.registry import DESERTED_SECONDS, MOST_ROOMS, ROOM_SECONDS, RoomRegistry
from pages.classroom.requests import Rejected
from pages.classroom.room_records import fixed_record, read_fixed, read_state, state_record
from pages.classroom.rooms import Room
from pages.classroom.states import State
from tests.pages.classroom.lesson import LESSON, RIGHT, Clock
from tests.pages.classroom.loops import run_async
from tests.redis_server import RedisServer, redis_server

PLAN = lesson_plan(LESSON)
Known = {LESSON.name: LESSON}


@pytest.fixture(scope="module")
def redis() -> Iterator[RedisServer]:
    with TemporaryDirectory() as folder, redis_server(Path(folder)) as server:
        yield server


class Place:
    """A place where rooms are kept, as the copies of the app see it."""

    def __init__(self, address: str) -> None:
        self.address, self.clock = address, Clock()
        self._memory = MemoryRooms(self.clock)

    def rooms(self, draw: Callable[[str], str] | None = None) -> RoomRegistry:
        """The registry of another copy, or with another draw of letters."""
        more = {} if draw is None else {"draw": draw}
        if self.address:
            return RedisRooms(connected(self.address), lambda: Known, self.clock, **more)
        return MemoryRooms(self.clock, **more) if draw else self._memory

    def limits(self) -> Limits:
        return RedisLimits(connected(self.address), self.clock) if self.address else MemoryLimits(self.clock)


@pytest.fixture(params=["memory", "redis"])
def place(request: pytest.FixtureRequest) -> Place:
    if request.param == "memory":
        return Place("")
    server = request.getfixturevalue("redis")
    server.empty()
    return Place(server.address)


def test_codes_have_no_vowels_and_no_two_rooms_share_one(place: Place) -> None:
    async def scene() -> None:
        letters = iter("BBBBB" + "BBBBB" + "CCCCC")
        rooms = place.rooms(lambda _: next(letters))
        assert [(await rooms.open(PLAN, "a")).code for _ in range(2)] == ["BBBBB", "CCCCC"]
        real = await place.rooms().open(PLAN, "a")
        assert is_code(real.code) and len(real.secret) >= 32

    run_async(scene())
    assert not set("AEIOUYQV") & set(LETTERS) and len(LETTERS) ** 5 > 1_500_000
    assert not any(map(is_code, ("", "BCDF", "BCDFGH", "BCDFA", "bcdfg", "12345")))


def test_rooms_are_found_by_their_keys_alone(place: Place) -> None:
    async def scene() -> None:
        rooms = place.rooms()
        one, other = await rooms.open(PLAN, "a"), await rooms.open(PLAN, "b", (2,))
        assert other.texts[0] == "b" and other.texts[1] == LESSON.words
        assert await rooms.by_secret(one.code, one.secret) is one and await rooms.by_projector(other.projector) is other
        for wrong in ("", one.code, one.projector, one.secret[:-1], one.secret + "x", "é", other.secret):
            assert await rooms.by_secret(one.code, wrong) is None
        for wrong in ("", one.code, one.secret):
            assert await rooms.by_projector(wrong) is None
        told: list[Any] = []
        rooms.attend(lambda room, phones: told.append((room, phones)), lambda room: None, lambda: None)
        await rooms.close(one)
        assert (one, True) in told and not rooms.holds(one) and rooms.holds(other)
        assert await rooms.by_code(one.code) is None and await rooms.by_code(other.code) is other
        assert await rooms.by_projector(one.projector) is None and await rooms.count() == 1

    run_async(scene())


def test_there_are_so_many_rooms_and_deserted_ones_make_way(place: Place) -> None:
    async def scene() -> None:
        rooms = place.rooms()
        opened = [await rooms.open(PLAN, "a") for _ in range(MOST_ROOMS)]
        with pytest.raises(NotAllowed, match="Too many classes"):
            await rooms.open(PLAN, "a")
        place.clock.wait(DESERTED_SECONDS)
        for room in opened[1:]:
            await rooms.touch(room)
        await rooms.open(PLAN, "a")
        assert await rooms.count() == MOST_ROOMS and await rooms.by_code(opened[0].code) is None
        with pytest.raises(NotAllowed):
            await rooms.open(PLAN, "a")

    run_async(scene())


def test_a_room_in_memory_is_gone_after_four_hours() -> None:
    async def scene() -> None:
        clock = Clock()
        rooms = MemoryRooms(clock)
        room = await rooms.open(PLAN, "a")
        clock.wait(ROOM_SECONDS - 1)
        assert await rooms.by_code(room.code) is room and rooms.holds(room)
        clock.wait(1)
        assert await rooms.by_code(room.code) is None and await rooms.by_secret(room.code, room.secret) is None
        assert await rooms.by_projector(room.projector) is None and not rooms.holds(room) and await rooms.count() == 0

    run_async(scene())
    assert ROOM_SECONDS == 4 * 3600


def test_a_room_in_redis_ends_by_its_expiry(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        room = await Place(redis.address).rooms().open(PLAN, "a")
        for key in (f"room:{room.code}", f"projector:{room.projector}"):
            assert ROOM_SECONDS - 60 < redis.lasts(PREFIX + key) <= ROOM_SECONDS

    run_async(scene())


def test_a_room_that_has_ended_is_not_brought_back_by_its_projector(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        rooms = Place(redis.address).rooms()
        room = await rooms.open(PLAN, "a")
        redis.empty()
        await rooms.touch(room)
        assert redis.lasts(f"{PREFIX}room:{room.code}") == -0.002  # Redis says -2 of a key that is not there

    run_async(scene())


def test_what_is_refused_changes_nothing(place: Place) -> None:
    async def scene() -> None:
        rooms = place.rooms()
        room = await rooms.open(PLAN, "a")
        one = await rooms.change(room, room.join)
        with pytest.raises(NotAllowed):
            await rooms.change(room, lambda: room.answer(one, 1, 1, "rows"))
        again = await rooms.by_code(room.code)
        assert again is room and room.participants == {one.id: one} and not room.poll.latest

    run_async(scene())


def test_limits_count_names_and_kinds_apart(place: Place) -> None:
    async def scene() -> None:
        limits, (rate, burst) = place.limits(), RATES["phone"]
        assert [await limits.allows("phone", "a") for _ in range(burst + 2)] == [True] * burst + [False] * 2
        assert await limits.allows("phone", "b") and await limits.allows("join", "a")
        assert not await limits.has_any("phone", "a") and await limits.has_any("phone", "b")
        place.clock.wait(1 / rate)
        assert await limits.has_any("phone", "a") and await limits.has_any("phone", "a")
        assert [await limits.allows("phone", "a") for _ in range(2)] == [True, False]

    run_async(scene())


def a_full_room() -> Room:
    """A room in which everything that may change has changed."""
    room = Room("BCDFG", "secret", "projector", PLAN.with_inventory, "", Clock())
    people = [room.join() for _ in range(3)]
    room.connect(people[0], "copy.1")
    room.set_stuck(people[1], True)
    room.set_locked(True)
    room.advance(State.OPEN)
    for one in people:
        asked = asked_questions(room, one, "before")
        filled = {"choices": [0] + [None] * (len(asked) - 1), "word": "é"}
        room.answer(one, 1, 1, checked_sheet(asked, filled))
    room.advance(State.CLOSED)
    for number, question in enumerate(PLAN.questions, 2):
        room.show_screen(number)
        room.advance(State.OPEN)
        given = RIGHT[question.screen.kind]
        room.answer(people[0], number, 1, tuple(given) if isinstance(given, list) else given, room.poll.edition)
        for state in (State.CLOSED, State.REVEAL):
            room.advance(state)
    room.set_choice(room.number, 0, {"picks": {"layer": 1}, "spot": [0, 2]})
    room.set_pace("free")
    people[1].number = 1
    people[2].shown |= {2, 3}
    return room


def parts_of(room: Room) -> dict[str, Any]:
    left_out = ("clock", "_lock", "participants", "polls")
    people = {name: vars(each) for name, each in room.participants.items()}
    rest = {name: value for name, value in vars(room).items() if name not in left_out}
    return rest | {"people": people, "polls": [vars(poll) for poll in room.polls]}


def test_a_room_comes_back_from_its_records_as_it_was() -> None:
    room = a_full_room()
    again = read_fixed(fixed_record(room), Known, room.clock)
    read_state(again, state_record(room))
    assert parts_of(again) == parts_of(room) and again.plan == room.plan
    kept = dict(again.participants)
    read_state(again, state_record(room))
    assert all(again.participants[name] is each for name, each in kept.items())


@pytest.mark.parametrize("question", PLAN.questions, ids=lambda each: each.screen.kind)
def test_the_plan_of_a_record_is_the_one_that_was_opened(question: PlanQuestion) -> None:
    plan = ClassPlan("some-lesson", "A title", (question,), "a cat")
    room = Room("BCDFG", "secret", "projector", plan, "a cat", Clock())
    assert read_fixed(fixed_record(room), Known, room.clock).plan == plan


def test_two_copies_see_and_change_one_room(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        place = Place(redis.address)
        one, two = place.rooms(), place.rooms()
        told, new = asyncio.Event(), list[Room]()
        two.attend(lambda room, phones: told.set(), new.append, lambda: None)
        here = await one.open(PLAN, "a cat")
        there = await two.by_code(here.code)
        assert there is not None and new == [there] and parts_of(there) == parts_of(here)
        pupil = await one.change(here, here.join)
        await asyncio.wait_for(told.wait(), 10)  # without having asked
        assert there.participants.keys() == {pupil.id}
        await two.change(there, lambda: there.advance(State.OPEN), phones=True)
        await one.change(here, lambda: here.answer(pupil, 1, 1, "rows"))
        assert here.poll.state is State.OPEN and (await two.by_code(here.code)) is there
        assert there.poll.latest == {pupil.id: "rows"}
        await one.close(here)
        assert await two.by_code(here.code) is None and not two.holds(there)
        with pytest.raises(Rejected, match="over"):
            await two.change(there, there.join)

    run_async(scene())


def test_no_change_is_lost_when_copies_change_a_room_at_once(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        place = Place(redis.address)
        copies = [place.rooms() for _ in range(3)]
        room = await copies[0].open(PLAN, "a cat")
        rooms = [found for copy in copies if (found := await copy.by_code(room.code))]
        joining = [copy.change(each, each.join) for copy, each in zip(copies, rooms, strict=True) for _ in range(20)]
        people = await asyncio.gather(*joining)
        assert len({each.id for each in people}) == 60
        await copies[1].change(rooms[1], lambda: rooms[1].advance(State.OPEN))
        for copy, each in zip(copies, rooms, strict=True):
            await copy.by_code(room.code)
            assert each.participants.keys() == {person.id for person in people}
        halves = [person.half for person in rooms[2].participants.values()]
        assert halves.count("A") == halves.count("B") == 30
        answers = [
            copies[number % 3].change(rooms[number % 3], _answering(rooms[number % 3], person.id, number))
            for number, person in enumerate(people)
        ]
        await asyncio.gather(*answers)
        await copies[2].by_code(room.code)
        assert rooms[2].poll.latest == {person.id: number for number, person in enumerate(people)}

    run_async(scene())


def _answering(room: Room, person: str, answer: Any) -> Callable[[], None]:
    return lambda: room.answer(room.participants[person], 1, 1, answer)


def test_a_copy_that_starts_again_finds_its_rooms(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        place = Place(redis.address)
        before = place.rooms()
        room = await before.open(PLAN, "a cat")
        await before.change(room, room.join)
        redis.kill()
        redis.start()
        after = place.rooms()
        again = await after.by_secret(room.code, room.secret)
        assert again is not None and parts_of(again) == parts_of(room)

    run_async(scene())


def test_the_phones_of_a_copy_that_is_gone_are_disconnected(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        place = Place(redis.address)
        rooms = place.rooms()
        room = await rooms.open(PLAN, "a cat")
        here, there = await rooms.change(room, room.join), await rooms.change(room, room.join)
        told = asyncio.Event()
        rooms.attend(lambda room, phones: told.set() if room.connected == 1 else None, lambda room: None, lambda: None)
        await rooms.change(room, lambda: room.connect(there, "ended.1"))
        await rooms.change(room, lambda: room.connect(here, f"{rooms.copy}.1"))
        told.clear()
        await asyncio.wait_for(told.wait(), 20)
        assert here.is_connected and not there.is_connected and there.was_connected

    run_async(scene())


def test_where_redis_does_not_answer_everybody_is_told_and_then_goes_on(redis: RedisServer) -> None:
    redis.empty()

    async def scene() -> None:
        place = Place(redis.address)
        rooms, limits, interrupted = place.rooms(), place.limits(), asyncio.Event()
        rooms.attend(lambda room, phones: None, lambda room: None, interrupted.set)
        room = await rooms.open(PLAN, "a cat")
        redis.pause()
        began = asyncio.get_running_loop().time()
        for asked in (rooms.by_code(room.code), rooms.change(room, room.join), limits.allows("phone", "a")):
            with pytest.raises(Rejected, match="Classes cannot be reached"):
                await asked
        assert asyncio.get_running_loop().time() - began < 3 * (SECONDS + 1)
        await asyncio.wait_for(interrupted.wait(), 20)
        redis.go_on()
        joined = await rooms.change(room, room.join)
        assert await rooms.by_code(room.code) is room and joined.id in room.participants

    run_async(scene())
