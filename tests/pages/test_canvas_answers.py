"""What the answer form sends to the browser, and what it takes from it."""

from typing import Any

import numpy as np
import pytest

from core.lessons.lesson import KINDS, Option
from pages.canvas.answers.answers import AnswerForm
from tests.pages.screen import unpack

OPTIONS = (Option("mask", "It <b>hides</b>.", "The secret."), Option("delete", "It deletes.", "The secret."))


def form(kind: str = "choice", **options: Any) -> AnswerForm:
    return AnswerForm(kind, "Why?", key="k", **{"answered": lambda value: {"answer": value}} | options)


def meta_of(drawn: AnswerForm) -> dict[str, Any]:
    meta: dict[str, Any] = unpack(drawn.packed())[0]
    return meta


def test_a_question_travels_without_what_is_said_after_the_answer() -> None:
    drawn = form(options=OPTIONS, labels=("a", "b"), rows=("c",), formula="___ K", unit="tokens", name="Question 1")
    assert meta_of(drawn) == {
        "kind": "choice",
        "question": "Why?",
        "options": [{"name": "mask", "text": "It <b>hides</b>."}, {"name": "delete", "text": "It deletes."}],
        "labels": ["a", "b"],
        "rows": ["c"],
        "formula": "___ K",
        "unit": "tokens",
        "value": None,
        "locked": False,
        "send": "Answer",
        "name": "Question 1",
    }
    assert b"secret" not in drawn.packed()


@pytest.mark.parametrize(
    ("kind", "value", "sent"),
    [
        ("choice", "mask", "mask"),
        ("token", np.int64(2), 2),
        ("cell", (np.int64(1), 0), [1, 0]),
        ("row", np.array([0.25, 0.75]), [0.25, 0.75]),
        ("order", (2, 0, 1), [2, 0, 1]),
        ("number", np.float64(0.5), 0.5),
        ("formula", ("Q", "K"), ["Q", "K"]),
    ],
)
def test_a_former_answer_travels_as_json(kind: str, value: Any, sent: Any) -> None:
    assert meta_of(form(kind, value=value))["value"] == sent


def test_every_kind_of_a_lesson_can_be_drawn_and_no_other() -> None:
    assert [meta_of(form(kind))["kind"] for kind in KINDS] == list(KINDS)
    with pytest.raises(ValueError, match="'essay' is no kind of question: choice, "):
        form("essay")


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The session, in which the browser has sent an answer."""
    session: dict[str, Any] = {"k": {"answer": [0, 1]}}
    monkeypatch.setattr("pages.canvas.runtime.clicks.st.session_state", session)
    return session


def test_an_answer_becomes_settings(browser: dict[str, Any]) -> None:
    form("cell")._sent()
    assert browser["answer"] == [0, 1]


@pytest.mark.parametrize("options", [{"locked": True}, {"answered": None}])
def test_a_locked_form_takes_no_answer(browser: dict[str, Any], options: dict[str, Any]) -> None:
    drawn = form("cell", **options)
    drawn._sent()
    assert browser.keys() == {"k"} and meta_of(drawn)["locked"]


def test_no_answer_changes_nothing(browser: dict[str, Any]) -> None:
    browser["k"] = {"answer": None}
    form("cell")._sent()
    assert browser.keys() == {"k"}


def test_the_pinned_side_of_a_comparison_is_locked() -> None:
    pinned = form("cell", value=(0, 1)).read_only()
    assert pinned.key == "pinned-k" and meta_of(pinned)["locked"] and meta_of(pinned)["value"] == [0, 1]
