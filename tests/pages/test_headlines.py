"""Each number of a sentence that a view makes from its data stands in the pictures, tables and settings of that view,
and no headline has more than two.

A number beside a quoted word must stand in the row, the column or the token of that word, if the pictures have one.
Small whole numbers match easily; percentages and decimals do not.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from core.text.words import JOIN
from core.tracing.run import Run
from pages.compute import cache
from pages.shell.page import Page
from pages.widgets import HEAD, LAYER, Listing, Setting, Values, head_picked
from tests.pages.drawn import QUOTED, Drawn, Names, Written, counts, drawn, names_of, written
from tests.pages.house import PAGES
from tests.pages.test_true_sentences import is_word, names_on
from tests.pages.views import CalledView, called_view, opened_run

TEXTS = (
    "Hello world",
    "cat",
    "The old man who sold flowers at the market gave the last red rose to a little girl because she had smiled at him.",
    "the dog saw the dog and the dog ran",
    'Wait... what?! (No, really): "yes"; it\'s — fine.',
    "THE BIG RED BALL IS MINE!",
    "My brother has 25 books and 3 cats, 1,000 in all.",
    "🍕 pizza 日本 is great",
    "Where is the library?",
)
SLOW = ("heads", "block", "translate", "sentiment", "sequence-to-sequence", "generate")  # over 0.5 seconds a text
CLAUSE = re.compile(r"(?<=[.;:?!])\s+")
A_HEAD = re.compile(r"layer (\d+)(?: ·|,) head (\d+)", re.IGNORECASE)
# Numbers that name a thing and do not measure it.
NAMING = "layer|head|token|step|text|sentences?|example|position|feed-forward|attention"
NAMED = re.compile(rf"(?i)\b(?:{NAMING}) \d[\d,]*\b")
# What a sentence is about, and not where its numbers stand.
CONDITION = re.compile(r"\b(?:When|At|The last vector of)(?: the \w+)? “[^“”]+” ")
MORE, LESS = ("more than ", "at least "), ("less than ",)
MEAN, TOTAL = re.compile(r"\b(mean|average)\b"), re.compile(r"\bof (the )?$")
ALL = re.compile(r"\b(in all|together)\b")
LENGTH = re.compile(r"\b(length|longest)\b")
ROUNDED = 1e-6  # float32
MAX_NUMBERS = 2  # of a headline
# By view: numbers that nobody could look up there, and why they may stand in its sentence all the same.
ALLOWED: dict[str, str] = {
    "lessons all lessons": r"^\d+ in: All lessons together",  # the sum of the minutes on the cards
    "heads heads with names": r"^\d+ in: .* no plain label",  # the heads that are not among the buttons
    "word-vectors map": r"^\d+ in: .* the nearest dot",  # the dots and their colours
    "word-vectors train one": r"^[\d.]+ in: .* by chance",  # from the sizes of the groups in the table
    "translate beam": r"^\d+ in: .* considered",  # the dots of the tree without its root
    "generate along the text": r"^[\d,]+ in: .* equally likely",  # 2 to the power of the entropy
    "scaling entropy": r"^\d+ in: With long vectors",  # 2 to the power of the entropy
    "translate force it": r"^\d+ in: .* new\.",  # the coloured tokens
    "sentiment verdict": r"^\d+ in: Word by word, the verdict flipped",  # where the drawn chances pass one half
    # The permutations in the table beyond one half; how far the drawn ones are from the verdict.
    "sentiment permuted": r"^\d+ in: The verdict turns|^[\d.]+ points in: .* at the median",
    "architecture known models": r"^[\d.,]+ in: .* as many parameters as",  # how far apart two dots of the chart are
    "layer-costs measured": r"^[\d.,]+ in: .* times as many operations",  # how far apart the ends of two bars are
    "kv-cache time": r"^[\d.,]+ in: At \d+ tokens one more takes",  # how far apart the ends of the two lines are
    "sequence-to-sequence length": r"^“(while|because)”",  # words that a visitor may write
    "tokens how unigram chose": r"^[\d,]+ in: Of [\d,]+ ways to cut",  # the ways through the bars of the chart
}


def places_of(clause: str) -> Names:
    """The quoted words of a clause, and its heads."""
    names = [names_of(each) for each in QUOTED.findall(CONDITION.sub("", clause))]
    for layer, head in A_HEAD.findall(clause):
        names.append(frozenset((f"layer {layer} · head {head}", f"layer {layer}", f"head {head}")))
    return frozenset().union(*names)


def numbers_of(clause: str) -> list[tuple[str, Written]]:
    """The measured numbers of a clause, with the words before each."""
    bare = clause
    for pattern in (QUOTED, A_HEAD, NAMED):
        bare = pattern.sub(lambda match: "_" * len(match.group()), bare)
    return [(bare[max(0, at - 12) : at], number) for at, number in written(bare)]


def fits(values: np.ndarray, number: Written, before: str) -> np.ndarray:
    """Which of the values a sentence would write as this number."""
    found = np.zeros(values.shape, dtype=bool)
    for value, half in number.readings:
        if number.unit == 0.01 and before.endswith(MORE):
            found |= (values > value) & (values <= value / 0.99)
        elif before.endswith(LESS):
            found |= (values >= 0) & (values < value)
        else:
            plain = values if number.text.startswith("−") else np.abs(values)  # “worse by 3.9 points”
            found |= np.abs(plain - value) <= half * (1 + ROUNDED) + ROUNDED * abs(value)
    return found


def is_drawn(number: Written, before: str, names: Names, shown: Sequence[Drawn]) -> bool:
    """Whether a number stands in what is drawn, at these names if it has them."""
    for each in shown:
        found = fits(each.values, number, before)
        if found.any():
            named = each.named(names)
            if named is None or (found & named).any():
                return True
    return False


def is_derived(number: Written, others: Sequence[Written]) -> bool:
    """Whether a number is the sum, difference, product or ratio of two others of its sentence, or what they leave of
    100%."""
    values = [each.value * each.unit for each in others]
    shares = [each for each in others if each.unit == number.unit == 0.01]
    slack = sum(each.half * each.unit for each in (*shares, number)) + ROUNDED
    if shares and abs(1 - number.value * number.unit - sum(each.value * each.unit for each in shares)) <= slack:
        return True
    for place, one in enumerate(values):
        for two in values[:place] + values[place + 1 :]:
            made = [one + two, one - two, one * two, *([one / two] if two else [])]
            for value, half in number.readings:
                if any(abs(each - value) <= 2 * half + 0.005 * abs(value) for each in made):
                    return True
    return False


def is_summed_up(number: Written, before: str, clause: str, names: Names, shown: Sequence[Drawn]) -> bool:
    """Whether a clause says that a number sums up a row or a column, and one that is drawn comes to this."""
    with np.errstate(all="ignore"):
        return any(fits(found, number, before).any() for each in shown for found in sums(each, before, clause, names))


def sums(of: Drawn, before: str, clause: str, names: Names) -> Iterator[np.ndarray]:
    """By the words of a clause: the means or the totals of rows and columns, the lengths of the named rows and their
    mean, and how many times its first number is each row's last."""
    values = np.atleast_2d(of.values)
    if values.ndim != 2 or values.size < 2:
        return
    finite = np.isfinite(values)
    known = np.where(finite, values, 0)
    if MEAN.search(clause):
        yield from (known.sum(axis) / finite.sum(axis) for axis in (0, 1))
    if TOTAL.search(before) or ALL.search(clause):
        yield from (known.sum(axis) for axis in (0, 1))
    if LENGTH.search(clause):
        named = of.named(names)
        lengths = np.sqrt((known**2).sum(1))
        yield lengths if named is None else lengths[np.atleast_2d(named).any(1)]
        yield np.atleast_1d(lengths.mean())
    if "times" in clause:
        ends = [row[there][[0, -1]] for row, there in zip(values, finite, strict=True) if there.any()]
        yield np.array([one / two for first, last in ends for one, two in ((first, last), (last, first))])


def all_drawn(view: CalledView, run: Run) -> list[Drawn]:
    """What a view draws and can be counted in it, its settings, and the sizes of the model and of the text."""
    shown, chosen, config = view.shown, [str(view.values[each.setting]) for each in view.controls], run.config
    parts = [view.above, list(shown.pictures), shown.table, shown.arithmetic]
    sizes = [config.d_model, config.heads, config.max_layers, config.max_layers * config.heads, config.vocab_size]
    texts = [len(run.text), len(run.text.split())]
    formula = shown.formula.replace("{,}", "")
    return [*drawn([parts, chosen]), *drawn([formula]), *drawn([sizes, texts]), *counts(parts)]


def unseen(view: CalledView, run: Run) -> list[str]:
    """The numbers of a view's sentences that are nowhere else on its screen."""
    seen, missing = all_drawn(view, run), []
    for sentence in (each.replace("\\", "") for each in view.shown.said):
        everything = [number for _, number in numbers_of(sentence)]
        for clause in CLAUSE.split(sentence):
            names = places_of(clause)
            for before, number in numbers_of(clause):
                others = [each for each in everything if each.text != number.text]
                there = is_drawn(number, before, names, seen) or is_derived(number, others)
                if not there and not is_summed_up(number, before, clause, names, seen):
                    missing.append(f"{number.text} in: {sentence}")
    return missing


def quoted_words(view: CalledView) -> list[str]:
    """The words in quotation marks of a view's sentences, in small letters, without the mark that joins pieces."""
    said = [QUOTED.findall(each.replace("\\", "")) for each in view.shown.said]
    low = [word.casefold().rstrip("….").removeprefix(JOIN) for words in said for word in words]
    return [word for word in low if is_word(word)]


def class_names(run: Run) -> Names:
    """The classes between which the run's model chooses; a picture has the chance of one of the two."""
    layer = cache.class_layer(run) if run.is_trained else None
    return frozenset(label.casefold() for label in layer.labels) if layer else frozenset()


def opened_head(page: Page, run: Run) -> dict[Setting, str]:
    """The layer and head with which the page opens."""
    if page.finds_head is None or not run.is_trained:
        return {}
    found = page.finds_head(run, Values({}))
    keys = head_picked(found.layer, found.head)
    return {each: keys[each.key] for each in (LAYER, HEAD)}


def missing_on(page: Page, text: str | None) -> list[str]:
    """What the sentences of a page's views say of a text that is not drawn, each after the name of its view."""
    try:
        run = opened_run(page, text=text)
        head = opened_head(page, run)
    except ValueError:  # the page says in its place why nothing is drawn
        return []
    found, classes = [], class_names(run)
    for view in page.views:
        name = f"{page.address} {view.name}"
        if text is not None and view.reads_text is False:
            continue
        try:
            called = called_view(page, view.name, run, head)
        except ValueError:
            continue
        seen, known = names_on(page, called, run), ALLOWED.get(name, "$^")
        missing = [
            *(f"“{each}”" for each in quoted_words(called) if each not in seen and each not in classes),
            *unseen(called, run),
        ]
        found += [f"{name}: {each}" for each in missing if not re.search(known, each)]
        found += [f"{name}: too many numbers: {each}" for each in called.shown.said[:1] if has_many_numbers(each)]
    return found


def has_many_numbers(headline: str) -> bool:
    """Whether a newcomer would lose its one idea among numbers; names of layers and heads do not count."""
    return len(numbers_of(headline.replace("\\", ""))) > MAX_NUMBERS


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("“warm” has 78%", True),
        ("“warm” has 90%", False),  # that is the comma's
        ("It has 90%", True),
        ("It has 91%", False),
        ("“warm” has more than 77.5%", True),
        ("“warm” has less than 0.1%", False),
        ("On average it has 84%", True),
        ("By 0.78 and 0.12 they differ by 0.66", True),
    ],
)
def test_a_number_is_looked_for_beside_its_word(said: str, found: bool) -> None:
    seen = list(drawn([Listing("words", {"word": ["warm", ","], "chance": [0.78, 0.90]})]))
    before, number = numbers_of(said)[-1]
    others, names = [each for _, each in numbers_of(said)[:-1]], places_of(said)
    there = is_drawn(number, before, names, seen) or is_derived(number, others)
    assert (there or is_summed_up(number, before, said, names, seen)) == found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_the_numbers_of_a_sentence_are_drawn(page: Page) -> None:
    assert not missing_on(page, None)


def cases() -> Iterator[Any]:
    """Every page that reads a text with each text; slow ones with some of them."""
    for page in PAGES:
        for text in TEXTS[:: 3 if page.address in SLOW else 1] if page.reads_text else ():
            yield pytest.param(page, text, id=f"{page.address} {text[:12]}")


@pytest.mark.parametrize(("page", "text"), cases())
def test_so_are_those_of_other_texts(page: Page, text: str) -> None:
    assert not missing_on(page, text)
