"""Terms in prose become links to the glossary: those in bold, the first of each other, and nothing else."""

import pytest
from markdown_it import MarkdownIt

from pages.widgets.terms import explained, term_address
from pages.widgets.words import plain


def links(markdown: str) -> list[tuple[str, str]]:
    """The words and the address of each link, as a reader of markdown finds them."""
    (inline,) = MarkdownIt("commonmark").parseInline(markdown)
    children, found = inline.children or [], []
    for at, child in enumerate(children):
        if child.type == "link_open":
            found.append((children[at + 1].content, str(child.attrs["href"])))
    return found


@pytest.mark.parametrize(
    ("text", "seen", "expected"),
    [
        ("A **query** meets keys.", None, [("query", "query")]),
        ("A **query** meets keys; a key waits.", set(), [("query", "query"), ("keys", "key")]),
        ("A **query** meets keys.", {"query", "key"}, [("query", "query")]),
        ("**Rotary.** Nothing is added.", None, [("Rotary", "rotary positions")]),
        (
            "Attention weights, self-attention.",
            set(),
            [("Attention weights", "attention weight"), ("self-attention",) * 2],
        ),
        ("The largest value, two weights.", set(), []),
        ("its **value**", None, [("value", "value")]),
        ("`key` $key$ $$key$$ [key](x) “key” :material/key: monkey key-ring", {"key"}, [("key", "")]),
        ("an edited **every** word", set(), []),
    ],
)
def test_terms_become_links(text: str, seen: set[str] | None, expected: list[tuple[str, str]]) -> None:
    wanted = [(words, term_address(name) if name else "x") for words, name in expected]
    assert links(explained(text, seen)) == wanted


def test_what_is_no_prose_stays_as_it_is() -> None:
    text = "`key` $key$ $$key$$ [key](x) “key” :material/key: monkey key-ring"
    assert explained(text, set()) == text


def test_a_page_explains_a_term_once() -> None:
    seen: set[str] = set()
    assert links(explained("One query.", seen)) and not links(explained("Two queries.", seen))
    assert seen == {"query"}


def test_terms_are_found_in_text_that_is_shown_letter_by_letter() -> None:
    found = links(explained(plain("With top-k and d_k = 40, <b>key</b> ![x](y)"), set()))
    assert [words for words, _ in found] == ["top-k", "d_k", "key"]
