"""A room as JSON, and back: its fixed part, which never changes, and its state."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from core.lessons.inventory import HALVES, inventory
from core.lessons.lesson import Lesson
from pages.classroom.inventory_steps import FilledSheet
from pages.classroom.plan_files import plan_content, read_plan
from pages.classroom.polls import Poll
from pages.classroom.rooms import Room
from pages.classroom.seats import Participant
from pages.classroom.states import State

FIXED = ("code", "secret", "projector", "opening_text")
CHANGING = ("number", "is_over", "pace", "is_locked", "version", "texts")


def fixed_record(room: Room) -> str:
    """Return what never changes of a room."""
    fixed = {name: getattr(room, name) for name in FIXED}
    named = {"name": room.plan.name, "plan": plan_content(room.plan), "opened": room.opened}
    return json.dumps(fixed | named)


def read_fixed(record: str | bytes, known: Mapping[str, Lesson], clock: Callable[[], float]) -> Room:
    """Return a room as it was opened.

    known: the lessons by name.
    """
    content = json.loads(record)
    plan = read_plan(content["plan"], known, content["name"])
    room = Room(**{name: content[name] for name in FIXED}, plan=plan, clock=clock)
    room.opened = room.seen = content["opened"]
    return room


def state_record(room: Room) -> str:
    """Return what may change of a room, but for the time at which somebody was seen in it."""
    content = {name: getattr(room, name) for name in CHANGING}
    people, polls = ([vars(each) for each in parts] for parts in (room.participants.values(), room.polls))
    return json.dumps(content | {"people": people, "polls": polls}, default=_plain)


def read_state(room: Room, record: str | bytes) -> None:
    """Bring a room to a state. Whoever is in it stays the same object."""
    content = json.loads(record)
    for name in CHANGING:
        setattr(room, name, content[name])
    room.polls = [_poll(each) for each in content["polls"]]
    former, room.participants = room.participants, {}
    for each in content["people"]:
        person = Participant(**each | {"shown": set(each["shown"])})
        if known := former.get(person.id):
            vars(known).update(vars(person))
        room.participants[person.id] = known or person


def _poll(content: Mapping[str, Any]) -> Poll:
    first, second = ({person: _answer(each) for person, each in votes.items()} for votes in content["votes"])
    return Poll(**{**content, "state": State(content["state"]), "votes": (first, second)})


def _plain(value: set[int] | FilledSheet) -> Any:
    if isinstance(value, set):
        return sorted(value)
    asked = [question.name for question in value.questions]
    return {"questions": asked, "choices": value.choices, "word": value.word}


def _answer(value: Any) -> Any:
    """Return an answer as `checked_answer` or `checked_sheet` did."""
    if isinstance(value, dict):
        known = {question.name: question for half in HALVES for question in inventory().half(half)}
        asked = tuple(known[name] for name in value["questions"])
        return FilledSheet(asked, tuple(value["choices"]), value["word"])
    return tuple(value) if isinstance(value, list) else value
