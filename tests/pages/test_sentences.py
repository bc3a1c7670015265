"""Every sentence of every view counts, compares and rounds as one helper has it, whatever text it is made from."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

from core.tracing.run import Run
from pages.shell.page import Page
from pages.shell.view import View
from pages.widgets import Setting, Values
from tests.pages.house import PAGES
from tests.pages.screens import others, settle
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
    "none of none": re.compile(r"(?<![\d.,])0 of (?:its |their |the )?0\b"),
    "one are": re.compile(r"(?<![\d.,])1 of [\d,]+ \w+ (?:are|were|have)\b"),
    "the most and the least": re.compile(
        r"(“[^”]+”)[^.“]*\bmost\b[^.“]*(?<!first )(?<!second )(?<!third )\1[^.“]*\bleast\b"
        r"|\bmost of all (“[^”]+”) \([^)]*\) and \2"
    ),
}
DRAWN, TRIES = 3, 8  # settings of each view; values of a control that are drawn from
DRAWN_FROM = (
    "the",
    "cat",
    "12",
    "Hello",
    "!",
    "sat",
    "IT’S",
    "café",
    "3.5",
    "a-b",
    "Zürich",
    ",",
    "—",
    "日本",
    "and",
    ".",
)
TEXTS = ("The cat sat on the mat.", "Hello.", "a a", "UNDER_SCORE and 3.5 words, it said.")


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
        "none of none": "It shares 0 of its 0 words.",
        "one are": "Here 1 of 18 tokens are NaN.",
        "the most and the least": "With “a” it moves by 2, the most; with “a”, by 2, the least.",
    }
    assert WRONG[wrong].search(found[wrong])
    right = "After 1 step, of 11 tokens 100% and 12.5% are read: 1.2·10⁻⁷, layer 1 heads none, 1,024 words, 10 words."
    assert not WRONG[wrong].search(right)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_no_sentence_counts_or_rounds_wrongly(page: Page, text: str) -> None:
    run = run_for(page, text, text)
    assert not [found for view in page.views for found in faults(page, view, run, {})]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_nor_with_texts_and_settings_that_are_drawn(page: Page) -> None:
    draw, wrong = Random(page.address), []
    for view in page.views:
        text = " ".join(draw.choices(DRAWN_FROM, k=draw.randint(1, 9)))
        run = run_for(page, text, text)
        for chosen in drawn_settings(page, view, run, draw):
            wrong += [(text, chosen, *found) for found in faults(page, view, run, chosen)]
    assert not wrong


def drawn_settings(page: Page, view: View, run: Run, draw: Random) -> Iterator[dict[Setting, Any]]:
    """`DRAWN` times other values of two of the controls that the view draws at its defaults."""
    try:
        values = Values({})
        controls = list(settle(page.controls(run, values), values).values())
        controls += settle(view.controls(page.subject(run, values), values), values).values()
    except ValueError:  # the page says in its place why nothing is drawn
        return
    for _ in range(DRAWN):
        chosen = {}
        for control in draw.sample(controls, min(2, len(controls))):
            if left := list(islice(others(control, values[control.setting]), TRIES)):
                chosen[control.setting] = draw.choice(left)
        yield chosen


def faults(page: Page, view: View, run: Run, chosen: Mapping[Setting, Any]) -> list[tuple[str, str, str]]:
    """The sentences of a view in which a pattern of `WRONG` is found, with the view and the pattern."""
    try:
        shown = show(page, view, run, chosen)
    except ValueError as mistake:
        assert str(mistake).rstrip().endswith("."), mistake  # what the page says in its place
        return []
    said = dict.fromkeys(sentences(shown))
    return [(view.name, name, each) for each in said for name, pattern in WRONG.items() if pattern.search(each)]
