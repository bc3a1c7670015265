"""A class on two copies of the app with one Redis: a copy is killed in a vote, and Redis goes away and comes back."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.classroom.redis_client import UNREACHED
from pages.shell.environment import REDIS_VARIABLE
from tests.browser.driver import address, drawn, settled, tap
from tests.browser.relay import relaying
from tests.browser.server import processes, serving
from tests.browser.test_class import DEMO, Lesson, Open, choose, note
from tests.browser.test_class import tabs_of as tabs_of
from tests.pages.classroom.lesson import RIGHT, WRONG
from tests.redis_server import RedisServer, redis_server

PHONES = 60
PATIENCE = 60.0  # seconds, after which a phone has lost its answer


@dataclass
class Copies:
    """Two copies of the app, the relay before them, and their Redis."""

    url: str
    copies: list[str]
    redis: RedisServer


@pytest.fixture
def copies() -> Iterator[Copies]:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        redis = stack.enter_context(redis_server(Path(folder)))
        urls = [stack.enter_context(serving(DEMO, variables={REDIS_VARIABLE: redis.address})) for _ in range(2)]
        yield Copies(stack.enter_context(relaying(urls)), urls, redis)


class Phone:
    """A phone that draws nothing, with an address of its own; as the page does, it asks until it has an answer."""

    def __init__(self, url: str, code: str, number: int) -> None:
        self.url, self.code, self.id = url, code, ""
        self.address = f"10.0.{number // 250}.{number % 250 + 1}"
        self.id = self.ask("join", {"code": code, "id": ""})["id"]

    def ask(self, path: str, body: Any = None) -> Any:
        headers = {"X-Forwarded-For": self.address, "X-Participant": self.id, "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        end = time.monotonic() + PATIENCE
        while True:
            request = urllib.request.Request(f"{self.url}/class/{path}", content, headers)
            try:
                with urllib.request.urlopen(request, timeout=8) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refusal:
                assert refusal.code >= 500 or refusal.code == 429, refusal.read()
            except OSError:
                pass
            assert time.monotonic() < end, "no answer came"
            time.sleep(0.3)

    def answer(self, value: str, after: float) -> None:
        time.sleep(after)
        self.ask(f"{self.code}/answer", {"number": 1, "vote": 1, "answer": value})

    @property
    def value(self) -> Any:
        return self.ask(f"{self.code}/state")["form"]["value"]


def kill(url: str) -> None:
    for folder in processes(url):
        os.kill(int(folder.name), signal.SIGKILL)


def test_a_copy_that_is_killed_in_a_vote_loses_no_answer_and_takes_none_twice(copies: Copies, tabs_of: Open) -> None:
    lesson = Lesson(copies.url, tabs_of, watched=False)
    with ThreadPoolExecutor(PHONES) as pool:
        phones = [*pool.map(lambda number: Phone(copies.url, lesson.code, number), range(PHONES))]
        given = [RIGHT["choice"] if number % 3 else WRONG["choice"] for number in range(PHONES)]
        lesson.do("Open the vote", "The vote is open.")
        voting = [
            pool.submit(phone.answer, value, number / 15)
            for number, (phone, value) in enumerate(zip(phones, given, strict=True))
        ]
        time.sleep(2)
        assert any(each.done() for each in voting) and not all(each.done() for each in voting)
        kill(copies.copies[0])
        for each in voting:
            each.result(PATIENCE)
        assert [*pool.map(lambda phone: phone.value, phones)] == given
    expect(lesson.projector.locator("#count")).to_have_text(f"{PHONES} of {PHONES} have answered", timeout=30_000)
    lesson.do("Close the vote", "The vote is closed.")
    lesson.do("Show what is right", "It is shown what is right.")
    expect(lesson.projector.locator(".tally .right .words")).to_have_text(str(given.count(RIGHT["choice"])))


def test_a_class_goes_on_when_its_copies_are_started_again(copies: Copies, tabs_of: Open) -> None:
    lesson = Lesson(copies.url, tabs_of, watched=False)
    phone = lesson.join()
    lesson.do("Open the vote", "The vote is open.")
    choose(phone, "the numbers of a row")
    for url in copies.copies:
        kill(url)
    expect(lesson.projector.locator("#connection")).to_contain_text("Trying again")
    with ExitStack() as stack:
        for url in copies.copies:
            again = serving(DEMO, port=int(url.rpartition(":")[2]), variables={REDIS_VARIABLE: copies.redis.address})
            stack.enter_context(again)
        expect(lesson.projector.locator("#connection")).to_be_empty(timeout=30_000)
        expect(lesson.projector.locator("#count")).to_have_text("1 of 1 have answered")
        lesson.do("Close the vote", "The vote is closed.")
        expect(note(phone)).to_contain_text("The vote is closed")


def test_while_redis_is_away_every_screen_says_so_and_then_goes_on(copies: Copies, tabs_of: Open) -> None:
    lesson = Lesson(copies.url, tabs_of, watched=False)
    phone = lesson.join()
    lesson.do("Open the vote", "The vote is open.")
    screens = {"phone": phone, "projector": lesson.projector, "teacher": lesson.teacher}
    option = phone.get_by_text("the numbers of a row", exact=True)
    expect(option).to_be_visible()
    copies.redis.pause()
    began = time.monotonic()
    tap(option)
    tap(phone.get_by_role("button", name="Answer"))
    expect(note(phone)).to_contain_text("Your answer is kept", timeout=20_000)
    for screen in screens.values():
        expect(screen.locator("#connection")).to_contain_text(UNREACHED, timeout=30_000)
    time.sleep(max(0.0, 10 - (time.monotonic() - began)))
    copies.redis.go_on()
    expect(note(phone)).to_contain_text("Your answer is in", timeout=30_000)
    expect(lesson.projector.locator("#count")).to_have_text("1 of 1 have answered", timeout=30_000)
    for screen in screens.values():
        expect(screen.locator("#connection")).to_be_empty(timeout=30_000)
    copies.redis.kill()
    newcomer: Page = tabs_of(address(copies.copies[0], "heads"), {"viewport": {"width": 1440, "height": 900}}, False)
    settled(newcomer)
    drawn(newcomer)
