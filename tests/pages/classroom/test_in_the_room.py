"""A class in a room: which address a teacher is told, and that phones of a network without a way out reach the app."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

import pytest

from pages.classroom.__main__ import NO_NETWORK, ROOT, WHO, invitation
from pages.shell import network
from pages.shell.network import network_hosts
from tests.browser.server import free_port

TEACHER, PHONE = (f"{name}-{os.getpid()}" for name in ("teacher", "phone"))
HOST = "10.99.7.1"
ASK = """
import json, sys
from urllib.request import Request, urlopen
url, body, cookie = sys.argv[1:]
headers = {"Content-Type": "application/json"} if body else {}
answer = urlopen(Request(url, body.encode() or None, headers | {"Cookie": cookie}), timeout=10)
content = answer.read().decode()
print(json.dumps([content, answer.headers.get("Set-Cookie", "").partition(";")[0]]))
"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def may_make_networks() -> bool:
    """Whether this user may make networks of its own on this machine."""
    if not (shutil.which("ip") and shutil.which("unshare")):
        return False
    return subprocess.run(["ip", "netns", "add", f"probe-{os.getpid()}"], capture_output=True).returncode == 0 and (
        subprocess.run(["ip", "netns", "del", f"probe-{os.getpid()}"], capture_output=True).returncode == 0
    )


needs_networks = pytest.mark.skipif(not may_make_networks(), reason="only root may make networks, and on Linux")


@pytest.fixture
def room() -> Iterator[None]:
    """Two computers of one network, from which nothing leads elsewhere."""
    ip("netns", "add", TEACHER)
    ip("netns", "add", PHONE)
    try:
        ip("-n", TEACHER, "link", "add", "wlan7", "type", "veth", "peer", "name", "wlan8", "netns", PHONE)
        ip("-n", TEACHER, "link", "add", "docker0", "type", "veth", "peer", "name", "inside")
        addresses = ((TEACHER, HOST, "wlan7"), (PHONE, "10.99.7.2", "wlan8"), (TEACHER, "172.17.0.1", "docker0"))
        for name, address, interface in addresses:
            ip("-n", name, "addr", "add", f"{address}/24", "dev", interface)
            ip("-n", name, "link", "set", interface, "up")
            ip("-n", name, "link", "set", "lo", "up")
        ip("-n", TEACHER, "link", "set", "inside", "up")
        yield
    finally:
        ip("netns", "del", TEACHER)
        ip("netns", "del", PHONE)


def ask(computer: str, url: str, content: Any = None, cookie: str = "") -> tuple[Any, str]:
    """What the app answers to a request of one of the computers, and the cookie that comes with it."""
    body = "" if content is None else json.dumps(content)
    command = ["ip", "netns", "exec", computer, sys.executable, "-c", ASK, url, body, cookie]
    answer, given = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return json.loads(answer), given


def is_up(url: str) -> bool:
    command = ["ip", "netns", "exec", PHONE, sys.executable, "-c", ASK, f"{url}/_stcore/health", "", ""]
    return subprocess.run(command, capture_output=True).returncode == 0


@needs_networks
def test_phones_of_a_network_without_a_way_out_join_at_the_address_that_is_shown(room: None) -> None:
    port = free_port()
    command = ["ip", "netns", "exec", TEACHER, sys.executable, "-m", "pages.classroom", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout
        said = "".join(iter(server.stdout.readline, "\n"))
        address = server.stdout.readline().strip()
        assert said.strip() == WHO
        assert address == f"Open on this computer, and on phones:  http://{HOST}:{port}   (wlan7)"
        end = monotonic() + 150
        while not is_up(f"http://{HOST}:{port}") and monotonic() < end:
            sleep(1)
        here, there = f"http://localhost:{port}/class", f"http://{HOST}:{port}/class"
        opened, cookie = ask(TEACHER, f"{here}/rooms", {"lesson": "what-is-a-token", "text": ""})
        code = opened["code"]
        key = ask(TEACHER, f"{here}/teacher/{code}/state", cookie=cookie)[0]["projector"]
        shown, _ = ask(TEACHER, f"{here}/projector/{key}/qr?at=http://localhost:{port}/class/{code}")
        assert shown["address"] == f"{there}/{code}" and shown["svg"] and not shown["why"]
        assert ask(PHONE, f"{there}/join", {"code": code})[0]["id"]
        assert ask(TEACHER, f"{here}/projector/{key}/state")[0]["joined"] == 1
    finally:
        server.terminate()
        server.wait(10)


@needs_networks
def test_a_computer_in_no_network_says_what_to_do() -> None:
    command = ["unshare", "-n", sys.executable, "-m", "pages.classroom"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1 and ended.stderr.strip() == NO_NETWORK


@pytest.mark.parametrize(
    ("addresses", "way_out", "expected"),
    [
        ([("10.0.0.2", "eth0"), ("192.168.1.5", "wlan0")], "192.168.1.5", ["192.168.1.5", "10.0.0.2"]),
        ([("10.0.0.2", "eth0"), ("192.168.1.5", "wlan0")], "", ["10.0.0.2", "192.168.1.5"]),
        ([("10.8.0.6", "tun0"), ("192.168.1.5", "wlan0")], "10.8.0.6", ["192.168.1.5", "10.8.0.6"]),
        ([("172.17.0.1", "docker0")], "", ["172.17.0.1"]),
        ([], "", []),
    ],
)
def test_the_likeliest_address_comes_first(
    addresses: list[tuple[str, str]], way_out: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "_addresses", lambda: iter(addresses))
    monkeypatch.setattr(network, "_way_out", lambda: way_out)
    assert list(network_hosts()) == expected


def test_other_addresses_are_named_after_the_likeliest() -> None:
    said = invitation({"192.168.1.5": "wlan0", "10.0.0.2": "eth0"}, 8501)
    assert "on phones:  http://192.168.1.5:8501   (wlan0)\n" in said
    assert "this computer also is:  http://10.0.0.2:8501 (eth0)\n" in said and "ufw allow 8501/tcp" in said
    assert "also" not in invitation({"192.168.1.5": "wlan0"}, 8501)
