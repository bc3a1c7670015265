"""The address of what is on the screen, as others open it, and its QR code."""

import pytest

from pages.shell import sharing
from pages.shell.sharing import qr_code, reachable

HERE = "http://localhost:8501/heads?t=cat"


@pytest.mark.parametrize("host", ["localhost", "app.localhost", "127.0.0.1", "127.0.1.1", "[::1]", "0.0.0.0", "[::]"])
@pytest.mark.parametrize("listens", [None, "0.0.0.0", "::"])
def test_an_address_of_this_computer_names_it_in_its_network(
    host: str, listens: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "network_host", lambda: "192.168.0.7")
    found = reachable(HERE.replace("localhost", host), listens)
    assert found == ("http://192.168.0.7:8501/heads?t=cat", "")


def test_a_server_that_answers_this_computer_alone_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "network_host", lambda: "192.168.0.7")
    for host in ("localhost", "127.0.1.1", "0.0.0.0"):
        for listens in ("localhost", "127.0.0.1"):
            here = HERE.replace("localhost", host)
            assert reachable(here, listens) == (here, sharing.LOCAL_MESSAGE)


def test_a_computer_in_no_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "network_host", lambda: None)
    assert reachable(HERE, "0.0.0.0") == (HERE, sharing.OFFLINE_MESSAGE)


def test_an_address_that_others_can_open_stays_as_it_is() -> None:
    for address in (
        "https://attention.example/heads?t=cat",
        "http://192.168.0.7:8501/",
        "http://localhost.example/",
        "http://1.2.3.4/",
    ):
        assert reachable(address, "localhost") == (address, "")


def test_only_an_address_that_is_too_long_has_no_qr_code() -> None:
    code = qr_code(HERE)
    assert code and code.svg_inline().startswith("<svg")
    assert qr_code(HERE + "x" * 5000) is None
