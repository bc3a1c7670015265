"""The message for the teacher of a room: counts, notes, times, the right answer, and what can be done next."""

from collections.abc import Mapping

from core.lessons.lesson import Screen
from core.lessons.spread import TALK_SHARE, advise, answer_bars, count_right, with_truth
from core.lessons.words import picked_settings, read_answer, read_explanation
from core.topics.shared.truth import Truth
from pages.classroom.inventory_steps import gain_message
from pages.classroom.limits import TEXT_CHARACTERS
from pages.classroom.messages import Message, lesson_link, results, spread_message
from pages.classroom.rooms import Room
from pages.classroom.states import VOTES, State

BUTTON_LABELS: Mapping[State, str] = {
    State.OPEN: "Open the vote",
    State.CLOSED: "Close the vote",
    State.SPREAD: "Show the spread",
    State.SECOND: "Vote again",
    State.CLOSED_AGAIN: "Close the vote",
    State.SPREAD_AGAIN: "Show the spread",
    State.REVEAL: "Show what is right",
    State.EXPLAIN: "Explain it",
}
ADVISED_STATES = (State.CLOSED, State.SPREAD, State.CLOSED_AGAIN, State.SPREAD_AGAIN)


def teacher_message(room: Room, truths: Mapping[int, Truth | str]) -> Message:
    """Return everything that the teacher's page shows.

    truths: the right answers by the number of the screen, for all screens; a sentence instead if the text does not suit
        the screen.
    """
    question, poll, truth = room.question(room.number), room.poll, truths[room.number]
    screen, lesson = question.screen, question.lesson
    message: Message = {
        "version": room.version,
        "title": room.plan.title,
        "lesson": lesson_link(lesson) if lesson else None,
        "sentence": room.text,
        "characters": TEXT_CHARACTERS,
        "rewordable": not room.is_over and room.pace == "together" and not question.when,
        "code": room.code,
        "projector": room.projector,
        "pace": room.pace,
        "locked": room.is_locked,
        "clearable": room.is_vote_clearable,
        "number": room.number,
        "edition": poll.edition,
        "choice": poll.choice,
        "count": len(room.polls),
        "state": "over" if room.is_over else poll.state,
        "joined": room.joined,
        "connected": room.connected,
        "stuck": room.stuck,
        "answered": len(poll.latest),
        "vote": poll.number,
        "text": screen.text,
        "question": screen.question,
        "notes": screen.notes,
        "minutes": screen.minutes,
        "seconds": round(room.clock() - poll.since),
        "look": {"page": screen.page, "settings": _look_settings(screen, truth) | {"t": room.text}} if lesson else None,
        "screens": _screens(room, truths),
    }
    if isinstance(truth, str):
        return message | {"problem": truth, "actions": _actions(room, None)}
    if question.when:
        return message | {"actions": _actions(room, 0), "gain": gain_message(room)}
    right = count_right(screen, truth, list(poll.latest.values()))
    message |= {"actions": _actions(room, right), "truth": read_answer(screen, truth, truth.answer)}
    message |= {"explanation": read_explanation(screen, truth, None), "vary": screen.vary}
    if poll.latest and poll.state not in VOTES:
        groups = answer_bars(screen, truth.labels, truth.rows, list(poll.latest.values()))
        message |= {"spread": spread_message(with_truth(screen, truth, groups)), "right": right}
    if poll.state in ADVISED_STATES:
        message["advice"] = advise(right, len(poll.latest), again=poll.number == 2, is_guess=screen.is_guess)
    return message


def _look_settings(screen: Screen, truth: Truth | str) -> dict[str, str]:
    """Return the settings of the picture that a screen is about, with what its right answer selects there, if known."""
    picked = {} if isinstance(truth, str) else picked_settings(screen, truth)
    return dict(screen.settings) | {key: value for key, value in picked.items() if value}


def _screens(room: Room, truths: Mapping[int, Truth | str]) -> list[Message]:
    """Return the list of screens with their votes, and why the text does not suit a screen if it does not."""
    rows = results(room, truths)
    for row, question, poll in zip(rows, room.plan.questions, room.polls, strict=True):
        truth = truths[row["number"]]
        row |= {"state": poll.state, "minutes": question.screen.minutes, "lesson": question.title}
        row["problem"] = truth if isinstance(truth, str) else ""
    return rows


def _actions(room: Room, right: int | None) -> list[Message]:
    """Return the actions that the teacher can take, the advised one first.

    right: the number of right answers; None if the question cannot be asked.
    """
    poll, last = room.poll, room.number == len(room.polls)
    on = [{"do": "screen", "to": room.number + 1, "label": "Next question"}]
    back = [{"do": "screen", "to": room.number - 1, "label": "Previous question"}] if room.number > 1 else []
    end = [{"do": "finish", "label": "End the lesson"}]
    if room.is_over:
        return []
    steps = [] if right is None or room.pace == "free" else list(room.next_states)
    if right is not None and len(steps) > 1:
        steps.sort(key=_preferred(right, len(poll.latest), is_guess=room.question(room.number).screen.is_guess).index)
    actions: list[Message] = [{"do": "advance", "to": state, "label": BUTTON_LABELS[state]} for state in steps]
    if room.is_leavable:
        actions += [*(end if last else on), *back]
    return actions


def _preferred(right: int, answered: int, is_guess: bool) -> list[State]:
    """Return what may follow the first vote, the best first.

    is_guess: whether nobody could know the answer, so that talking about it does not help.
    """
    share = right / answered if answered else 0.0
    after = [State.SECOND, State.REVEAL] if share < TALK_SHARE and not is_guess else [State.REVEAL, State.SECOND]
    return [State.SPREAD, *after, State.SPREAD_AGAIN]
