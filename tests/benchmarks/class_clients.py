"""Phones, projectors and teachers of classes that draw nothing: what their pages ask of the server, and when."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 60.0  # seconds that anything may take
TOO_MANY = 429  # the status of an answer to whoever has to wait
RETRY = 2.0  # seconds after which a phone asks again, as common.js does
JITTER = 0.3  # seconds within which phones ask what has changed, as phone.js does


class Connection:
    """One kept connection, over which one request at a time is sent, with the cookie that came last."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter | None = None
        self._cookie = ""

    async def ask(self, path: str, body: Any = None, known: str = "") -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        status, headers = await self._send(path, body, known)
        content = await self._reader.readexactly(int(headers["content-length"]))
        return status, json.loads(content)

    async def events(self, path: str) -> AsyncIterator[Any]:
        """Yield each event of a stream."""
        status, _ = await self._send(path)
        if status != 200:
            raise ConnectionError(f"{path}: {status}")
        while line := await self._reader.readline():
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))

    def close(self) -> None:
        if self._writer:
            self._writer.close()

    async def _send(self, path: str, body: Any = None, known: str = "") -> tuple[int, Mapping[str, str]]:
        try:
            return await asyncio.wait_for(self._sent(path, body, known), PATIENCE)
        except (asyncio.IncompleteReadError, ConnectionError):  # the server has closed it, because it was idle
            self.close()
            self._writer = None
            return await asyncio.wait_for(self._sent(path, body, known), PATIENCE)

    async def _sent(self, path: str, body: Any, known: str) -> tuple[int, Mapping[str, str]]:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port, limit=2**20)
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{'GET' if body is None else 'POST'} {self._path}/class/{path} HTTP/1.1", f"Host: {self._host}"]
        lines += [f"X-Participant: {known}"] if known else []
        lines += [f"Cookie: {self._cookie}"] if self._cookie else []
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"] if content else []
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        parts = (line.split(": ", 1) for line in head[1:] if ": " in line)
        headers = {name.lower(): value for name, value in parts}
        self._cookie = headers.get("set-cookie", self._cookie).partition(";")[0]
        return int(head[0].split()[1]), headers


@dataclass
class Times:
    """What was measured. In seconds; sent: when each answer was sent, by the room and the question.

    counted: when the projector of each room first showed each number of answers.
    shown: from the teacher's click until a phone had what it shows then.
    """

    sent: dict[tuple[str, int, int], list[float]] = field(default_factory=dict)
    counted: dict[tuple[str, int, int], list[float]] = field(default_factory=dict)
    shown: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def to_projector(self) -> list[float]:
        """The time from each answer to the moment when it was on the projector."""
        return [
            there - sent
            for question, moments in self.sent.items()
            for sent, there in zip(sorted(moments), self.counted.get(question, []), strict=False)
        ]


class ClassRoom:
    """One room: its teacher and its projector. clicked: when the teacher clicked last."""

    def __init__(self, url: str, times: Times) -> None:
        self.url, self.times = url, times
        self.teacher, self._projector = Connection(url), Connection(url)
        self.path, self.state = "", dict[str, Any]()
        self.clicked, self._tasks = 0.0, list[asyncio.Task[None]]()

    async def open(self, lesson: str) -> None:
        _, content = await self.teacher.ask("rooms", {"lesson": lesson, "text": ""})
        self.path = f"teacher/{content['code']}"
        _, self.state = await self.teacher.ask(f"{self.path}/state")
        self._tasks.append(asyncio.create_task(self._project()))

    async def act(self, do: str, to: Any = None) -> None:
        self.clicked = perf_counter()
        body = {"do": do, "to": to, "number": self.state["number"], "state": self.state["state"]}
        status, content = await self.teacher.ask(f"{self.path}/act", body)
        if status != 200:
            self.times.errors.append(f"teacher: {status} {content}")
        else:
            self.state = content

    async def all_answered(self, phones: int, patience: float) -> None:
        """Wait until the projector shows that all have answered, or for this long."""
        question = self.question
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while len(self.times.counted.get(question, [])) < phones:
                    await asyncio.sleep(0.05)

    @property
    def question(self) -> tuple[str, int, int]:
        return self.state["code"], self.state["number"], self.state["vote"]

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.teacher.close()
        self._projector.close()

    async def _project(self) -> None:
        async for message in self._projector.events(f"projector/{self.state['projector']}/events"):
            now = perf_counter()
            if "vote" in message:
                moments = self.times.counted.setdefault((message["code"], message["number"], message["vote"]), [])
                moments += [now] * (message["answered"] - len(moments))


class LightPhone:
    """A phone: it joins, follows the events, asks what to show, and answers after a while.

    think: the most seconds that it takes to answer.
    """

    def __init__(self, room: ClassRoom, draw: Random, think: float) -> None:
        self._room, self._draw, self._think = room, draw, think
        self._ask, self._stream = Connection(room.url), Connection(room.url)
        self._id, self._answered = "", set[tuple[int, int]]()
        self._tasks = set[asyncio.Task[None]]()

    async def join(self) -> None:
        body = {"code": self._room.state["code"], "id": ""}
        while (answer := await self._ask.ask("join", body))[0] == TOO_MANY:
            await asyncio.sleep(RETRY * self._draw.uniform(1, 1.25))
        status, content = answer
        if status != 200:
            raise ConnectionError(f"join: {status} {content}")
        self._id = content["id"]
        state = await self._show()
        self._start(self._follow(state["ticket"]))

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._ask.close()
        self._stream.close()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(self._noting_errors(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _noting_errors(self, work: Any) -> None:
        try:
            await work
        except (OSError, TimeoutError, asyncio.IncompleteReadError, KeyError) as error:
            self._room.times.errors.append(f"phone: {error!r}")

    async def _follow(self, ticket: str) -> None:
        version = None
        async for signal in self._stream.events(f"{self._room.state['code']}/events?ticket={ticket}"):
            if version is not None and signal["version"] != version:
                wait = self._draw.uniform(0, JITTER)
                await asyncio.sleep(wait)
                state = await self._show()
                self._room.times.shown.append(perf_counter() - self._room.clicked - wait)
                if state["state"] in ("open", "second") and (state["number"], state["vote"]) not in self._answered:
                    self._answered.add((state["number"], state["vote"]))
                    await self._answer(state)
            version = signal["version"]

    async def _show(self) -> Any:
        status, state = await self._ask.ask(f"{self._room.state['code']}/state", known=self._id)
        if status != 200:
            raise ConnectionError(f"state: {status} {state}")
        return state

    async def _answer(self, state: Any) -> None:
        await asyncio.sleep(self._draw.uniform(0, self._think))
        body = {"number": state["number"], "vote": state["vote"], "answer": any_answer(state["form"], self._draw)}
        question = self._room.state["code"], state["number"], state["vote"]
        self._room.times.sent.setdefault(question, []).append(perf_counter())
        status, content = await self._ask.ask(f"{self._room.state['code']}/answer", body, self._id)
        if status != 200:
            self._room.times.errors.append(f"answer: {status} {content}")


def any_answer(form: Mapping[str, Any], draw: Random) -> Any:
    """An answer of the form's kind, by chance."""
    columns, names = range(len(form["labels"])), [option["name"] for option in form["options"]]
    match form["kind"]:
        case "choice":
            return draw.choice(names)
        case "token":
            return draw.choice(columns)
        case "cell":
            return [draw.randrange(len(form["rows"])), draw.choice(columns)]
        case "row":
            return [draw.randint(1, 100) for _ in columns]
        case "order":
            return draw.sample(columns, len(columns))
        case "number":
            return draw.randint(1, 20)
    return [draw.choice(names) for _ in range(form["formula"].count("___"))]
