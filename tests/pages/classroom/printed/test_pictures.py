"""The pictures on paper: their numbers are the model's weights, and a worksheet gives none of them away."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.explore import Matrix, explore
from core.lessons.lesson import Screen, lessons
from core.topics.shared.places import HeadAddress
from core.topics.shared.truth import Truth
from core.tracing.run import execute, prepare
from pages.attention.self_attention.page import PAGE as SELF_ATTENTION
from pages.canvas.bridge.bridge import Bridge
from pages.canvas.lines.lines import TokenLines
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.canvas.soft_dictionary.soft_dictionary import SoftDictionary
from pages.classroom.printed import LessonTruths, tables_in, worksheet
from pages.classroom.truths import truth_of
from pages.shell.saved.lesson import pictures_of
from pages.widgets import Columns
from tests.pages.classroom.printed.test_printed import made_lesson, no_truth, take

LESSON = lessons()["query-key-value"]  # about head 8 of layer 5


def tables(screen: Screen, text: str) -> tuple[Matrix, ...]:
    """The tables of a screen of the page Self-attention."""
    return tables_in(pictures_of(SELF_ATTENTION, screen, text))


def weights_of_head(text: str, layer: int, head: int) -> np.ndarray:
    """The weights (Q, K) of a head of the storyteller, as one forward pass has them."""
    opened, place = explore(text), HeadAddress("decoder", layer - 1, head - 1, False)
    site = f"{place.prefix}pattern"
    found = execute(opened.model, opened.run, prepare(opened.run, opened.tokenizer), [site])[site]
    return np.asarray(found[0, place.head].detach().cpu().numpy())


def numbers_of(svg: str) -> list[str]:
    """What stands in the cells of a printed table, row by row."""
    return re.findall(r'font-size="10">(.*?)</text>', svg)


def test_the_key_prints_the_weights_of_the_head_and_frames_the_right_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = replace(LESSON, screens=(LESSON.screens[0], LESSON.screens[3]))
    take(monkeypatch, asked)
    truths = LessonTruths(lambda screen, text: truth_of(SELF_ATTENTION, screen, text), tables)
    one_row, square = re.findall(r"<svg.*?</svg>", worksheet.worksheet_key(truths), re.DOTALL)
    weights = weights_of_head(LESSON.words, 5, 8)
    count = len(weights)
    expected = [
        [f"{weights[query, key]:.2f}" if key <= query else "·" for key in range(count)] for query in range(count)
    ]
    assert count == 8 and numbers_of(square) == [number for row in expected for number in row]
    assert numbers_of(one_row) == expected[-1]
    place = re.search(r'<rect x="([\d.]+)" y="([\d.]+)" [^>]*stroke-width="3">', square)
    cell = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" ', square)[count * (count - 1) + 1]  # the last row, the second
    assert place and place.groups() == cell and "stroke-width" not in one_row


def test_a_worksheet_has_no_number_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, LESSON)
    page = worksheet.worksheet(LessonTruths(lambda screen, text: truth_of(SELF_ATTENTION, screen, text), tables))
    assert "<svg" not in page and not re.search(r"\d\.\d\d", page)


def made_truths() -> LessonTruths:
    """No answers, and for every question a table of the same three tokens."""
    names = ("0:a", "1:b", "2:c")
    return LessonTruths(no_truth, lambda screen, text: (Matrix(np.eye(3), names, names, "T"),))


def test_a_blank_table_stands_at_the_first_question_that_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, made_lesson(1, "a b c"))
    text = worksheet.worksheet(made_truths())
    assert text.count("The table of weights, still empty.") == 1
    assert text.index("choice a b c") < text.index("still empty") < text.index("token a b c")
    assert text.count('<th scope="row">1:b</th>') == 1 and "<svg" not in text


def test_a_worksheet_of_few_sheets_has_no_blank_tables_and_its_key_has_the_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    take(monkeypatch, made_lesson(1, "a b c"))
    assert "still empty" not in worksheet.worksheet_of_plan(made_truths(), 45)
    key = worksheet.worksheet_of_plan(made_truths(), 45, with_key=True)
    assert key.count("<svg") == 6 and "still empty" not in key and "plan of 45 minutes: the key" in key


def test_a_table_that_the_question_marks_is_not_printed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = made_lesson(1, "a b c")
    cell, choice = (next(each for each in lesson.screens if each.kind == kind) for kind in ("cell", "choice"))
    take(monkeypatch, replace(lesson, screens=(cell, choice)))
    names = ("0:a", "1:b", "2:c")
    truths = LessonTruths(
        lambda screen, text: Truth((0, 1) if screen.kind == "cell" else "x", {"fact": ""}, names, names),
        lambda screen, text: (Matrix(np.eye(3), names, names, "T"),),
    )
    assert "still empty" not in worksheet.worksheet(truths)


def test_tables_are_the_weights_that_drawings_show() -> None:
    half, names = np.array([[1.0, 0.0], [0.5, 0.5]]), ("0:a", "1:b")
    scores = np.array([[1.0, -np.inf], [2.0, 3.0]])
    panels = [
        Panel("s", "scores", scores, names, names),
        Panel("a", "weights", half, names, names, scale="weight"),
        Panel("n", "no names", half, scale="weight"),
    ]
    lines = TokenLines(half[None], names, names, key="l", name="lines", caption="One head")
    two = TokenLines(np.stack([half, half]), names, names, key="m", name="lines")
    allowed = np.array([True, True, False])
    looked = SoftDictionary(
        np.log([1.0, 3.0, 9.0]), np.eye(3), allowed, "1:b", (*names, "2:c"), key="d", name="soft dictionary"
    )
    bridge = Bridge(half, ("x", "y"), ("a", "b"), key="b", name="bridge", above="", below="")
    parts = [Matrices(panels, key="p", name="six steps"), Columns([[lines], [two, looked]]), bridge]
    matrix, line, looking, written = tables_in(parts)
    assert matrix.title == "weights" and line.title == "One head" and written.rows == ("x", "y")
    for found in (matrix, line, written):
        assert (found.values == half).all() and found.largest == 1
    assert looking.rows == ("1:b",) and looking.values == pytest.approx(np.array([[0.25, 0.75, np.nan]]), nan_ok=True)


def test_a_table_too_large_for_paper_is_left_out() -> None:
    names = tuple(map(str, range(25)))
    assert tables_in([Bridge(np.eye(25), names, names, key="b", name="bridge", above="", below="")]) == ()
