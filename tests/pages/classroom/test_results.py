"""The answers of a class to take home: the table for spreadsheets, and the slides."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import numpy as np
import pytest

from core.explore import Matrix
from core.lessons.lesson import KINDS, Screen
from core.lessons.spread import Bar, BarGroup
from pages.classroom.counts import FORMULA_SIGNS, counts_table
from pages.classroom.plans import lesson_plan
from pages.classroom.rooms import Room
from pages.classroom.slide_picture import HEIGHT, LETTER, WIDTH, slide_svg
from pages.classroom.slides import Slide
from tests.pages.classroom.clients import School, Teacher, opened_school
from tests.pages.classroom.lesson import LESSON, RIGHT, TRUTHS, WORDS, WRONG

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


@pytest.fixture
def teacher(school: School) -> Teacher:
    return school.open()


def table_of(teacher: Teacher) -> list[dict[str, str]]:
    """The rows of the CSV by the names of their columns, as Excel reads it."""
    answer = teacher.school.get(f"/teacher/{teacher.code}/counts.csv", headers=teacher.headers)
    assert answer.headers["content-type"].startswith("text/csv") and answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_counts_are_a_table_without_names(school: School) -> None:
    teacher = school.open("=cat +1 → ü")
    phones = [teacher.join() for _ in range(2)]
    teacher.lead("open")
    for phone, answer in zip(phones, ("rows", "all"), strict=True):
        phone.answer(answer)
    before, rows, after = date.today(), table_of(teacher), date.today()
    assert len(rows) == 3 and before.isoformat() <= rows[1].pop("date") <= after.isoformat()
    assert rows[1] == {
        "lesson": LESSON.title,
        "question number": "1",
        "question": LESSON.screens[0].question,
        "sentence": "'=cat +1 → ü",
        "vote": "1",
        "number of people": "2",
        "gap": "",
        "answer": "the numbers of a row",
        "how many chose it": "1",
        "right": "yes",
        **dict.fromkeys(("mean weight", "model's weight", "mean place", "model's place"), ""),
        "words of those who chose it": "",
    }
    assert [row["how many chose it"] for row in rows] == ["0", "1", "1"]
    assert not any(phone.id in str(rows) for phone in phones)


def test_each_column_of_the_table_has_one_kind_of_value(teacher: Teacher) -> None:
    phones = [teacher.join() for _ in range(2)]
    for number, screen in enumerate(LESSON.screens, 1):
        teacher.act("screen", number)
        teacher.lead("open")
        for phone, answers in zip(phones, (RIGHT, WRONG), strict=True):
            assert phone.answer(answers[screen.kind], number).status_code == 200
        teacher.lead("closed", "reveal", "explain")
    rows = table_of(teacher)
    kinds = [LESSON.screens[int(row["question number"]) - 1].kind for row in rows]
    assert set(kinds) == set(KINDS)
    for kind, row in zip(kinds, rows, strict=True):
        counted = kind not in ("row", "order")
        assert (row["right"] in ("yes", "no")) is row["how many chose it"].isdigit() is counted
        assert bool(row["mean weight"]) is bool(row["model's weight"]) is (kind == "row")
        assert bool(row["mean place"]) is bool(row["model's place"]) is (kind == "order")
    drawn = [row for kind, row in zip(kinds, rows, strict=True) if kind == "row"]
    # One drew the weights 0, 0.43, 0.17, 0.2 and 0.2, the other all on the first token.
    assert [row["mean weight"] for row in drawn] == ["0.500", "0.215", "0.085", "0.100", "0.100"]
    assert [row["model's weight"] for row in drawn] == ["0.000", "0.432", "0.168", "0.200", "0.200"]
    # One put “cat” first and “the” last, the other left them second and first: both mean 1.5 and 3.
    places = {row["answer"]: (row["mean place"], row["model's place"]) for row in rows if row["mean place"]}
    assert places["cat"] == ("1.5", "1") and places["the"] == ("3.0", "5")


def slides_of(teacher: Teacher) -> str:
    answer = teacher.school.get(f"/teacher/{teacher.code}/slides", headers=teacher.headers)
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
    return str(answer.text)


def test_a_slide_has_the_answers_and_the_truth_and_only_after_the_class_has_seen_it(school: School) -> None:
    teacher = school.open("<script>alert(1)</script> cat")
    phones = [teacher.join() for _ in range(2)]
    for number, kind in ((1, "choice"), (4, "row")):
        teacher.act("screen", number)
        teacher.lead("open")
        for phone, answers in zip(phones, (RIGHT, WRONG), strict=True):
            phone.answer(answers[kind], number)
        teacher.lead("closed", "spread")
        before = slides_of(teacher)
        assert before.count('class="slide"') == (number > 1) and LESSON.screens[number - 1].question not in before
        teacher.lead("reveal")
    text = slides_of(teacher)
    assert text.count('class="slide"') == 2 and "<script" not in text and "&lt;script&gt;" in text
    choice, row = text.split('class="slide"')[1:]
    assert re.findall(r'class="class-share" width="([\d.]+)"', choice) == ["50.00", "50.00", "0.00"]
    assert choice.count("✓") == 1 and "model-share" not in choice and "1 of 2 got it right." in choice
    assert re.findall(r'class="class-share" width="([\d.]+)"', row) == ["50.00", "21.50", "8.50", "10.00", "10.00"]
    assert re.findall(r'model-share" y="2.6" width="([\d.]+)"', row) == ["0.00", "43.21", "16.79", "20.00", "20.00"]
    assert not any(phone.id in text for phone in phones)
    assert school.get(f"/teacher/{teacher.code}/slides").status_code == 401


def test_a_slide_is_a_picture_with_the_answers_the_truth_and_the_table_of_the_question() -> None:
    weights = Matrix(np.eye(5) * 0.4321, WORDS, WORDS, "Weights of head 8")

    def tables(screen: Screen, text: str) -> tuple[Matrix, ...]:
        if screen.kind == "token":
            raise ValueError("It has none.")
        return (weights,) if screen.kind == "cell" else ()

    with opened_school(tables=tables) as school:
        teacher = school.open("<script>alert(1)</script> cat")
        phones = [teacher.join() for _ in range(2)]
        found = {}
        for number, kind in ((1, "choice"), (2, "token"), (3, "cell"), (4, "row")):
            teacher.act("screen", number)
            teacher.lead("open")
            for phone, answers in zip(phones, (RIGHT, WRONG), strict=True):
                phone.answer(answers[kind], number)
            path = f"/teacher/{teacher.code}/slides/{number}"
            assert school.get(path, headers=teacher.headers).status_code == 404  # before the class has seen it
            teacher.lead("closed", "spread", "reveal")
            answer = school.get(path, headers=teacher.headers).json()
            assert answer["name"] == f"slide-{number}.png"
            found[kind] = ElementTree.fromstring(answer["svg"])
        assert school.get(path).status_code == 401
        assert school.get(f"/teacher/{teacher.code}/slides/99", headers=teacher.headers).status_code == 404
    words = {kind: " ".join(picture.itertext()) for kind, picture in found.items()}
    assert all("“<script>alert(1)</script> cat”" in each for each in words.values())
    assert "1 of 2 got it right." in words["choice"] and "1 of 2 got it right." in words["cell"]
    assert words["choice"].count("✓") == 1 and "0.43" not in words["token"]
    assert len(re.findall(r"\b0\.43\b", words["cell"])) == 5 and "Weights of head 8" in words["cell"]
    bars = [float(bar.attrib["width"]) for bar in found["choice"].iter(f"{SVG}rect")][1:]
    assert bars == [max(bars), max(bars), 0.0] and max(bars) > 100
    both = [float(bar.attrib["width"]) for bar in found["row"].iter(f"{SVG}rect")][1:]
    shares = [width / both[0] * 0.5 for width in both]  # the first is the class's share of the first token
    np.testing.assert_allclose(shares[::2], [0.5, 0.215, 0.085, 0.1, 0.1], atol=1e-3)
    np.testing.assert_allclose(shares[1::2], TRUTHS["row"].answer, atol=1e-3)


def test_the_longest_question_with_the_most_bars_fits_on_the_slide() -> None:
    bars = tuple(Bar("a very long label " * 9, 1.0, "100%; model 100%", n, None, 1.0) for n in range(24))
    screen = replace(LESSON.screens[0], question="a long question " * 90)
    slide = Slide(1, screen, "\x00word\x1b " * 900, (BarGroup("", bars),), "right " * 300, "outcome " * 90, "")
    table = Matrix(np.zeros((24, 24)), ("a",) * 24, ("b" * 12,) * 24, "T").to_svg()
    picture = ElementTree.fromstring(slide_svg(slide, table))
    for text in picture.findall(f"{SVG}text"):
        right = float(text.attrib["x"]) + LETTER * float(text.attrib["font-size"]) * len(text.text or "")
        assert right <= WIDTH and 0 < float(text.attrib["y"]) < HEIGHT
    scale = float(picture.find(f"{SVG}g").attrib["transform"].split("scale(")[1][:-1])  # type: ignore[union-attr]
    assert scale > 0.6


@pytest.mark.parametrize("sign", FORMULA_SIGNS)
def test_no_cell_is_a_formula_for_a_spreadsheet(sign: str) -> None:
    screen = replace(LESSON.screens[0], question=f"{sign}HYPERLINK(1)")
    room = Room(
        "BCDFG", "secret", "projector", lesson_plan(replace(LESSON, title=f"{sign}1", screens=(screen,))), f"{sign}2"
    )
    room.polls[0].votes[0]["one"] = "rows"
    table = counts_table(room, {1: TRUTHS["choice"]}, date(2026, 2, 1))
    rows = list(csv.reader(io.StringIO(table, newline="")))
    assert rows[1][:5] == [f"'{sign}1", "1", f"'{sign}HYPERLINK(1)", f"'{sign}2", "2026-02-01"]
    assert not [cell for row in rows for cell in row if cell.startswith(sign)]
