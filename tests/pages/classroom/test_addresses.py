"""Whose requests the limits count: a visitor's behind a proxy that is trusted, otherwise whoever is connected."""

import http.client
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from pages.classroom.limits import ADDRESS_LIMIT, JOIN_LIMIT
from tests.browser.server import ROOT, serving
from tests.pages.classroom.lesson import LESSON

PROXY, STRANGER, FORGER = "127.0.0.40", "127.0.0.41", "127.0.0.42"
MORE = int(ADDRESS_LIMIT[1] * 2)  # requests than an address may send, also when it takes seconds to send them


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server that trusts the proxy, and is asked from it and from another address."""
    with serving("tests/browser/apps/class_demo.py", variables={"FORWARDED_ALLOW_IPS": f"{PROXY}/32"}) as served:
        yield served


def is_refused(url: str, peer: str, forwarded: Callable[[int], str]) -> bool:
    """Whether so many requests of strangers were too many.

    peer: from where the server is asked. forwarded: returns the X-Forwarded-For of a request, by its number.
    """
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, source_address=(peer, 0))
    with closing(connection):
        for number in range(MORE):
            connection.request("GET", "/class/teacher/x/state", headers={"X-Forwarded-For": forwarded(number)})
            with connection.getresponse() as answer:
                answer.read()
                assert answer.status in (401, 429)
            if answer.status == 429:
                return True
    return False


def visitor(number: int) -> str:
    return f"203.0.{number // 250}.{number % 250}"


def test_a_trusted_proxys_visitors_are_counted_one_by_one(url: str) -> None:
    assert not is_refused(url, PROXY, visitor)


def test_a_visitor_behind_it_cannot_make_up_an_address(url: str) -> None:
    """A proxy writes the true address behind whatever the visitor has sent."""
    assert is_refused(url, PROXY, lambda number: f"{visitor(number)}, 198.51.100.7")


def test_of_others_what_they_forward_is_not_believed(url: str) -> None:
    assert is_refused(url, STRANGER, visitor)


def asked(url: str, peer: str, path: str, content: Mapping[str, str], **headers: str) -> tuple[int, str, str]:
    """The status, the text and the cookie of an answer. headers: with _ for -."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, source_address=(peer, 0))
    sent = {name.replace("_", "-"): value for name, value in headers.items()} | {"Content-Type": "application/json"}
    with closing(connection):
        connection.request("POST", f"/class/{path}", json.dumps(content), sent)
        with connection.getresponse() as answer:
            return answer.status, answer.read().decode(), answer.headers.get("Set-Cookie", "")


def open_class(url: str) -> str:
    """The code of a new class."""
    status, text, _ = asked(url, PROXY, "rooms", {"lesson": LESSON.name}, X_Forwarded_For="198.51.100.1")
    assert status == 200
    return str(json.loads(text)["code"])


def test_seats_are_counted_for_each_visitor_behind_the_proxy(url: str) -> None:
    """Two schools behind one proxy do not wait for each other, and one that makes addresses up waits for itself."""
    code, most = open_class(url), int(JOIN_LIMIT[1])

    def joins(peer: str, forwarded: Callable[[int], str], many: int) -> list[int]:
        return [asked(url, peer, "join", {"code": code}, X_Forwarded_For=forwarded(n))[0] for n in range(many)]

    one, other = (lambda number: "198.51.100.7"), (lambda number: "203.0.113.9")
    assert 429 in joins(PROXY, one, 2 * most) and set(joins(PROXY, other, most)) == {200}
    code = open_class(url)
    assert 429 in joins(FORGER, visitor, 2 * most)
    code = open_class(url)
    assert 429 in joins(PROXY, lambda number: f"{visitor(number)}, 198.51.100.8", 2 * most)


@pytest.mark.parametrize(("peer", "is_secure"), [(PROXY, True), (STRANGER, False)])
def test_a_cookie_is_for_https_alone_where_the_proxy_says_so(url: str, peer: str, is_secure: bool) -> None:
    _, _, cookie = asked(url, peer, "rooms", {"lesson": LESSON.name}, X_Forwarded_Proto="https")
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and ("Secure" in cookie) is is_secure


def test_the_copies_of_the_compose_file_trust_its_proxy_alone() -> None:
    said = (ROOT / "compose.yaml").read_text()
    (trusted,) = re.findall(r'^    FORWARDED_ALLOW_IPS: "(\S+)"$', said, re.MULTILINE)
    (subnet,) = re.findall(r"^ +- subnet: (\S+)", said.split("\nnetworks:\n")[1], re.MULTILINE)
    assert trusted == subnet
