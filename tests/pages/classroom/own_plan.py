"""A plan as a teacher's file holds it: questions of the test's lesson, and one of the teacher's own."""

from typing import Any

from tests.pages.classroom.lesson import LESSON

# Signs that mean something to HTML, to formats and to the lessons' own words; here they are text.
OWN: dict[str, Any] = {
    "own": "What does <i>a query</i> meet?",
    "options": ["<b>nothing</b>", "{braces}", "the keys", "**stars**"],
    "right": 3,
    "explanation": "Each {query} meets all {{keys}}, <i>always</i>.",
}


def plan_file(*questions: Any, title: str = "Our hour", sentence: str = "") -> dict[str, Any]:
    """questions: numbers of the lesson's questions, or questions as the file holds them."""
    return {
        "format": "attention-explorer-plan",
        "version": 1,
        "title": title,
        "sentence": sentence,
        "questions": [
            {"lesson": LESSON.name, "question": each} if isinstance(each, int) else each for each in questions
        ],
    }
