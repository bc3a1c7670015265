"""The concept inventory: two comparable halves, one right option each, and no hint in length or place."""

import re
from collections import Counter
from pathlib import Path
from statistics import mean

import pytest

from core.lessons.inventory import HALVES, INVENTORY_FILE, LETTERS, UNSURE, BrokenInventory, answers_of, inventory
from core.lessons.lesson import Lesson, lessons

INVENTORY = inventory()
QUESTIONS = [question for half in HALVES for question in INVENTORY.half(half)]


def test_two_halves_ask_other_questions_about_the_same_concepts() -> None:
    assert [question.name for question in QUESTIONS] == [f"{half}{n}" for half in HALVES for n in range(1, 12)]
    first, second = ([question.concept for question in INVENTORY.half(half)] for half in HALVES)
    assert first == second and len(set(first)) == len(first)
    assert len({question.question for question in QUESTIONS}) == len(QUESTIONS)


def test_concepts_stand_in_the_order_of_the_lessons_that_are_about_them() -> None:
    numbers = [lessons()[concept.lesson].number for concept in INVENTORY.concepts]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("lesson", lessons().values(), ids=lambda lesson: lesson.name)
def test_no_question_and_no_option_is_a_sentence_of_a_lesson(lesson: Lesson) -> None:
    """Whoever has read a lesson should not find its words again, but what they mean."""
    options = [option for screen in lesson.screens for option in screen.options]
    said = [screen.question for screen in lesson.screens] + [option.text for option in options]
    said += [text for screen in lesson.screens for text in (screen.text, screen.explanation, screen.vary)]
    read = " ".join(re.sub(r"[*.,:;?]", "", text) for text in said).lower()
    for question in QUESTIONS:
        for text in (question.question, *(option.text for option in question.options)):
            assert re.sub(r"[.,:;?]", "", text).lower() not in read


def test_a_class_is_asked_about_what_its_lessons_teach() -> None:
    asked = INVENTORY.taught_in(["masks", "what-is-a-token", "why-this-translation"])
    assert [concept.name for concept in asked.concepts] == ["tokens", "masks"]
    assert [question.name for question in asked.half("B")] == ["B1", "B7"]  # by their numbers on a printed sheet
    assert INVENTORY.taught_in(["why-this-translation"]) == INVENTORY.taught_in([]) == INVENTORY


def test_the_minutes_of_a_half_are_reckoned_from_its_words() -> None:
    """A word takes 1/200 of a minute to read, a question half a minute to think about, and sending takes a minute.

    The first two questions of A have 63 and 64 words with their options, those of B 57 and 63.
    """
    two = INVENTORY.taught_in(["what-is-a-token", "words-as-vectors"])
    words = [
        sum(len(f"{q.question} {' '.join(o.text for o in q.options)}".split()) for q in two.half(half))
        for half in HALVES
    ]
    assert words == [127, 120]
    assert two.minutes == 3.0  # 127 / 200 + 2 · 0.5 + 1 = 2.635, rounded up to half a minute
    assert two.half("A")[0].minutes == 63 / 200 + 0.5


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_a_question_has_one_right_option_and_a_misconception_for_each_other(question) -> None:
    assert len(question.options) == 4 and len({option.text for option in question.options}) == 4
    assert [index for index, option in enumerate(question.options) if not option.misconception] == [question.right]
    misconceptions = [option.misconception for option in question.options if option.misconception]
    assert len(set(misconceptions)) == 3
    assert len({option.instead for option in question.options}) == 4 and not question.options[question.right].instead
    assert all(said.endswith(".") for said in (question.because, *misconceptions)) and question.question.endswith("?")
    lengths = [len(option.text) for option in question.options]
    assert max(lengths) <= 1.35 * mean(lengths)


def test_right_answers_are_spread_over_the_letters() -> None:
    assert set(Counter(question.right for question in QUESTIONS).values()) <= {5, 6}
    for half in HALVES:
        counted = Counter(question.right for question in INVENTORY.half(half))
        assert len(counted) == len(LETTERS) and max(counted.values()) <= 3


def test_the_length_of_an_option_does_not_tell_whether_it_is_right() -> None:
    right = mean(len(question.options[question.right].text) for question in QUESTIONS)
    wrong = mean(len(option.text) for question in QUESTIONS for option in question.options if option.misconception)
    assert 0.85 <= right / wrong <= 1.05
    lengths = [[len(option.text) for option in question.options] for question in QUESTIONS]
    longest = sum(each[question.right] == max(each) for each, question in zip(lengths, QUESTIONS, strict=True))
    shortest = sum(each[question.right] == min(each) for each, question in zip(lengths, QUESTIONS, strict=True))
    assert 3 <= longest <= 8 and 3 <= shortest <= 8  # chance: 5.5


def test_the_score_tells_right_from_wrong_in_each_half() -> None:
    first, second = (INVENTORY.half(half) for half in HALVES)
    perfect = answers_of(first, [question.right for question in first])
    assert INVENTORY.score(perfect) == {question.concept: {"A": True} for question in first}
    spoilt = perfect | answers_of(second, [(question.right + 1) % 4 for question in second])
    assert INVENTORY.score(spoilt) == {question.concept: {"A": True, "B": False} for question in first}
    assert INVENTORY.score({"A1": UNSURE})["tokens"] == {"A": False}
    assert INVENTORY.score({}) == {question.concept: {} for question in first}


@pytest.mark.parametrize("answer", [5, -1, True, "a", None, 1.0])
def test_an_answer_that_is_no_option_is_refused(answer) -> None:
    with pytest.raises(ValueError, match="question A1"):
        INVENTORY.score({"A1": answer})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('right = "b"', 'right = "e"', "question A1: 'e' is none"),
        ('right = "b"', 'right = "a"', "question A1: option a is right and has a misconception"),
        ('right = "b"', 'right = "ab"', "question A1: 'ab' is none"),
        ("[concepts.B]", "[concepts.C]", "'B'"),
        ('title = "What a token is"\n', "", "title"),
        ('name = "tokens"', 'name = "masks"', "two concepts have the same name"),
        ('because = "The list', 'reason = "x"\nbecause = "The list', "reason"),
        ('    { text = "It is cut into shorter pieces that are on the list." },\n', "", "A1 has 3 options"),
        ("[[concepts]]", "[[concepts", "inventory.toml"),
        (', instead = "Nothing is', ', because = "Nothing is', "because"),
        (', instead = "Nothing is left out: shorter pieces stand for the word."', "", "option a is wrong and has none"),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "inventory.toml"
    text = INVENTORY_FILE.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BrokenInventory, match=said):
        inventory(path)
