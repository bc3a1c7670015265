"""The messages about a room for phones and the projector, as plain values for JSON.

No message holds a right answer before the class, or this participant, may see it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.lessons.grading import grade
from core.lessons.lesson import Lesson, Screen
from core.lessons.spread import BarGroup, answer_bars, count_right, mean_row, read_class_row, with_truth
from core.lessons.words import read_answer, read_explanation, read_grade
from core.topics.shared.truth import Truth
from pages.classroom.inventory_steps import gain_message, sheet_form, sheets_outcome
from pages.classroom.rooms import Room
from pages.classroom.seats import Participant
from pages.classroom.states import SPREAD_SHOWN, TRUTH_SHOWN, VOTES, State

Message = dict[str, Any]


def phone_signal(room: Room) -> Message:
    """Return the short message sent to all phones when something changes; each phone then requests its full state."""
    return {"version": room.version, "number": room.number, "state": room.poll.state, "pace": room.pace}


def phone_message(room: Room, participant: Participant, truths: Mapping[int, Truth | str]) -> Message:
    """Return everything that one phone needs to draw its screen.

    truths: the right answers by the number of the screen, each a sentence instead if the text does not suit the screen.
        Needed for the screen that is shown, and at the end of the lesson for all screens.
    """
    number, state = room.shown_to(participant)
    message = _place(room, number) | {"ticket": participant.ticket, "stuck": participant.is_stuck}
    if number > len(room.polls):
        message |= {"state": "over", "summary": _summary(room, participant, truths), "lessons": _lessons(room)}
        return message | {"sheets": sheets_outcome(room, participant)}
    screen, truth, when = room.question(number).screen, truths[number], room.question(number).when
    message |= {"state": state, "text": screen.text}
    if isinstance(truth, str):
        return message | {"problem": truth}
    if state is State.WAITING:
        return message
    value = room.value(participant, number)
    form = sheet_form(room, participant, number) if when else _form(screen, truth) | {"value": value}
    message["form"] = form | {"locked": not _may_answer(room, participant)}
    vote = message["vote"] = VOTES.get(state, room.polls[number - 1].number)
    message["voted"] = participant.id in room.polls[number - 1].votes[vote - 1]
    if when:
        sheets = sheets_outcome(room, participant)
        return message | {"sheets": sheets} | ({"text": ""} if sheets else {})
    if room.pace == "together" and state in SPREAD_SHOWN:
        message["spread"] = _spread(room, number, truth)
    if state in TRUTH_SHOWN and room.sees_truth(participant, number):
        message["outcome"] = _outcome(screen, truth, value)
        if state is State.EXPLAIN:
            message["explanation"] = read_explanation(screen, truth, value)
            message["vary"] = screen.vary
    return message


def projector_message(room: Room, truths: Mapping[int, Truth | str]) -> Message:
    """Return everything that the projector shows.

    truths: as for `phone_message`.
    """
    message = _place(room, room.number) | {
        "state": "free" if room.pace == "free" else room.poll.state,
        "code": room.code,
        "joined": room.joined,
        "connected": room.connected,
        "answered": len(room.poll.latest),
    }
    if room.is_over or room.pace == "free":
        message |= {"results": results(room, truths), "gain": gain_message(room)}
        return message | {"state": "over" if room.is_over else "free"}
    screen, truth, state = room.question(room.number).screen, truths[room.number], room.poll.state
    message["text"] = screen.text
    if isinstance(truth, str):
        return message | {"problem": truth}
    if state is State.WAITING:
        return message
    message["form"] = _form(screen, truth)
    message["vote"] = room.poll.number
    if room.question(room.number).when:
        return message | {"gain": gain_message(room)}
    if state in SPREAD_SHOWN:
        message["spread"] = _spread(room, room.number, truth)
    if state in TRUTH_SHOWN:
        message["outcome"] = class_outcome(room, room.number, truth)
    if state is State.EXPLAIN:
        message["explanation"] = read_explanation(screen, truth, None)
        message["vary"] = screen.vary
    return message


def class_outcome(room: Room, number: int, truth: Truth) -> Message:
    """Return the right answer on a screen, and a sentence on how well the class did."""
    screen, poll = room.question(number).screen, room.polls[number - 1]
    answers = list(poll.latest.values())
    if screen.kind == "row":
        row = mean_row(answers)
        sentence = read_class_row(truth, grade(screen, truth, row)) if row else ""
    else:
        sentence = f"{count_right(screen, truth, answers)} of {len(answers)} got it right." if answers else ""
    return {"truth": read_answer(screen, truth, truth.answer), "class": sentence}


def results(room: Room, truths: Mapping[int, Truth | str]) -> list[Message]:
    """Return for each screen and vote the number of answers, and of right ones.

    A screen has no counts of right answers while its right answer is unknown or its vote is not over.
    """
    rows = []
    for number, (screen, poll) in enumerate(zip(room.screens, room.polls, strict=True), 1):
        truth = truths.get(number)
        ended = room.is_ended(number) and not room.question(number).when
        votes: list[Message] = [{"answered": len(vote)} for vote in poll.votes if vote]
        if ended and isinstance(truth, Truth):
            answers = [list(vote.values()) for vote in poll.votes if vote]
            votes = [
                {"answered": len(votes_of_round), "right": count_right(screen, truth, votes_of_round)}
                for votes_of_round in answers
            ]
        rows.append({"number": number, "question": screen.question, "votes": votes})
    return rows


def spread_message(groups: Sequence[BarGroup]) -> list[Message]:
    """Return bars as plain values; `right` is left out where it is unknown whether a bar is the right answer."""
    return [
        {
            "title": group.title,
            "bars": [
                {"label": bar.label, "share": round(bar.share, 4), "words": bar.words}
                | ({} if bar.right is None else {"right": bar.right})
                | ({} if bar.model is None else {"model": round(bar.model, 4)})
                for bar in group.bars
            ],
        }
        for group in groups
    ]


def lesson_link(lesson: Lesson) -> Message:
    """Return the data for a link to the lesson outside the class."""
    return {"name": lesson.name, "title": lesson.title, "page": lesson.screens[0].page}


def _place(room: Room, number: int) -> Message:
    """Return where a phone or the projector is.

    number: of the screen; one more than there are at the end of the lesson.
    """
    shown = min(number, len(room.polls))
    lesson, poll = room.question(shown).lesson, room.polls[shown - 1]
    return {
        "version": room.version,
        "title": room.plan.title,
        "lesson": lesson_link(lesson) if lesson else None,
        "sentence": room.texts[shown - 1],
        "edition": poll.edition,
        "changed": poll.is_changed,
        "pace": room.pace,
        "number": number,
        "count": len(room.polls),
    }


def _form(screen: Screen, truth: Truth) -> Message:
    """Return the question with its ways to answer, as `mount` in `pages/canvas/answers/form.js` takes it."""
    return {
        "kind": screen.kind,
        "question": screen.question,
        "options": [{"name": option.name, "text": option.text} for option in screen.options],
        "labels": list(truth.labels),
        "rows": list(truth.rows),
        "formula": screen.formula,
        "unit": screen.unit,
    }


def _may_answer(room: Room, participant: Participant) -> bool:
    number, state = room.shown_to(participant)
    return state in VOTES and number not in participant.shown


def _spread(room: Room, number: int, truth: Truth) -> list[Message]:
    screen, poll = room.question(number).screen, room.polls[number - 1]
    groups = answer_bars(screen, truth.labels, truth.rows, list(poll.latest.values()))
    return spread_message(with_truth(screen, truth, groups) if poll.state in TRUTH_SHOWN else groups)


def _outcome(screen: Screen, truth: Truth, value: Any) -> Message:
    """Return the right answer, and how right an answer was.

    value: the answer; None if nothing was answered.
    """
    outcome: Message = {"truth": read_answer(screen, truth, truth.answer)}
    if value is None:
        return outcome
    result = grade(screen, truth, value)
    if screen.kind == "row":
        outcome["rows"] = spread_message(with_truth(screen, truth, answer_bars(screen, truth.labels, (), [value])))
    return outcome | {
        "right": result.right,
        "sentence": read_grade(screen, truth, result),
        "answer": read_answer(screen, truth, value),
    }


def _summary(room: Room, participant: Participant, truths: Mapping[int, Truth | str]) -> list[Message]:
    """Return for each question whether a participant was right; None without an answer, or if it may not be said."""
    rows = []
    for number, screen in enumerate(room.screens, 1):
        if room.question(number).when:
            continue
        truth, value, right = truths.get(number), room.value(participant, number), None
        if isinstance(truth, Truth) and value is not None and room.sees_truth(participant, number):
            right = grade(screen, truth, value).right
        rows.append({"question": screen.question, "right": right})
    return rows


def _lessons(room: Room) -> list[Message]:
    """Return the lessons that the class has had, each with the sentence of its first question."""
    first: dict[str, Message] = {}
    for question, text in zip(room.plan.questions, room.texts, strict=True):
        if question.lesson and question.lesson.name not in first:
            first[question.lesson.name] = lesson_link(question.lesson) | {"sentence": text}
    return list(first.values())
