"""The glossary: it has the words that the pages set in bold, and nothing in it leads nowhere."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.lessons.glossary import BY_FORM, BY_NAME, GROUPS, BrokenGlossary, matching, read_glossary
from pages.widgets.source import source
from tests.pages.house import BY_ADDRESS
from tests.rooms import inside, module, sources

BOLD = re.compile(r"\*\*([^*]+?)[.:]?\*\*")
ROOMS = ("pages", "core.readings", "core.topics")
# Bold that is no term: a number, a sentence as a heading, and these headings and legends.
HEADING = re.compile(r"\{\}|[A-Z“]\S*( \S+){2,}|and where it looks .*")
LABELS = {
    *("Pale", "Grey", "Full colour, outlined", "The source", "The translation", "Your translation"),
    *("No positions", "Another translation", "The model's own translation"),
    *("With {}", "{}{}"),
}


def written(text: str) -> Iterator[str]:
    """Every string of a file; what is filled in is {}."""
    tree = ast.parse(text)
    parts = {id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def unexplained(text: str) -> set[str]:
    """What a file sets in bold that is neither a term of the glossary nor a heading."""
    found = {words for string in written(text) for words in BOLD.findall(string)}
    return {words for words in found - LABELS if words.casefold() not in BY_FORM and not HEADING.fullmatch(words)}


def test_every_word_in_bold_is_in_the_glossary() -> None:
    prose = {path: text for path, text in sources().items() if inside(module(path), *ROOMS)}
    assert {path: found for path, text in prose.items() if (found := unexplained(text))} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('LEAD = "A **perplexity** of 3, and a **query**."', {"perplexity"}),
        ('LEAD = f"**Perplexity** of {3}."', {"Perplexity"}),
        ('LEAD = "**Softmax**: of " "a **beam " "width**"', {"beam width"}),
        ('HEAD = f"**Where “{token}” looks**"', set()),
        ('COUNT = f"**{number}** of them"', set()),
    ],
)
def test_a_word_that_is_missing_is_found(text: str, found: set[str]) -> None:
    assert unexplained(text) == found


def test_every_form_names_one_term() -> None:
    forms = [form.casefold() for term in BY_NAME.values() for form in (term.name, *term.forms)]
    assert [form for form, count in Counter(forms).items() if count > 1] == []
    assert len(BY_NAME) == sum(map(len, GROUPS.values()))


@pytest.mark.parametrize("name", BY_NAME)
def test_an_entry_is_short_and_all_that_it_names_is_there(name: str) -> None:
    term = BY_NAME[name]
    assert 1 <= len(re.findall(r"[.:?](?: |$)", term.text)) <= 5 and term.text.endswith(".") and len(term.text) <= 280
    assert {words.casefold() for words in BOLD.findall(term.text)} <= BY_FORM.keys() - {name}
    assert term.seen and term.code and all(source(path) for path in term.code)
    for place in term.seen:
        address, _, view = place.partition("/")
        assert address in BY_ADDRESS, f"no page has the address {address!r}"
        assert not view or view in {each.name for each in BY_ADDRESS[address].views}, place


def test_every_term_is_used_by_the_pages_or_by_another_entry() -> None:
    rooms = [text for path, text in sources().items() if inside(module(path), *ROOMS) and "glossary" not in path]
    prose = " ".join(string for text in rooms for string in written(text)).casefold()
    linked = {BY_FORM[words.casefold()].name for term in BY_NAME.values() for words in BOLD.findall(term.text)}
    used = {term.name for form, term in BY_FORM.items() if re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", prose)}
    assert BY_NAME.keys() - linked - used == set()


def test_terms_are_found_by_their_words_or_their_first_letter() -> None:
    assert matching("") == tuple(BY_NAME) and matching("qqq") == ()
    assert matching("Q") == ("query",)
    assert "rotary positions" in matching("rope") and "rotary positions" in matching("su 2021")
    assert set(matching("bahdanau")) == {name for name, term in BY_NAME.items() if "Bahdanau" in term.paper + term.text}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "groups"),
        ("[[groups]]\nname = 'A'\n[[groups.terms]]\nname = 'token'\n", "“token”: .*text"),
        ("[[groups]]\nname = 'A'\n[[groups.terms]]\nname = 'token'\ntext = 'A piece.'\nhue = 1\n", "“token”: .*hue"),
        ("[[groups", "glossary.toml"),
    ],
)
def test_a_broken_glossary_is_refused_with_the_term(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "glossary.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BrokenGlossary, match=words):
        read_glossary(path)
