"""Whose requests the limits count: a visitor's behind a proxy that is trusted, otherwise whoever is connected."""

import http.client
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from pages.classroom.limits import ADDRESS_LIMIT
from tests.browser.server import ROOT, serving

PROXY, STRANGER = "127.0.0.40", "127.0.0.41"
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
                assert answer.status in (404, 429)
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


def test_the_copies_of_the_compose_file_trust_its_proxy_alone() -> None:
    said = (ROOT / "compose.yaml").read_text()
    (trusted,) = re.findall(r'^    FORWARDED_ALLOW_IPS: "(\S+)"$', said, re.MULTILINE)
    (subnet,) = re.findall(r"^ +- subnet: (\S+)", said.split("\nnetworks:\n")[1], re.MULTILINE)
    assert trusted == subnet
