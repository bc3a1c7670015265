"""A lesson saved as a notebook asks each question, says how to answer it, and has the code of its truth."""

import json
import re

import nbformat
import pytest

from core.lessons.lesson import KINDS, lessons
from pages.shell.saved.lesson_notebook import HOW_TO_ANSWER, lesson_notebook
from tests.pages.house import BY_ADDRESS


@pytest.mark.parametrize("name", lessons())
def test_each_question_has_a_line_for_an_answer_and_the_code_of_what_is_right(name: str) -> None:
    lesson = lessons()[name]
    text = lesson_notebook(lesson, BY_ADDRESS, lesson.words)
    nbformat.validate(nbformat.reads(text, as_version=4))
    start, setup, *cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    assert start.startswith(f"# {lesson.title}\n") and f'lessons()["{name}"]' in setup
    assert len(cells) == 3 * len(lesson.screens)
    for place, screen in enumerate(lesson.screens):
        asked, answer, code = cells[3 * place : 3 * place + 3]
        assert asked.startswith(f"## {place + 1}. {screen.question}\n") and HOW_TO_ANSWER[screen.kind] in asked
        assert all(f"- `{option.name}`: {option.text}" in asked for option in screen.options)
        assert answer == "answer = None"
        module, _, function = screen.truth.rpartition(".")
        assert (
            re.search(rf"= \w+\.{function}\(", code)
            and f"attention_explorer.core.topics.{module.split('.')[0]}" in code
        )
        assert code.endswith(f"print(read_all(lesson.screens[{place}], {function}, answer))")
        assert not re.search(r"^from core", code, re.MULTILINE)


def test_every_kind_of_question_says_how_it_is_answered() -> None:
    assert HOW_TO_ANSWER.keys() == KINDS.keys()


def test_tokens_are_listed_by_their_numbers_and_a_text_that_does_not_suit_is_replaced() -> None:
    lesson = lessons()["query-key-value"]
    asked = "".join(json.loads(lesson_notebook(lesson, BY_ADDRESS, "Cat"))["cells"][2]["source"])
    assert f"The text: “{lesson.words}”" in asked
    first = lesson.words.split()[0]
    assert f"\n- `0`: {first}\n- `1`: " in asked
