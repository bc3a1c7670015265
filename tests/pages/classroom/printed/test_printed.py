"""The pages to print: each is there, escaped, without foreign scripts, below the app's path, true to the lessons."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.testclient import TestClient

from core.faults import MachineFault
from core.lessons.glossary import BY_NAME
from core.lessons.inventory import UNSURE_ANSWER, inventory
from core.lessons.lesson import KINDS, Lesson, Option, Screen
from core.topics.shared.truth import Truth
from pages.classroom import plans
from pages.classroom.printed import LessonTruths, glossary, plan, print_routes, report, routes, worksheet
from pages.classroom.printed.routes import FILES, FOR_TEACHERS, sheets_of
from pages.classroom.printed.sheets import SHEETS, prose
from pages.shell.security_headers import SecurityHeaders
from pages.start.lessons.overview import SHEETS as LINKED

HOSTILE = "<script>alert(1)</script> \"'&<img src=x onerror=alert(2)>"
EMPTY_TAGS = {"br", "hr", "link", "meta"}


def no_truth(screen: Screen, text: str) -> Truth:
    raise ValueError("no model here")


WITHOUT = LessonTruths(no_truth)
PAGES = sheets_of(WITHOUT)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with opened_by(is_teacher=True) as opened:
        yield opened


@contextmanager
def opened_by(is_teacher: bool, base: str = "") -> Iterator[TestClient]:
    """The pages as a browser gets them that leads a class, or that does not."""

    async def leads(request: Request) -> bool:
        return is_teacher

    routes = print_routes(LessonTruths(no_truth), leads, base)
    with TestClient(Starlette(routes=routes, middleware=[Middleware(SecurityHeaders)])) as opened:
        yield opened


LESSON_NAMES = ("what-is-a-token", "query-key-value", "masks")  # each is about one idea of the inventory


def made_lesson(number: int, words: str = "a b c", minutes: float = 2.0) -> Lesson:
    """A lesson with one screen of each kind, in which every text is the same."""
    options = (Option("x", f"x {words}", words), Option("y", f"y {words}", words))
    screens = tuple(
        Screen(
            page="tokens",
            question=f"{kind} {words}",
            kind=kind,
            truth="tokens.questions.count_tokens",
            explanation="{fact}",
            text=words,
            vary=words,
            notes=words,
            unit=words,
            formula=f"a ___ b ___ {words}",
            options=options if kind in ("choice", "formula") else (),
            minutes=minutes,
        )
        for kind in KINDS
    )
    return Lesson(f"made-{number}", number, words, words, words, screens, ("token", "query"))


def take(monkeypatch: pytest.MonkeyPatch, *made: Lesson) -> None:
    """Let the pages find these lessons in place of the files."""
    for module in (plan, plans, worksheet, glossary, report, routes):
        monkeypatch.setattr(module, "lessons", lambda: {lesson.name: lesson for lesson in made})


class Balanced(HTMLParser):
    """Fails where a tag is closed that is not open, and keeps the names of the attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_plain_html_with_the_security_headers(name: str, client: TestClient) -> None:
    answer = client.get(f"/print/{name}")
    assert answer.status_code == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    found = Balanced(answer.text)
    scripts = [attributes for tag, attributes in found.tags if tag == "script"]
    assert scripts == ([{"src": "report.js", "defer": "defer"}] if name == "report" else [])
    names = {name for _, attributes in found.tags for name in attributes}
    assert not [name for name in names if name.startswith("on") or name == "style"]
    assert [tag for tag, _ in found.tags].count("h1") == 1 and ("html", {"lang": "en"}) in found.tags


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_leads_to_something(name: str, client: TestClient) -> None:
    for _, attributes in Balanced(client.get(f"/print/{name}").text).tags:
        for key in ("href", "src"):
            target = attributes.get(key)
            elsewhere = (None, "../lessons", f"../class/teach?plan={name}")
            assert target in elsewhere or client.get(f"/print/{target}").status_code == 200, target


def test_the_pages_are_those_of_the_menu_and_of_the_card_for_teachers() -> None:
    assert list(PAGES) == list(SHEETS)
    assert {f"print/{name}" for name in PAGES} - {path for _, path, _ in LINKED} == {"print/report"}


@pytest.mark.parametrize("name", ["", "nothing", "../app.py", "%2e%2e%2fapp.py", "routes.py", "plan-91"])
def test_nothing_else_is_served(name: str, client: TestClient) -> None:
    assert client.get(f"/print/{name}").status_code == 404


def test_the_files_have_their_types(client: TestClient) -> None:
    for name, kind in {"print.css": "text/css", "report.js": "text/javascript"}.items():
        answer = client.get(f"/print/{name}")
        assert answer.headers["content-type"].startswith(kind) and answer.content == (FILES / name).read_bytes()


def test_the_pages_stand_below_the_path_of_the_app() -> None:
    with opened_by(is_teacher=False, base="/foo/bar") as client:
        assert client.get("/foo/bar/print/plan-45").status_code == 200
        assert client.get("/print/plan-45").status_code == 404
        assert 'href="/' not in client.get("/foo/bar/print/plan-45").text  # all addresses are relative


@pytest.mark.parametrize("name", PAGES)
def test_keys_of_the_inventory_are_for_who_leads_a_class(name: str) -> None:
    with opened_by(is_teacher=False) as client:
        answer = client.get(f"/print/{name}")
        Balanced(answer.text)
        assert answer.status_code == (403 if name in FOR_TEACHERS else 200)
        if name in FOR_TEACHERS:
            assert "for teachers" in answer.text and 'href="../class/teach"' in answer.text
            assert not [each for each in inventory().half(name[10].upper()) if prose(each.because) in answer.text]


@pytest.mark.parametrize("name", PAGES)
def test_text_of_a_lesson_is_never_taken_for_html(
    name: str, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(monkeypatch, made_lesson(1, HOSTILE))
    text = client.get(f"/print/{name}").text
    assert "<script>" not in text and "<img" not in text
    assert "&lt;script&gt;" in text or name.startswith("inventory") or name == "report"
    Balanced(text)


def test_attributes_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, replace(made_lesson(1), name='"><b>'))
    assert 'data-lesson="&#34;&gt;&lt;b&gt;"' in report.report()


def test_bold_words_are_bold_and_all_else_is_escaped() -> None:
    assert prose("a **b** <i> `c`") == "a <strong>b</strong> &lt;i&gt; <code>c</code>"


@pytest.mark.parametrize(("minutes", "length"), [(45, 3.0), (45, 1.0), (45, 9.0), (90, 1.0), (90, 0.5), (90, 2.0)])
def test_a_plan_fills_its_time_exactly(minutes: int, length: float, monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, *(made_lesson(number, minutes=length) for number in range(1, 13)))
    times = re.findall(r"<tr><td>(\d:\d\d)–(\d:\d\d)</td>", plan.plan(minutes))
    assert times[0][0] == "0:00" and times[-1][1] == plan.clock(minutes)
    assert all(end == begin for (_, end), (begin, _) in pairwise(times))
    assert sum(entry.minutes for entry in plan.entries(minutes)) == minutes


@pytest.mark.parametrize(("minutes", "least", "most"), [(45, 7, 8), (90, 14, 18)])
def test_the_minutes_of_a_plan_are_reckoned_from_the_words_of_its_screens(minutes: int, least: int, most: int) -> None:
    parts = plan.entries(minutes)
    for entry in parts:
        assert entry.lesson is None or entry.minutes == pytest.approx(reckoned(entry))
    assert least <= sum(len(entry.lesson.screens) for entry in parts if entry.lesson) <= most
    assert sum(reckoned(entry) for entry in parts) <= minutes
    text = plan.plan(minutes)
    assert f"<td>{minutes} min</td></tr></tfoot>" in text and "read aloud at 130 words a minute" in text
    assert "read their words alone, at 200 words a minute" in text and "0.5 minutes to think about each" in text


def reckoned(entry: plan.PlanEntry) -> float:
    """The minutes of a part by hand: for each question its words, 1 to choose, 1 to look, and 1.5 to talk in pairs."""
    if entry.lesson is None:
        return entry.minutes
    total = 0.0
    for screen in entry.lesson.screens:
        said = [screen.text, screen.question, screen.formula, screen.explanation, screen.vary]
        words = " ".join([*said, *(option.text for option in screen.options)]).split()
        total += round(2 * (len(words) / 130 + 2 + (0 if screen.is_guess else 1.5))) / 2
    return total


def test_a_short_plan_begins_with_the_most_important_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [made_lesson(number, minutes=2.0) for number in range(1, 13)]
    named = {10: "query-key-value", 12: "what-is-a-token"}
    take(monkeypatch, *(replace(each, name=named.get(each.number, each.name)) for each in made))
    # 35 minutes: lessons 12 and 10 take 14 each, so 7 are left for lesson 1.
    assert [(lesson.number, len(lesson.screens)) for lesson in plans.chosen(45)] == [(1, 3), (10, 7), (12, 7)]
    text = plan.plan(45)
    assert "The first 3 questions of 7" in text and 'href="../class/teach?plan=plan-45"' in text


def test_a_lesson_is_not_begun_for_a_single_question(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, *(made_lesson(number, minutes=4.0) for number in range(1, 4)))
    assert [len(lesson.screens) for lesson in plans.chosen(45)] == [7]  # 28 of 35 minutes, 7 left


def test_a_plan_says_which_printed_questions_are_about_what_its_lessons_teach() -> None:
    """The 45 minutes have lessons 1 and 3, whose ideas are the first and the third; the 90 also lessons 4 and 11."""
    assert [lesson.number for lesson in plans.chosen(45)] == [1, 3]
    assert "before and after, 1 and 3 are about what these lessons teach. They take 3 minutes each" in plan.plan(45)
    assert [lesson.number for lesson in plans.chosen(90)] == [1, 3, 4, 11]
    text, asked = plan.plan(90), [entry for entry in plan.entries(90) if entry.title.startswith("Questions ")]
    assert "they answer 1, 3, 4 and 10, about" in text and "answers 1, 3, 4 and 10 of it" in text
    assert [entry.minutes for entry in asked] == [4.5, 4.5] and "homework" not in text


def test_lessons_and_what_is_asked_of_them_fill_a_long_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {name: replace(made_lesson(number, minutes=5.0), name=name) for number, name in enumerate(LESSON_NAMES, 1)}
    take(monkeypatch, *made.values())
    # 80 minutes: two lessons of 35 leave 10. What is asked of them takes 2 · 3; 4 are left, too few for another.
    assert [lesson.name for lesson in plans.chosen(90)] == ["what-is-a-token", "query-key-value"]
    assert [entry.minutes for entry in plan.entries(90)] == [5, 3, 35, 35, 4, 3, 5]


def test_a_plan_has_what_to_say_and_ask_and_what_people_think() -> None:
    made = plans.chosen(90)[0]
    text = plan.plan(90)
    for screen in made.screens:
        for part in (screen.text, screen.question, screen.notes, screen.vary):
            assert prose(part) in text
    assert "vote again" in text and "Reveal" in text and "talk in pairs" in text


def test_a_worksheet_has_a_place_for_every_kind_of_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, made_lesson(1, "the cat sat"))
    text = worksheet.worksheet(WITHOUT)
    assert text.count('<li class="question">') == len(KINDS)
    assert text.count('<table class="grid">') == text.count('<table class="bars">') == 1
    assert text.count('<th scope="row">cat</th>') == 1 and text.count('<span class="gap">') == 2


@pytest.mark.parametrize("minutes", plans.PLANS.values())
def test_the_worksheet_of_a_plan_has_the_questions_of_the_plan(minutes: int) -> None:
    text = worksheet.worksheet_of_plan(WITHOUT, minutes)
    asked = [str(prose(screen.question)) for lesson in plans.chosen(minutes) for screen in lesson.screens]
    assert re.findall(r"<p><strong>(.*?)</strong></p>", text) == asked
    assert text.count("Because: ") == text.count("The model: ") == len(asked)
    assert text.count("instead of your name") == 1 and 'class="sheet"' not in text
    assert f'href="worksheet-{minutes}"' in plan.plan(minutes)


def test_a_worksheet_has_the_tokens_of_the_model_and_its_key_what_the_model_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def compute(screen: Screen, text: str) -> Truth:
        asked.append(screen.kind)
        if screen.kind != "row":
            raise ValueError("unsuitable")
        return Truth((0.25, 0.75), {"fact": "<i>"}, ("1:ca", "2:t"))

    take(monkeypatch, made_lesson(1, "cat"))
    truths = LessonTruths(compute)
    text, key = worksheet.worksheet(truths), worksheet.worksheet_key(truths)
    assert '<th scope="col"><span>1:ca</span></th>' in text
    assert "1:ca 25%, 2:t 75%" in key and "most weight, 75%, on “2:t”" in key and "&lt;i&gt;" in key
    assert key.count(worksheet.NOT_KNOWN) == len(KINDS) - 1
    assert sorted(asked) == sorted(KINDS)  # each once, for both pages


def test_a_truth_that_the_machine_failed_at_is_tried_again() -> None:
    tries: list[int] = []

    def compute(screen: Screen, text: str) -> Truth:
        tries.append(1)
        if len(tries) == 1:
            raise MachineFault("too little memory")
        return Truth("x")

    truths, lesson = LessonTruths(compute), made_lesson(1)
    assert truths.get(lesson, 1) is None
    assert truths.get(lesson, 1) is truths.get(lesson, 1) is not None and len(tries) == 2


@pytest.mark.parametrize("half", ["A", "B"])
def test_the_key_is_on_its_own_page_only(half: str, client: TestClient) -> None:
    questions = inventory().half(half)
    without, key = (client.get(f"/print/inventory-{half.lower()}{end}").text for end in ("", "-key"))
    for question in questions:
        assert prose(question.question) in without and prose(question.because) not in without
        assert prose(question.because) in key
        for option in question.options:
            assert prose(option.text) in without
            assert not option.misconception or prose(option.misconception) not in without
            assert prose(option.misconception) in key and prose(option.instead) in key
    assert key.count('class="right"') + key.count('class="open"') == 4 * 11
    assert without.count('class="open"') == 5 * 11 and without.count(f'<li class="open">{UNSURE_ANSWER}</li>') == 11
    assert len(questions) == 11 and "The 11 questions of A and the 11 of B are about the same ideas" in key
    assert "guesses all 11 gets 2.75 right on average" in key and "have not been tried on learners" in key
    for when in ("before the lessons", "after the lessons"):  # half the class begins with B
        assert when in without
    assert key.count('class="right"') == 11 and 'class="right"' not in without


def test_each_term_is_explained_once_where_it_is_first_met(monkeypatch: pytest.MonkeyPatch) -> None:
    take(monkeypatch, made_lesson(1), made_lesson(2))
    text = glossary.glossary_sheet()
    assert re.findall("<dt>(.*?)</dt>", text) == ["token", "query"]
    assert prose(BY_NAME["query"].text) in text


def test_the_report_reads_what_the_lessons_write() -> None:
    written = Path("pages/canvas/lesson_progress/lesson_progress.js").read_text(encoding="utf-8")
    script = (FILES / "report.js").read_text(encoding="utf-8")
    (key,) = re.findall(r'^const KEY = (".*");$', written, re.MULTILINE)
    assert f"const KEY = {key};" in script
    assert "innerHTML" not in script and "insertAdjacentHTML" not in script and "document.write" not in script
