"""The concept inventory: one half before the lessons, the other after them, and a comparison of both.

What is right, and which misconception is behind a wrong choice, is said only after a whole half has been answered.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from core.lessons.inventory import UNSURE, UNSURE_ANSWER, InventoryQuestion, answers_of, inventory
from core.lessons.lesson import Lesson, lessons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.shell.lesson.going import begin
from pages.shell.lesson.keeping import KeepProgress
from pages.shell.lesson.progress import forget_half, progress, take_half
from pages.start.lessons.settings import AFTER_LESSONS, BEFORE_LESSONS, HALF_OF, QUESTION_SET
from pages.widgets import Button, Cards, ChoiceForm, Control, Markdown, Part, Row, Values, control

LEAD = (
    "There are {many} questions, each about one idea. Answer these before the first lesson, and {many} others "
    "after the last one: they ask about the same ideas in another way. If you do not know, say so; what is right is "
    "said after the last question."
)
ABOUT = (
    "All {both} questions can be printed, with and without the answers: see “all lessons”, for teachers. They have "
    "not been tried on learners yet, so nobody knows how hard each is. A guess is right once in four times: take the "
    "mean of a class as a measure, not the count of one person. To compare before and after, let half of the class "
    "begin with the others. A class on phones is asked so if its teacher wishes, about the ideas that its lessons "
    "teach."
)
MARKS = {True: ":material/check_circle: right", False: ":material/cancel: wrong", None: "not asked yet"}


def _show(subject: Any, values: Values) -> Shown:
    """Show the questions of one half, or its result; then both halves side by side."""
    half = HALF_OF[values[QUESTION_SET]]
    chosen = progress().halves.get(half)
    questions = core_call(inventory).half(half)
    asked: Sequence[Part] = [_form(half, questions)] if chosen is None else _result(half, questions, chosen)
    return Shown(
        lead=LEAD.format(many=len(questions)) if chosen is None else "",
        pictures=[*asked, *_side_by_side(), KeepProgress()],
        takeaway=_counts(),
        about=ABOUT.format(both=2 * len(questions)),
        source=("core.lessons.inventory.inventory", "core.lessons.inventory.Inventory.score"),
    )


def _controls(subject: Any, values: Values) -> Iterable[Control]:
    yield control(QUESTION_SET)


def _form(half: str, questions: Sequence[InventoryQuestion]) -> ChoiceForm:
    asked = [
        (question.question, [*(option.text for option in question.options), UNSURE_ANSWER]) for question in questions
    ]
    return ChoiceForm(f"lessons-{half}", asked, partial(_take, half), send="Show what is right")


def _take(half: str, chosen: Sequence[int]) -> Mapping[str, Any]:
    take_half(half, chosen)
    return {}


def _result(half: str, questions: Sequence[InventoryQuestion], chosen: Sequence[int]) -> list[Part]:
    """Return a card for each wrong answer, and the button that asks again."""
    wrong = [
        _wrong(question, choice) for question, choice in zip(questions, chosen, strict=True) if choice != question.right
    ]
    forget = partial(_forget, half, len(questions))
    again = Button("Answer these again", f"lessons-{half}-again", forget, icon=":material/replay:")
    cards: list[Part] = [Cards(wrong, f"lessons-{half}-wrong", width=340)] if wrong else []
    return [*cards, Row([again])]


def _forget(half: str, many: int) -> Mapping[str, Any]:
    forget_half(half)
    return dict.fromkeys(ChoiceForm.keys(f"lessons-{half}", many))


def _wrong(question: InventoryQuestion, choice: int) -> list[Part]:
    right = question.options[question.right]
    parts: list[Part] = [Markdown(f"{question.name[1:]}. {question.question}")]
    if choice == UNSURE:
        parts.append(Markdown(f":material/help: You: {UNSURE_ANSWER}"))
    else:
        option = question.options[choice]
        parts.append(Markdown(f":material/cancel: You: {option.text}"))
        parts.append(Markdown(f"*Many think:* {option.misconception}  \n*In fact:* {option.instead}"))
    parts.append(Markdown(f":material/check_circle: Right: {right.text}  \n{question.because}"))
    concept = next(concept for concept in inventory().concepts if concept.name == question.concept)
    lesson = lessons().get(concept.lesson)
    if lesson is not None:
        key = f"lessons-{question.name}-lesson"
        label = f"Lesson {lesson.number}: {lesson.title}"
        parts.append(Button(label, key, partial(_begin, lesson), icon=":material/school:", whole=True))
    return parts


def _begin(lesson: Lesson) -> Mapping[str, Any]:
    begin(lesson)
    return {}


def _answers() -> dict[str, int]:
    """Return the answers to both halves by the names of the questions."""
    answers: dict[str, int] = {}
    for half, chosen in progress().halves.items():
        answers |= answers_of(inventory().half(half), chosen)
    return answers


def _side_by_side() -> list[Part]:
    """Return a table of the right answers before and after, by concept; nothing if nothing was answered."""
    if not (answers := _answers()):
        return []
    score = inventory().score(answers)
    rows = [
        f"| {concept.title} | {MARKS[score[concept.name].get('A')]} | {MARKS[score[concept.name].get('B')]} |"
        for concept in inventory().concepts
    ]
    return [Markdown("\n".join(["| Idea | Before | After |", "|:--|:--|:--|", *rows]))]


def _counts() -> list[str]:
    """Return how many answers were right in each half that was answered; for both halves, first which had more."""
    score, many = inventory().score(_answers()), len(inventory().concepts)
    counts = {
        when: sum(halves[half] for halves in score.values())
        for when, half in ((BEFORE_LESSONS, "A"), (AFTER_LESSONS, "B"))
        if half in progress().halves
    }
    counted = ", ".join(f"{count} of {many} right {when}" for when, count in counts.items())
    if len(counts) < 2:
        return [f"{counted}."] * bool(counted)
    return [_compared(*counts.values()), f"{counted}."]


def _compared(before: int, after: int) -> str:
    """Return whether there were more right answers after the lessons than before them."""
    if after == before:
        return "After the lessons you had as many answers right as before them."
    return f"After the lessons you had {'more' if after > before else 'fewer'} answers right than before them."


VIEW = View("what do you know?", _show, _controls)
