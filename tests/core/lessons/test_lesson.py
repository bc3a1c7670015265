"""Lesson files: what is read from them, and what is refused with the file and the screen."""

from pathlib import Path

import pytest

from core.lessons.lesson import BrokenLesson, lessons, load_lesson

HEAD = 'number = 1\ntitle = "T?"\ngoal = "Tell."\nwords = "a b"\n'
SCREEN = """
[[screens]]
page = "tokens"
question = "How many?"
kind = "number"
truth = "tokens.questions.count_tokens"
explanation = "{tokens}"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "one.toml"
    path.write_text(text)
    return path


def test_a_lesson_is_read_with_its_screens(tmp_path: Path) -> None:
    lesson = load_lesson(written(tmp_path, HEAD + SCREEN + SCREEN))
    assert lesson.name == "one" and len(lesson.screens) == 2
    assert lesson.minutes == 7  # 3 words aloud, and 3.5 minutes to vote, talk and look, for each screen
    assert lesson.own_minutes == pytest.approx(2 * (3 / 200 + 0.5))
    assert callable(lesson.screens[0].function)
    assert list(lessons(tmp_path)) == ["one"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "one.toml: 'screens'"),
        (HEAD + "screens = []", "it has no screens"),
        (HEAD + SCREEN.replace("number", "guess"), "screen 1: 'guess' is no kind of question"),
        (HEAD + SCREEN.replace("number", "choice"), "fewer than two options"),
        (HEAD + SCREEN + "colour = 1", "screen 1: there is no field 'colour'"),
        (HEAD + SCREEN.replace('page = "tokens"\n', ""), "page"),
        (HEAD.replace("number = 1", "") + SCREEN, "number"),
        (HEAD + SCREEN.replace("number", "formula"), "fewer than two options"),
        (HEAD + SCREEN.replace('"tokens.questions.count_tokens"', '"os"'), "no dotted path"),
        (HEAD + SCREEN + "=", "one.toml"),
    ],
)
def test_a_broken_lesson_is_refused_with_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BrokenLesson, match=said):
        load_lesson(written(tmp_path, text))


def test_a_guess_takes_no_time_to_talk_and_a_file_may_say_how_long_it_takes(tmp_path: Path) -> None:
    lesson = load_lesson(written(tmp_path, HEAD + SCREEN + "is_guess = true" + SCREEN + "minutes = 9"))
    assert [screen.minutes for screen in lesson.screens] == [2, 9]


def test_slips_are_read_and_belong_to_numbers(tmp_path: Path) -> None:
    slips = 'slips = [{ value = "{tokens}", because = "B." }]'
    assert load_lesson(written(tmp_path, HEAD + SCREEN + slips)).screens[0].slips[0].because == "B."
    with pytest.raises(BrokenLesson, match="only numbers have slips"):
        load_lesson(written(tmp_path, HEAD + SCREEN.replace("number", "token") + slips))


def test_a_missing_function_is_named(tmp_path: Path) -> None:
    lesson = load_lesson(written(tmp_path, HEAD + SCREEN.replace("count_tokens", "count_spoons")))
    with pytest.raises(BrokenLesson, match=r"core\.topics\.tokens\.questions\.count_spoons"):
        _ = lesson.screens[0].function
