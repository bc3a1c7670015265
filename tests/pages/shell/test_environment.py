"""What the environment tells the server: variables that set nothing, proxies that are none, origins that are none."""

import re
from pathlib import Path

import pytest
import streamlit as st

from pages.shell import navigation
from pages.shell.environment import known_variables, refused_origins, unread_variables
from tests.rooms import ROOT, sources

WRITTEN = re.compile(r"(?:ATTENTION_EXPLORER_|\{(?:limits\.)?PREFIX\})([A-Z]+(?:_[A-Z]+)*)")


def test_a_misspelt_variable_is_told_with_the_nearest_name() -> None:
    said = {"ATTENTION_EXPLORER_TOKNS": "5", "ATTENTION_EXPLORER_MODELS": "x", "TOKNS": "5", "PATH": "/bin"}
    assert unread_variables(said) == [
        "ATTENTION_EXPLORER_TOKNS sets nothing: there is no such variable. Did you mean ATTENTION_EXPLORER_TOKENS?"
    ]
    (sentence,) = unread_variables({"ATTENTION_EXPLORER_": "5"})
    assert sentence.endswith("there is no such variable. `python -m core.limits` lists what can be set.")


def test_every_variable_that_the_app_names_is_known() -> None:
    texts = [text for path, text in sources().items() if not path.startswith("tests/")]
    texts += [
        path.read_text() for path in (ROOT / "README.md", ROOT / "compose.yaml", *Path(ROOT, "docs").glob("*.md"))
    ]
    named = {f"ATTENTION_EXPLORER_{name}" for text in texts for name in WRITTEN.findall(text)}
    assert named - set(known_variables()) == set() and len(named) >= 5
    assert unread_variables(dict.fromkeys(known_variables(), "1")) == []


@pytest.mark.parametrize(
    ("proxies", "words"),
    [
        ("", []),
        ("127.0.0.1", []),
        ("10.213.77.0/28, ::1", []),
        ("*", ["believes whatever a visitor says"]),
        (
            "proxy, 10.0.0.1/8,10.0.0.1",
            ["'proxy' does not", "10.0.0.1/8 has host bits set, so this proxy is not believed."],
        ),
    ],
)
def test_a_proxy_that_is_no_address_is_told(proxies: str, words: list[str]) -> None:
    found = unread_variables({"FORWARDED_ALLOW_IPS": proxies})
    assert len(found) == len(words) and all(word in each for word, each in zip(words, found, strict=True))


def test_origins_are_told_from_what_a_browser_would_not_read() -> None:
    origins = ["https://*.streamlit.app", "http://localhost:3000", "https://course.example.org", "http://[::1]:80"]
    wrong = [
        '["https://a.example"]',
        "course.example.org",
        "https://a.example/",
        "https://a.example,https://b.example",
        "*",
    ]
    assert refused_origins([*origins, *st.get_option("client.allowedOrigins")]) == []
    sentences = refused_origins([*origins, *wrong])
    assert len(sentences) == len(wrong) and all(repr(each) in said for each, said in zip(wrong, sentences, strict=True))


def test_a_server_with_an_origin_that_is_none_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = st.get_option
    monkeypatch.setattr(
        st, "get_option", lambda name: ['["https://a.example"]'] if name == "client.allowedOrigins" else asked(name)
    )
    with pytest.raises(SystemExit, match=r"is no origin, such as https://course\.example\.org"):
        navigation.serve({"Start": ("pages.start.welcome",)})


def test_the_first_pages_own_address_leads_to_the_path_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = st.get_option
    for base, path in {"": "/welcome", "/foo/bar/": "/foo/bar/welcome"}.items():
        monkeypatch.setattr(
            st, "get_option", lambda name, base=base: base if name == "server.baseUrlPath" else asked(name)
        )
        own, *_ = navigation.serve({"Start": ("pages.start.welcome",)})["routes"]
        assert own.path == path
