"""The page Glossary: a term from the address, the list, and its place outside the reading order."""

import pytest

from core.lessons.glossary import BY_NAME
from pages.reference.glossary.settings import SEARCH, TERM
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, PAGES, path_of
from tests.pages.screen import HOSTILE, behind, look, pictures

FILE = "pages/reference/glossary/page.py"


def test_a_term_comes_from_the_address_with_its_numbers_formula_and_pages(open_page: Open) -> None:
    at = open_page(FILE, glossary_term="d_k", model="storyteller")
    model, _, run = behind(at)
    (shown,) = pictures(at, "glossary-map")
    assert (
        shown["chosen"] == "d_k"
        and shown["live"]["d_k"] == f"d_k = {run.config.key_width}, d_v = {run.config.value_width}."
    )
    assert shown["live"]["parameter"] == f"{sum(each.numel() for each in model.parameters()):,} parameters."
    assert "d_{\\mathrm{model}}" in at.latex[0].value
    (link,) = [each.proto for each in at.get("page_link") if each.proto.page == "scaling"]
    assert (
        link.label.endswith("Scores and scaling: variance")
        and link.query_string == "same-run=true&scaling-view=variance"
    )


def test_the_list_is_searched(open_page: Open) -> None:
    at = open_page(FILE, glossary_view="A to Z", glossary_find="bahdanau")
    (shown,) = pictures(at, "glossary-list")
    assert "additive score" in shown["terms"] and len(shown["terms"]) < len(BY_NAME)
    look(at, **{SEARCH.key: HOSTILE})
    assert not pictures(at, "glossary-list") and at.info


@pytest.mark.parametrize("term", ["nonsense", HOSTILE])
def test_a_term_that_is_not_there_is_refused(term: str, open_page: Open) -> None:
    at = open_page(FILE, glossary_term=term)
    assert "Term cannot be" in at.warning[0].value and pictures(at, "glossary-map")[0]["chosen"] == TERM.default


def test_the_way_through_the_pages_does_not_lead_through_the_glossary(open_page: Open) -> None:
    glossary, before, last = BY_ADDRESS["glossary"], *[page for page in PAGES if not page.reference][-2:]
    for page, expected in ((last, [before.question]), (glossary, [])):
        at = open_page(path_of(page))
        labels = [each.proto.label for each in at.get("page_link")]
        assert [label.partition(" · ")[2] for label in labels if "?" in label and " · " in label] == expected
