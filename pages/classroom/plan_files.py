"""A plan as a file: written as JSON, and read from it strictly, since anybody may have edited it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.lessons.lesson import Lesson, Option, Screen, class_minutes
from pages.classroom.limits import TEXT_CHARACTERS
from pages.classroom.plans import ClassPlan, PlanQuestion
from pages.classroom.requests import one_line

FORMAT, VERSION = "attention-explorer-plan", 1
PLAN_BYTES = 192 * 1024  # more than the longest plan has
MOST_QUESTIONS = 40  # more than a room gets through in its four hours
TITLE_CHARACTERS, QUESTION_CHARACTERS, OPTION_CHARACTERS, EXPLANATION_CHARACTERS = 60, 200, 100, 300
OPTIONS = 4  # of a teacher's own question
UNTITLED = "A plan of your own"


class BrokenPlan(ValueError):
    """The error for a plan that cannot be used; its message is a sentence for the teacher."""


def plan_content(plan: ClassPlan) -> dict[str, Any]:
    """Return a plan as plain values for a JSON file."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "title": plan.title,
        "sentence": plan.text,
        "questions": [question_content(question) for question in plan.main_questions],
    }
    return content | ({"inventory": True} if plan.asks_inventory else {})


def read_plan(content: Any, known: Mapping[str, Lesson], name: str = "plan") -> ClassPlan:
    """Return the plan that a JSON file holds.

    content: what the file holds, as plain values.
    known: the lessons by name.
    name: of the files that are saved of the class.

    Raises BrokenPlan if anything in it is missing, unknown, too long or of the wrong kind.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BrokenPlan("This is no plan of Attention Explorer.")
    if content.get("version") != VERSION:
        raise BrokenPlan(f"This plan is of another version; this app reads version {VERSION}.")
    _check_fields("The plan", content, {"format", "version", "title", "sentence", "questions", "inventory"})
    questions = content.get("questions")
    if not isinstance(questions, list) or not questions:
        raise BrokenPlan("This plan has no questions.")
    if len(questions) > MOST_QUESTIONS:
        raise BrokenPlan(f"This plan has {len(questions)} questions; {MOST_QUESTIONS} are the most.")
    asks_inventory = content.get("inventory", False)
    if not isinstance(asks_inventory, bool):
        raise BrokenPlan("This plan does not say whether the inventory is asked.")
    plan = ClassPlan(
        name,
        _text("The plan", content, "title", TITLE_CHARACTERS, is_needed=False) or UNTITLED,
        tuple(_question(f"Question {number}", each, known) for number, each in enumerate(questions, 1)),
        _text("The plan", content, "sentence", TEXT_CHARACTERS, is_needed=False),
    )
    return plan.with_inventory if asks_inventory else plan


def question_content(question: PlanQuestion) -> dict[str, Any]:
    """Return a question as plain values for a JSON file."""
    if question.lesson:
        return {"lesson": question.lesson.name, "question": question.number}
    screen = question.screen
    return {
        "own": screen.question,
        "options": [option.text for option in screen.options],
        "right": int(question.right),
        "explanation": screen.explanation.replace("{{", "{").replace("}}", "}"),
    }


def _question(where: str, content: Any, known: Mapping[str, Lesson]) -> PlanQuestion:
    """Return a question of a plan.

    where: its name in a message.
    """
    if not isinstance(content, dict):
        raise BrokenPlan(f"{where} of this plan is no question.")
    if "own" in content:
        return _own_question(where, content)
    _check_fields(where, content, {"lesson", "question"})
    lesson, number = content.get("lesson"), content.get("question")
    if not isinstance(lesson, str) or lesson not in known:
        raise BrokenPlan(f"{where} is of a lesson that this app does not have.")
    screens = known[lesson].screens
    if type(number) is not int or not 1 <= number <= len(screens):
        raise BrokenPlan(f"{where} is not in its lesson, “{known[lesson].title}”, which has {len(screens)}.")
    return PlanQuestion(screens[number - 1], known[lesson], number)


def _own_question(where: str, content: Mapping[str, Any]) -> PlanQuestion:
    """Return a question that the teacher wrote; its text is shown as it is, with no sign of a format in it."""
    _check_fields(where, content, {"own", "options", "right", "explanation"})
    options, right = content.get("options"), content.get("right")
    if not isinstance(options, list) or len(options) != OPTIONS:
        raise BrokenPlan(f"{where} needs {OPTIONS} options.")
    texts = [_text(f"{where}, option {n}", {"": each}, "", OPTION_CHARACTERS) for n, each in enumerate(options, 1)]
    if len(set(texts)) < OPTIONS:
        raise BrokenPlan(f"{where} has the same option twice.")
    if type(right) is not int or not 1 <= right <= OPTIONS:
        raise BrokenPlan(f"{where} does not say which of its {OPTIONS} options is right.")
    explanation = _text(where, content, "explanation", EXPLANATION_CHARACTERS, is_needed=False)
    screen = Screen(
        page="",
        question=_text(where, content, "own", QUESTION_CHARACTERS),
        kind="choice",
        truth="",
        explanation=explanation.replace("{", "{{").replace("}", "}}"),  # no facts are filled in
        options=tuple(Option(str(number), text, "") for number, text in enumerate(texts, 1)),
        is_about_text=False,
    )
    return PlanQuestion(replace(screen, minutes=class_minutes(screen)), right=str(right))


def _check_fields(where: str, content: Mapping[str, Any], known: set[str]) -> None:
    if set(content) - known:
        raise BrokenPlan(f"{where} has a field that this app does not know.")


def _text(where: str, content: Mapping[str, Any], name: str, most: int, is_needed: bool = True) -> str:
    """Return a field that is a text on one line, of at most `most` characters."""
    value = content.get(name, "")
    if not isinstance(value, str):
        raise BrokenPlan(f"{where} has something else where a text should be.")
    text = one_line(value)
    if len(text) > most:
        raise BrokenPlan(f"{where} has a text of {len(text)} characters; {most} are the most.")
    if is_needed and not text:
        raise BrokenPlan(f"{where} has no text.")
    return text
