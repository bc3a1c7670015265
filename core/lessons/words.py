"""The sentences that a lesson says after an answer, with the run's numbers in them."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from core.lessons.grading import Grade, checked_answer, grade
from core.lessons.lesson import Screen
from core.lessons.slips import read_slip
from core.text.words import ARROWS, SPACE
from core.topics.shared.truth import Truth

SIGNS = {ARROWS["\n"]: "a new line", SPACE: "a space"}


def filled(template: str, facts: Mapping[str, Any], quoted: Callable[[str], str] = str) -> str:
    """Return a sentence with the facts in it, such as "The text has {words} words.".

    quoted: makes a word of the learner's text safe where the sentence is shown.
    """
    return template.format_map({name: _safe(fact, quoted) for name, fact in facts.items()})


def picked_settings(screen: Screen, truth: Truth) -> dict[str, str]:
    """Return the settings, as written in the URL, with which the page's picture shows the subject of a question."""
    return {key: filled(value, truth.facts) for key, value in screen.picks.items()}


class _Signed(float):
    """A number that is written with a minus sign instead of a hyphen."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace("-", "−")


def _safe(fact: Any, quoted: Callable[[str], str]) -> Any:
    if isinstance(fact, str):
        return quoted(fact)
    return _Signed(fact) if isinstance(fact, float) else fact


def read_answer(screen: Screen, truth: Truth, answer: Any, quoted: Callable[[str], str] = str) -> str:
    """Return a learner's answer, or the right one, in words."""
    labels = [f"“{quoted(label)}”" for label in truth.labels]
    match screen.kind:
        case "choice":
            option = screen.option(answer)
            return f"“{option.text}”" if option else ""
        case "token":
            return labels[answer]
        case "cell":
            return f"row “{quoted(truth.rows[answer[0]])}”, column {labels[answer[1]]}"
        case "order":
            return " → ".join(labels[index] for index in answer)
        case "number":
            return _read_number(answer, screen.unit)
        case "formula":
            return ", ".join(option.text for name in answer if (option := screen.option(name)))
    best = max(range(len(labels)), key=lambda index: answer[index])
    return f"most weight, {100 * answer[best]:.0f}%, on {labels[best]}"


def _read_number(number: float, unit: str) -> str:
    """Return a number with its unit, such as "8.3%", "14 tokens" or "1 token"."""
    if unit == "%":
        return f"{round(number, 1):g}%"
    unit = unit.removesuffix("s") if number == 1 else unit
    return f"{round(number, 4):g} {unit}".rstrip()


def read_grade(screen: Screen, truth: Truth, grade: Grade) -> str:
    """Return in words how right an answer is."""
    match screen.kind:
        case "row":
            heads = ""
            if grade.alike:
                name, share = grade.alike
                heads = f" Of all heads, {name} comes nearest to what you drew: {100 * share:.0f}% in common."
            return f"What you drew and the model's weights have {100 * grade.share:.0f}% in common.{heads}"
        case "order" if not grade.right:
            return f"Not quite: of all pairs, {100 * grade.share:.0f}% are in the right order."
        case "formula" if not grade.right:
            gaps = len(truth.answer)
            return f"Not quite: {round(grade.share * gaps)} of {gaps} gaps are filled rightly."
    if screen.is_guess and not grade.right:
        return "Nobody could know this. The model has another answer."
    return "That is right." if grade.right else "Not this time."


def read_explanation(screen: Screen, truth: Truth, answer: Any, quoted: Callable[[str], str] = str) -> list[str]:
    """Return the explanation: what speaks for or against the answer, then what the numbers say.

    answer: None if nothing was answered.
    """
    fill = partial(filled, facts=truth.facts, quoted=quoted)
    option = screen.option(answer) if screen.kind == "choice" and isinstance(answer, str) else None
    first = fill(option.because) if option else ""
    if not option and answer is not None:
        first = read_slip(screen, truth, answer, fill, quoted)
    explanation = fill(screen.explanation)
    said = (first, f"{explanation}{read_signs(first + explanation)}")
    return [f"{sentence[0].upper()}{sentence[1:]}" for sentence in said if sentence]


def read_signs(said: str) -> str:
    """Return what the signs in some sentences stand for that are shown for invisible characters; "" for none."""
    return "".join(f" “{sign}” stands for {meaning}." for sign, meaning in SIGNS.items() if f"“{sign}”" in said)


def read_all(screen: Screen, truth: Truth, answer: Any) -> str:
    """Return all that is said after an answer, in lines: how right it is, what is right, and why.

    answer: as `checked_answer` takes it; None if nothing was answered.

    Raises ValueError, with a sentence for the learner, if this is no answer to the question.
    """
    given = None if answer is None else checked_answer(screen, truth, answer)
    graded = [] if given is None else [read_grade(screen, truth, grade(screen, truth, given))]
    whose = "Right" if screen.kind in ("choice", "formula") else "The model"
    right = f"{whose}: {read_answer(screen, truth, truth.answer)}"
    return "\n".join([*graded, right, *read_explanation(screen, truth, given)])
