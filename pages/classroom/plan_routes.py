"""The requests of a teacher who prepares a class: for what there is, to check a plan and a sentence, to open a room."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from core.lessons.lesson import Lesson
from pages.classroom.limits import TEXT_CHARACTERS
from pages.classroom.messages import Message
from pages.classroom.plan_files import (
    EXPLANATION_CHARACTERS,
    MOST_QUESTIONS,
    OPTION_CHARACTERS,
    OPTIONS,
    PLAN_BYTES,
    QUESTION_CHARACTERS,
    TITLE_CHARACTERS,
    BrokenPlan,
    plan_content,
    question_content,
    read_plan,
)
from pages.classroom.plans import LONG_PLAN_MINUTES, PLANS, ClassPlan, PlanQuestion, lesson_plan, timed_plan
from pages.classroom.requests import Rejected, address_of, json_answer, read_json, text_of
from pages.classroom.server import ClassServer
from pages.classroom.teacher_cookie import give_secret, led_rooms

NAME_CHARACTERS = 60
LIMITS = {
    "sentence": TEXT_CHARACTERS,
    "title": TITLE_CHARACTERS,
    "question": QUESTION_CHARACTERS,
    "option": OPTION_CHARACTERS,
    "explanation": EXPLANATION_CHARACTERS,
    "options": OPTIONS,
    "questions": MOST_QUESTIONS,
    "bytes": PLAN_BYTES,
}


class PlanRoutes:
    """The handlers of the requests that the page “Open a class” sends."""

    def __init__(self, server: ClassServer, base: str = "") -> None:
        """base: the path of the app, "" or "/…"."""
        self._server, self._base = server, base

    async def list_lessons(self, request: Request) -> Response:
        """Answer with all lessons and plans, and with the classes that this browser leads."""
        known = self._server.lessons()
        plans = [timed_plan(name, known) for name in sorted(PLANS, key=lambda name: PLANS[name])]
        led = [{"code": room.code, "title": room.plan.title} for room in await led_rooms(request, self._server.rooms)]
        return json_answer(
            {
                "lessons": [_lesson_row(lesson) for lesson in known.values()],
                "plans": [_plan_row(plan) | _ticked(plan) for plan in plans if plan.questions],
                "classes": led,
                "characters": LIMITS,
            }
        )

    async def check(self, request: Request) -> Response:
        """Answer with the questions of a plan that a teacher opened or put together, and with the file to save."""
        await self._server.check_address(request)
        plan = self._plan(await read_json(request, max_bytes=PLAN_BYTES))
        rows = [_question_row(number, question) for number, question in enumerate(plan.main_questions, 1)]
        return json_answer(_plan_row(plan) | {"rows": rows, "file": plan_content(plan)})

    async def judge(self, request: Request) -> Response:
        """Answer with the questions of a plan that a sentence does not suit, and why."""
        await self._server.check_address(request)
        content = await read_json(request, max_bytes=PLAN_BYTES)
        plan, text = self._plan(content), text_of(content, "text", TEXT_CHARACTERS)
        if not await self._server.limits.allows("judge", address_of(request)):
            raise Rejected(429, "Many sentences were tried from your network. Wait a minute, then try again.")
        problems = await self._server.judge(plan, text) if text else {}
        rows = [
            {"number": number, "question": plan.questions[number - 1].screen.question, "problem": problem}
            for number, problem in problems.items()
        ]
        return json_answer({"problems": rows, "count": len(plan.questions)})

    async def open_room(self, request: Request) -> Response:
        """Open a room, and answer with its code; the teacher's secret goes into a cookie."""
        content = await read_json(request, max_bytes=PLAN_BYTES)
        plan = self._plan(content)
        text = text_of(content, "text", TEXT_CHARACTERS) or plan.text
        keep = _numbers(content.get("keep", []), len(plan.questions))
        if not await self._server.limits.allows("room", address_of(request)):
            raise Rejected(429, "Many classes were opened from your network. Wait five minutes, then try again.")
        room = await self._server.rooms.open(plan, text, keep)
        answer = json_answer({"code": room.code})
        give_secret(answer, request, room, self._base)
        return answer

    def _plan(self, content: Mapping[str, Any]) -> ClassPlan:
        """Return the plan that a request names or holds.

        Raises Rejected if there is no such plan or lesson, or if the plan cannot be used.
        """
        known, wanted = self._server.lessons(), content.get("plan")
        if isinstance(wanted, str) and wanted in PLANS:
            plan = timed_plan(wanted, known)
            asks_inventory = content.get("inventory", False)
            if not isinstance(asks_inventory, bool):
                raise Rejected(400, "The field inventory must be true or false.")
            if plan.questions:
                return plan.with_inventory if asks_inventory else plan
        if wanted is not None and not isinstance(wanted, str):
            try:
                return read_plan(wanted, known)
            except BrokenPlan as mistake:
                raise Rejected(400, str(mistake)) from mistake
        lesson = known.get(text_of(content, "lesson", NAME_CHARACTERS))
        if wanted is not None or lesson is None:
            raise Rejected(400, "There is no such lesson." if wanted is None else "There is no such plan.")
        return lesson_plan(lesson)


def _numbers(keep: Any, count: int) -> tuple[int, ...]:
    """Return the numbers of the questions that the text does not suit, which are asked about their lesson's sentence.

    Raises Rejected if they are no numbers of questions, from 1 to `count`.
    """
    if not isinstance(keep, list) or not all(type(number) is int and 1 <= number <= count for number in keep):
        raise Rejected(400, "The field keep must be a list of numbers of questions.")
    return tuple(keep)


def _lesson_row(lesson: Lesson) -> Message:
    rows = [_question_row(number, question) for number, question in enumerate(lesson_plan(lesson).questions, 1)]
    return {
        "name": lesson.name,
        "number": lesson.number,
        "title": lesson.title,
        "goal": lesson.goal,
        "words": lesson.words,
        "minutes": lesson.minutes,
        "questions": len(lesson.screens),
        "rows": rows,
    }


def _plan_row(plan: ClassPlan) -> Message:
    return {
        "name": plan.name,
        "title": plan.title,
        "text": plan.text,
        "minutes": plan.minutes,
        "questions": len(plan.questions),
        "lessons": [lesson.title for lesson in plan.lessons],
        "inventory": plan.asks_inventory,
    }


def _ticked(plan: ClassPlan) -> Message:
    """Return whether the page offers one of PLANS with the inventory, for which only a long class has the time.

    With it comes what its class is asked then.
    """
    many = len(plan.ideas.concepts)
    questions = "1 question" if many == 1 else f"{many} questions"
    asked = f"{questions} about what the plan’s lessons teach, {plan.ideas.minutes:g} minutes each time."
    return {"inventory": PLANS[plan.name] >= LONG_PLAN_MINUTES, "asked": asked}


def _question_row(number: int, question: PlanQuestion) -> Message:
    return {
        "number": number,
        "title": question.title,
        "question": question.screen.question,
        "minutes": question.screen.minutes,
        "content": question_content(question),
    }
