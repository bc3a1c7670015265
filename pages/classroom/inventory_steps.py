"""The steps of a class that ask the concept inventory: what a phone is asked, what it may answer, and what comes of it.

A class is asked about the ideas that the lessons of its plan teach. Half of the phones have the questions A before the
lessons and B after them, the others the other way round. Nothing says what is right before the class has seen it in the
last step.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.lessons.inventory import HALVES, UNSURE, UNSURE_ANSWER, InventoryQuestion, class_gain
from pages.classroom.requests import one_line
from pages.classroom.rooms import Room
from pages.classroom.seats import Participant
from pages.classroom.states import When

WORD_CHARACTERS = 20
GAIN_NOTE = (
    "Gain: what was learned, as a share of what was not known before; below 0 if fewer are right than before. It is a "
    "number for a class, not for a pupil, and these questions have never been tried on learners."
)


@dataclass(frozen=True)
class FilledSheet:
    """The answers of a participant to one half of what is asked of the inventory.

    questions: those of that half.
    choices: by the question, the index of an option, or `UNSURE`; None for a question that was left out.
    word: the participant's own, by which a sheet of another day is found; "" for none. No screen shows it to others.
    """

    questions: tuple[InventoryQuestion, ...]
    choices: tuple[int | None, ...]
    word: str

    @property
    def answers(self) -> dict[str, int]:
        """The choices by the name of the question, without those left out."""
        asked = zip(self.questions, self.choices, strict=True)
        return {question.name: choice for question, choice in asked if choice is not None}

    @property
    def right(self) -> int:
        """The number of right answers."""
        return sum(self.answers.get(each.name) == each.right for each in self.questions)


def asked_questions(room: Room, participant: Participant, when: When) -> tuple[InventoryQuestion, ...]:
    """Return the questions of the inventory that a participant is asked before or after the lessons."""
    half = participant.half if when == "before" else HALVES[1 - HALVES.index(participant.half)]
    return room.plan.ideas.half(half)


def checked_sheet(questions: tuple[InventoryQuestion, ...], answer: Any) -> FilledSheet:
    """Return what a phone has sent as the answers to some questions of the inventory.

    Raises ValueError, with a sentence for the learner, if it is anything else.
    """
    if not isinstance(answer, Mapping) or set(answer) != {"choices", "word"}:
        raise ValueError("This is no answer to these questions.")
    choices, word, many = answer["choices"], answer["word"], len(questions)
    if not isinstance(choices, list) or len(choices) != many:
        raise ValueError(f"There are {many} questions, and as many answers, some of them left out.")
    if not all(choice is None or (type(choice) is int and 0 <= choice <= UNSURE) for choice in choices):
        raise ValueError(f"An answer is a number from 0 to {UNSURE}, or it is left out.")
    if not isinstance(word, str) or len(word) > WORD_CHARACTERS:
        raise ValueError(f"Your word has at most {WORD_CHARACTERS} characters.")
    if all(choice is None for choice in choices):
        raise ValueError("Answer at least one question.")
    return FilledSheet(questions, tuple(choices), one_line(word))


def sheet_form(room: Room, participant: Participant, number: int) -> dict[str, Any]:
    """Return the questions that a participant is asked in a step, as `pages/canvas/answers/form.js` takes them.

    number: of the step, from 1.
    """
    question = room.question(number)
    asked = asked_questions(room, participant, question.when)
    filled = room.value(participant, number)
    return {
        "kind": question.screen.kind,
        "question": question.screen.question,
        "items": [
            {"question": each.question, "options": [*(option.text for option in each.options), UNSURE_ANSWER]}
            for each in asked
        ],
        "most": WORD_CHARACTERS,
        "send": "Send",
        "value": filled and {"choices": list(filled.choices), "word": filled.word},
    }


def sheets_outcome(room: Room, participant: Participant) -> dict[str, Any] | None:
    """Return which of a participant's own answers were right, before and after, with the corrections.

    None if the participant has not answered, or may not see yet what is right.
    """
    last = room.plan.step("after")
    if last is None or not room.sees_truth(participant, last):
        return None
    sheets: list[tuple[When, FilledSheet]] = []
    for when in ("before", "after"):
        number = room.plan.step(when)
        if number and (filled := room.value(participant, number)):
            sheets.append((when, filled))
    if not sheets:
        return None
    counted = [f"{filled.right} of {len(filled.choices)} {when}" for when, filled in sheets]
    groups = [{"title": f"Your answers {when}", "items": list(_corrections(filled))} for when, filled in sheets]
    return {"sentence": f"Right: {', '.join(counted)}.", "sheets": groups}


def _corrections(filled: FilledSheet) -> Iterator[dict[str, Any]]:
    """Yield for each question that was answered whether the answer is right; for a wrong one, what is."""
    for question in filled.questions:
        choice = filled.answers.get(question.name)
        if choice is not None:
            yield {"question": question.question, "right": choice == question.right} | _told(question, choice)


def _told(question: InventoryQuestion, choice: int) -> dict[str, str]:
    truth = {"truth": question.options[question.right].text, "because": question.because}
    if choice == question.right:
        return truth
    if choice == UNSURE:
        return truth | {"answer": UNSURE_ANSWER, "instead": ""}
    return truth | {"answer": question.options[choice].text, "instead": question.options[choice].instead}


def gain_message(room: Room) -> dict[str, Any] | None:
    """Return what a class has gained, by concept and in all, of those who answered both times.

    None as long as the class may not see how many answers are right.
    """
    last = room.plan.step("after")
    if last is None or not (room.is_ended(last) and room.polls[last - 1].has_begun):
        return None
    before, after = (_filled(room, when) for when in ("before", "after"))
    both = [(before[id].answers, after[id].answers) for id in before if id in after]
    found = class_gain(room.plan.ideas.concepts, both)
    rows = [
        {
            "title": each.title,
            "people": each.people,
            "before": _percent(each.before, each.people),
            "after": _percent(each.after, each.people),
            "gain": _number(each.gain),
        }
        for each in found.concepts
    ]
    people = {0: "Nobody", 1: "1 person"}.get(found.people, f"{found.people} people")
    sentence = f"{people} answered both times."
    if found.gain is not None:
        error = "" if found.error is None else f", with a standard error of {found.error:.2f}"
        sentence += f" The gain of all ideas together is {_number(found.gain)}{error}."
    return {"rows": rows if found.people else [], "sentence": sentence, "note": GAIN_NOTE}


def _filled(room: Room, when: When) -> Mapping[str, FilledSheet]:
    """Return the sheets of one step by the participant's id."""
    number = room.plan.step(when)
    return room.polls[number - 1].latest if number else {}


def _percent(count: int, people: int) -> str:
    return f"{100 * count / people:.0f}%" if people else "–"


def _number(gain: float | None) -> str:
    return "–" if gain is None else f"{gain:.2f}".replace("-", "−")
