"""Every sentence of every view counts, compares and rounds as one helper has it, whatever text it is made from."""

import re
from typing import Any

import pytest

from pages.shell.page import Page
from tests.pages.house import PAGES
from tests.pages.sentences import run_for, sentences, show

NOUNS = (
    "tokens steps words layers heads keys queries rows columns pairs pieces characters texts sentences merges numbers "
    "permutations seeds neurons dimensions positions parameters operations runs letters cells bytes ways draws blocks "
    "bits stacks states outputs placings contributions links methods times"
)
SINGULAR = "token step word layer head piece character sentence merge permutation seed neuron dimension position run"
NAMED = ("layer ", "head ", "token ", "step ", "text ", "number ", "− ", "= ", "· ", "× ", "→ ", "÷ ", "+ ")
ALONE = "".join(f"(?<!{before})" for before in map(re.escape, NAMED)) + r"(?<![\w.,·−/:])"
WRONG = {
    "one of several": re.compile(rf"{ALONE}1 ({'|'.join(NOUNS.split())})\b"),
    "several of one": re.compile(rf"{ALONE}(?:[2-9]|\d\d+) ({'|'.join(SINGULAR.split())})\b(?![-’'])"),
    "all that is less": re.compile(r"\b100\.0+ ?%"),
    "less than nothing": re.compile(r"[−-]0(\.0+)?%"),
    "more than all": re.compile(r"(?<![\d.,])(1(?!00%)\d\d|[2-9]\d\d|\d,\d{3})%"),
    "a space before %": re.compile(r"\d\s%"),
    "growing smaller": re.compile(r"\bgrows? 0[. ]"),
    "a computer's number": re.compile(r"\d(\.\d+)?e[+-]\d"),
    "no number": re.compile(r"\b(None|inf)\b"),
}
TEXTS = ("The cat sat on the mat.", "Hello", "a a", "UNDER_SCORE and 3.5 words, it said.")


@pytest.mark.parametrize("wrong", WRONG)
def test_a_pattern_finds_what_it_looks_for(wrong: str) -> None:
    found = {
        "one of several": "After 1 steps all is read.",
        "several of one": "It has 12 token.",
        "all that is less": "It keeps 100.0% of it.",
        "less than nothing": "A share of −0% is left.",
        "more than all": "It moves by 123%.",
        "a space before %": "It gets 12 % of it.",
        "growing smaller": "They grow 0.50 times.",
        "a computer's number": "It errs by 1.2e-07.",
        "no number": "It is inf long.",
    }
    assert WRONG[wrong].search(found[wrong])
    right = "After 1 step, of 11 tokens 100% and 12.5% are read: 1.2·10⁻⁷, layer 1 heads none, 1,024 words, 10 words."
    assert not WRONG[wrong].search(right)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_no_sentence_counts_or_rounds_wrongly(page: Page, text: str) -> None:
    run = run_for(page, text, text)
    wrong: list[Any] = []
    for view in page.views:
        try:
            shown = show(page, view, run, {})
        except ValueError as mistake:
            assert str(mistake).rstrip().endswith("."), mistake  # what the page says in its place
            continue
        for sentence in dict.fromkeys(sentences(shown)):
            wrong += [(view.name, name, sentence) for name, pattern in WRONG.items() if pattern.search(sentence)]
    assert not wrong
