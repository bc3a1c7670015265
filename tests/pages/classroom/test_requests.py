"""The reading of a request: a body that stops midway, and one that does not come."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from starlette.requests import Request

from pages.classroom.requests import Rejected, read_json
from tests.pages.classroom.loops import run_async

HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"100")]
Receive = Callable[[], Coroutine[Any, Any, dict[str, Any]]]


def refusal(then: Receive) -> tuple[int, str]:
    """The status and the sentence for a request of which one byte comes, and then what `then` gives."""
    first = iter([{"type": "http.request", "body": b"{", "more_body": True}])

    async def receive() -> dict[str, Any]:
        return next(first, None) or await then()

    async def read() -> tuple[int, str]:
        request = Request({"type": "http", "method": "POST", "path": "/", "headers": HEADERS}, receive)
        with pytest.raises(Rejected) as rejected:
            await read_json(request, seconds=0.05)
        return rejected.value.status, str(rejected.value)

    return run_async(read())


def test_a_body_that_stops_midway_is_refused_and_logs_no_error() -> None:
    async def disconnect() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    assert refusal(disconnect)[0] == 400


def test_a_body_that_does_not_come_is_given_up() -> None:
    async def never() -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    assert refusal(never) == (408, "This took too long to come. Try again.")
