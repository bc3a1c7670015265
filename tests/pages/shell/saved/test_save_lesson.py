"""A lesson saved as a page: its questions, what is right about the sentence, and the pictures that show it."""

import re

import pytest

from core.lessons.lesson import Lesson, lessons
from pages.shell.saved.lesson import save_lesson
from tests.pages.house import BY_ADDRESS
from tests.pages.lesson_pictures import TEXTS
from tests.pages.test_lesson_pictures import truth_of


def words_of(html: str) -> str:
    return re.sub(r"\W+", " ", re.sub(r"<[^>]+>|&\w+;|&#\d+;", " ", html)).strip()


@pytest.mark.parametrize("lesson", lessons().values(), ids=lambda lesson: lesson.name)
def test_each_question_stands_above_what_is_right(lesson: Lesson) -> None:
    html = save_lesson(lesson, BY_ADDRESS, lesson.words, max_frames=2)
    sections = re.findall(r'<section id="view-\d+">(.*?)</section>', html, re.DOTALL)
    assert len(sections) == len(lesson.screens)
    for number, (screen, section) in enumerate(zip(lesson.screens, sections, strict=True), 1):
        asked, _, shown = section.partition("<details><summary>Show what is right</summary>")
        assert words_of(screen.question) in words_of(asked)
        truth = truth_of(lesson.name, number, lesson.words)[1]
        if screen.kind == "choice":
            option = screen.option(truth.answer)
            assert option and words_of(option.text) in words_of(asked) and words_of(option.text) in words_of(shown)
        assert ("data-drawing" in shown) != ("see it in the app" in shown) and "data-drawing" not in asked


def test_the_learners_sentence_gives_way_only_where_it_does_not_suit() -> None:
    lesson = lessons()["masks"]
    html = save_lesson(lesson, BY_ADDRESS, TEXTS[0], max_frames=1)
    assert words_of(TEXTS[0]) in words_of(html)
    assert lesson.words in save_lesson(lesson, BY_ADDRESS, "Cat", max_frames=1)
