"""A class through HTTP, without a browser: a teacher, a projector and phones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.classroom.rooms import Room
from pages.classroom.routes import routes_of
from pages.classroom.server import ClassServer
from tests.pages.classroom.lesson import LESSON, Clock, truth_for
from tests.pages.classroom.loops import run_async

Answer = Any


class School:
    """A server of classes with one lesson. slept: the seconds that it made somebody wait."""

    def __init__(self, client: TestClient, server: ClassServer, clock: Clock, slept: list[float], base: str) -> None:
        self.client, self.server, self.clock, self.slept, self.base = client, server, clock, slept, base

    def at(self, address: str) -> "School":
        """The same server, asked from another address."""
        client = TestClient(self.client.app, client=(address, 50000))
        return School(client, self.server, self.clock, self.slept, self.base)

    def get(self, path: str, **options: Any) -> Answer:
        return self.client.get(f"{self.base}/class{path}", **options)

    def post(self, path: str, content: Any, **options: Any) -> Answer:
        return self.client.post(f"{self.base}/class{path}", json=content, **options)

    def room(self, code: str) -> Room:
        found = run_async(self.server.rooms.by_code(code))
        assert found is not None
        return found

    def open(self, text: str = "") -> "Teacher":
        return self._opened({"lesson": LESSON.name, "text": text})

    def open_plan(self, plan: Any, **more: Any) -> "Teacher":
        return self._opened({"plan": plan} | more)

    def _opened(self, content: Any) -> "Teacher":
        answer = self.post("/rooms", content)
        assert answer.status_code == 200, answer.text
        code = answer.json()["code"]
        secret = answer.cookies[f"class-{code}"]
        self.client.cookies.clear()  # a browser of its own, not that of whoever asks next
        return Teacher(self, code, secret)


class Teacher:
    """The teacher of one room."""

    def __init__(self, school: School, code: str, secret: str) -> None:
        self.school, self.code, self.secret = school, code, secret
        self.headers = {"cookie": f"class-{code}={secret}"}
        self.projector: str = self.state()["projector"]

    @property
    def room(self) -> Room:
        return self.school.room(self.code)

    def state(self) -> Any:
        return self.school.get(f"/teacher/{self.code}/state", headers=self.headers).json()

    def try_to(self, do: str, to: Any = None, **more: Any) -> Answer:
        now = self.state()
        content = {"do": do, "to": to, "number": now["number"], "state": now["state"]} | more
        return self.school.post(f"/teacher/{self.code}/act", content, headers=self.headers)

    def act(self, do: str, to: Any = None) -> Any:
        answer = self.try_to(do, to)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def lead(self, *states: str) -> Any:
        return [self.act("advance", state) for state in states][-1]

    def projected(self) -> Any:
        return self.school.get(f"/projector/{self.projector}/state").json()

    def join(self) -> "Phone":
        return Phone(self.school, self.code)


class Phone:
    """Somebody's phone."""

    def __init__(self, school: School, code: str, known: str = "") -> None:
        self.school, self.code = school, code
        answer = school.post("/join", {"code": code, "id": known})
        assert answer.status_code == 200, answer.text
        self.id = answer.json()["id"]

    @property
    def headers(self) -> dict[str, str]:
        return {"x-participant": self.id}

    def follow(self, is_connected: bool = True) -> "Phone":
        """Open the stream of events, or lose it; without a browser it is only noted, as the stream would."""
        room = self.school.room(self.code)
        (room.connect if is_connected else room.disconnect)(room.participants[self.id], "1")
        return self

    def state(self) -> Any:
        return self.school.get(f"/{self.code}/state", headers=self.headers).json()

    def send(self, path: str, content: Any) -> Answer:
        return self.school.post(f"/{self.code}/{path}", content, headers=self.headers)

    def answer(self, answer: Any, number: int = 1, vote: int = 1) -> Answer:
        return self.send("answer", {"number": number, "vote": vote, "answer": answer})


@contextmanager
def opened_school(base: str = "", truth: Callable[..., Any] = truth_for, **more: Any) -> Iterator[School]:
    clock, slept = Clock(), list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    server = ClassServer(lambda: {LESSON.name: LESSON}, truth, clock, sleep, **more)
    with TestClient(Starlette(routes=routes_of(server, base))) as client:
        yield School(client, server, clock, slept, base)
