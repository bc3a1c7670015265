"""The server asks no other host for anything, whoever calls it, and lets in whom it should."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn
from tests.browser.server import WATCH, foreign_hosts, serving


def handshake(url: str, host: str, origin: str) -> int:
    """The status with which the server answers a browser that asks for its stream."""
    parts = urlsplit(url)
    lines = ["GET /_stcore/stream HTTP/1.1", f"Host: {host}", f"Origin: {origin}", "Upgrade: websocket"]
    lines += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""]
    with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=45) as wire:
        wire.sendall("\r\n".join(lines).encode())
        return int(wire.recv(100).split()[1])


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1", "http://evil.example", 403),
        ("127.0.0.1", "https://93.184.216.34", 403),
        ("127.0.0.1", "null", 403),
        ("192.168.1.20:8501", "http://192.168.1.20:8501", 101),
        ("learn.example.org", "https://learn.example.org", 101),
        ("127.0.0.1", "http://localhost:8501", 101),
    ],
)
def test_an_origin_is_judged_without_asking_another_host(
    host: str, origin: str, status: int, serve: Callable[[str], str], foreign: Path
) -> None:
    assert handshake(serve("app.py"), host, origin) == status
    assert foreign_hosts(foreign) == []


def test_a_fresh_server_without_flags_finds_the_page_of_a_deep_link_and_asks_no_other_host(
    tmp_path: Path, page: Callable[..., Page]
) -> None:
    foreign = tmp_path / "foreign"
    with serving("app.py", tmp_path / "log", flags=(), foreign=foreign) as url:
        tab = page(address(url, "heads"))
        drawn(tab)
        assert tab.get_by_role("dialog").count() == 0
        expect(tab.get_by_role("heading", name="What does each head look at?")).to_be_visible()
        assert handshake(url, "127.0.0.1", "http://evil.example") == 403
    assert foreign_hosts(foreign) == []


@pytest.mark.parametrize(
    "call",
    [
        "socket.create_connection(('93.184.216.34', 80), 1)",
        "socket.getaddrinfo('example.com', 80)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('8.8.8.8', 1))",
        "__import__('urllib.request').request.urlopen('http://example.com', timeout=1)",
    ],
)
def test_the_watch_sees_and_refuses_a_way_out(call: str, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    environment = os.environ | {"PYTHONPATH": str(WATCH), "FOREIGN_HOSTS": str(foreign)}
    done = subprocess.run([sys.executable, "-c", f"import socket; {call}"], env=environment, capture_output=True)
    assert done.returncode != 0 and len(foreign_hosts(foreign)) == 1
