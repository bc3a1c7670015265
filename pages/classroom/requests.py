"""Reads requests of strangers, within bounds, and answers with JSON."""

import asyncio
import json
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

BODY_BYTES = 4096
BODY_SECONDS = 10.0  # a phone itself waits no longer than eight for an answer
NUMBER_DIGITS = 15


class Rejected(Exception):
    """The error for a request that is answered with an HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


async def read_json(request: Request, seconds: float = BODY_SECONDS, max_bytes: int = BODY_BYTES) -> Mapping[str, Any]:
    """Return the JSON object of a request.

    Raises Rejected if it has more than `max_bytes`, if it is not there within `seconds`, if it is no JSON object, or if
    it was not sent as JSON: a form on another site could send anything else.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Rejected(415, "Send JSON.")
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > max_bytes:
        raise Rejected(413, "This is too long.")
    try:
        body = await asyncio.wait_for(_body(request, max_bytes), seconds)
    except ClientDisconnect as gone:
        raise Rejected(400, "This stopped midway.") from gone
    except TimeoutError as slow:
        raise Rejected(408, "This took too long to come. Try again.") from slow
    try:
        content = json.loads(body, parse_int=_parse_int, parse_constant=_refuse)
    except (ValueError, RecursionError) as mistake:
        raise Rejected(400, "This is no JSON.") from mistake
    if not isinstance(content, dict):
        raise Rejected(400, "Send a JSON object.")
    return content


async def _body(request: Request, max_bytes: int) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise Rejected(413, "This is too long.")
    return body


def text_of(content: Mapping[str, Any], name: str, max_characters: int) -> str:
    """Return a field of a request that is a text, in characters that can be shown.

    Raises Rejected if it is something else, or longer than `max_characters`.
    """
    value = content.get(name, "")
    if not isinstance(value, str) or len(value) > max_characters:
        raise Rejected(400, f"The field {name} must be a text of at most {max_characters} characters.")
    return one_line(value)


def one_line(text: str) -> str:
    """Return a text in characters that can be shown, with single spaces between its words."""
    text = text.encode(errors="replace").decode()
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def number_of(content: Mapping[str, Any], name: str) -> int:
    """Return a field of a request that is a whole number. Raises Rejected if it is something else."""
    value = content.get(name)
    if type(value) is not int:
        raise Rejected(400, f"The field {name} must be a whole number.")
    return value


def address_of(request: Request) -> str:
    """Return the network address that the requests of a stranger are counted by.

    Behind a proxy it is the visitor's own if the server trusts the proxy (FORWARDED_ALLOW_IPS), else the proxy's. Of an
    IPv6 address it is the first half, because a single device may use all addresses that begin with it.
    """
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:  # such as the name of a socket
        return host
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, 64), strict=False))


def json_answer(content: Mapping[str, Any], status: int = 200) -> Response:
    """Answer with JSON that browsers must not cache."""
    return JSONResponse(dict(content), status, headers={"Cache-Control": "no-store"})


def _parse_int(digits: str) -> int:
    if len(digits) > NUMBER_DIGITS:
        raise ValueError("a number has too many digits")
    return int(digits)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
