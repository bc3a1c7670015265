"""The sentences that a lesson says after an answer, with the run's numbers in them."""

from collections.abc import Callable, Mapping
from typing import Any

from core.lessons.grading import Grade
from core.lessons.lesson import Screen
from core.topics.shared.truth import Truth


def filled(template: str, facts: Mapping[str, Any], quoted: Callable[[str], str] = str) -> str:
    """Return a sentence with the facts in it, such as "The text has {words} words.".

    quoted: makes a word of the learner's text safe where the sentence is shown.
    """
    safe = {name: quoted(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
    return template.format_map(safe)


def read_answer(screen: Screen, truth: Truth, answer: Any, quoted: Callable[[str], str] = str) -> str:
    """Return an answer, or the truth, in words."""
    labels = [f"“{quoted(label)}”" for label in truth.labels]
    match screen.kind:
        case "choice":
            option = screen.option(answer)
            return f"“{option.text}”" if option else ""
        case "token":
            return labels[answer]
        case "cell":
            return f"query “{quoted(truth.rows[answer[0]])}”, key {labels[answer[1]]}"
        case "order":
            return ", ".join(labels[index] for index in answer)
        case "number":
            return f"{answer:g} {screen.unit}".rstrip()
        case "formula":
            return ", ".join(option.text for name in answer if (option := screen.option(name)))
    best = max(range(len(labels)), key=lambda index: answer[index])
    return f"most weight, {100 * answer[best]:.0f}%, on {labels[best]}"


def read_grade(screen: Screen, truth: Truth, grade: Grade) -> str:
    """Return in words how right an answer is."""
    match screen.kind:
        case "row":
            heads = ""
            if grade.alike:
                name, share = grade.alike
                heads = f" Of all heads, {name} is most like your row: {100 * share:.0f}% overlap."
            return f"Your row and the model's overlap by {100 * grade.share:.0f}%.{heads}"
        case "order" | "formula" if not grade.right:
            what = "pairs are in the right order" if screen.kind == "order" else "gaps are filled rightly"
            return f"{100 * grade.share:.0f}% of the {what}."
    return "That is right." if grade.right else "Not this time."


def read_explanation(screen: Screen, truth: Truth, answer: Any, quoted: Callable[[str], str] = str) -> list[str]:
    """Return the explanation: what speaks for or against the chosen option, then what the numbers say.

    answer: None if nothing was answered.
    """
    option = screen.option(answer) if screen.kind == "choice" and isinstance(answer, str) else None
    sentences = [option.because, screen.explanation] if option else [screen.explanation]
    return [filled(sentence, truth.facts, quoted) for sentence in sentences if sentence]
