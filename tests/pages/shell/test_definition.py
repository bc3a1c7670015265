"""Every page says under its question what its subject is, before anything else is read or pressed."""

import re

import pytest

from pages.shell.page import Page
from tests.pages.conftest import Open
from tests.pages.house import PAGES, path_of
from tests.pages.screen import unlinked

MOST_CHARACTERS = 220  # four lines on a phone


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_the_definition_is_one_or_two_short_sentences(page: Page) -> None:
    sentences = re.findall(r"[.?!](?= |$)", page.definition)
    assert 1 <= len(sentences) <= 2 and page.definition.endswith(sentences[-1])
    assert len(page.definition.replace("*", "")) <= MOST_CHARACTERS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_the_definition_is_the_first_prose_of_the_page(page: Page, open_page: Open) -> None:
    at = open_page(path_of(page), **({"model": page.model} if page.model else {}))
    prose = [each for each in at.main if type(each).__name__ in ("Title", "Markdown", "Caption", "Info", "Error")]
    told = [unlinked(getattr(each, "value", "")) for each in prose]
    assert told[told.index(page.question) + 1] == page.definition
