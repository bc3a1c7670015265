"""What a lesson says of a learner's own sentence, read back and compared with the tensors of one plain run.

Ten sentences are tried in every run, all forty in the nightly one:

    python -m pytest tests/pages/test_lesson_sentences.py --hypothesis-profile=nightly
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from string import Formatter

import numpy as np
import pytest

from core.lessons.lesson import Lesson, Screen
from core.lessons.words import filled, read_explanation
from core.text.labels import ORDINALS, bare
from core.topics.shared.truth import Truth
from core.tracing.run import TokenRow, execute, prepare
from tests.core.topics.questions import asked
from tests.fuzz.mode import NIGHTLY
from tests.pages.own_sentences import OWN_SENTENCES
from tests.pages.test_lessons import BY_NAME, LESSONS, check, truth_of

# A word that is cut before three marks, a space of its own, a quotation, and the shortest text.
STRANGE = ("I hate Mondays!!!", "E = mc2", "“Who is there?” asked the little girl.", "Go now!")
TEXTS = (*(OWN_SENTENCES if NIGHTLY else OWN_SENTENCES[:10]), *STRANGE)
SCREENS = [(lesson, number) for lesson in LESSONS for number in range(1, len(lesson.screens) + 1)]
# Weights that an explanation says, each with the token that looks and the one that is looked at: by the fact that names
# it, or by its number from the first token or the last word.
LAST, FIRST, SECOND, THIRD = -1, 0, 1, 2
WEIGHTS: Mapping[tuple[str, int], Sequence[tuple[str, str | int, str | int]]] = {
    ("query-key-value", 1): (("weight", "query", "best"), ("second_weight", "query", "second"), ("own", LAST, LAST)),
    ("query-key-value", 3): (("weight", "query", "key"),),
    ("query-key-value", 4): (("weight", "query", "key"), ("turned", "key", "query")),
    ("weights-of-a-row", 1): (("weight", "query", "best"), ("second_weight", "query", "second")),
    ("weights-of-a-row", 2): (("weight", FIRST, FIRST),),
    ("weights-of-a-row", 4): (("most", "query", "best"),),
    ("weights-of-a-row", 5): (("before", "query", "best"),),
    ("several-heads", 1): (
        *(("weight", "query", "best"), ("second_weight", "query", "second")),
        ("after_weight", "query", "after"),
    ),
    ("masks", 2): (("second_first", SECOND, FIRST), ("second_itself", SECOND, SECOND)),
    ("masks", 3): (("weight", THIRD, "best"),),
    ("scaling-and-blocks", 1): (("scaled_weight", "query", "key"),),
    ("scaling-and-blocks", 2): (("weight", "query", "key"),),
    ("next-word", 4): (("weight", "query", "best"),),
}
ONE_OF_MANY = re.compile(r"(?<![\d.,])\b1 (tokens|heads|words|pieces|rows|layers|parts|weights|guesses)\b(?! of)")
CUT_WORD = re.compile(r"\b(last|next|first|rare) word(,| is)? “·")
LESS_THAN_NOTHING = re.compile(r"\b(loses|falls by|rises by) −")
LARGEST = ("best",)  # facts that name the token with the largest weight of a row
# Questions whose answer depends on the sentence: an option that gives a reason would be right with a wrong reason.
VARYING = {
    *(("weights-of-a-row", 5), ("word-order", 2), ("word-order", 5), ("scaling-and-blocks", 1)),
    *(("why-this-translation", 4), ("train-one", 4), ("train-one", 5)),
    *(("is-it-an-explanation", number) for number in (2, 3, 4)),
    *(("why-the-first-token", number) for number in (2, 3, 4)),
    *(("who-wrote-this-word", number) for number in (1, 3, 4, 5)),
}
REASON = re.compile(r"[:;]|\b(because|though|since|so that|for it)\b")
NAME = re.compile(r"(?:the (\w+) )?“(.+?)”(?: number (\d+))?(?: \(of “.+”\))?", re.IGNORECASE)


@cache
def patterns(text: str) -> tuple[TokenRow, np.ndarray]:
    """The tokens of a text, and the storyteller's weights in all layers and heads, (N, H, Q, K), of one run."""
    model, tokenizer, run = asked("storyteller", text)
    inputs = prepare(run, tokenizer)
    keys = [f"decoder.{layer}.pattern" for layer in range(run.config.layers)]
    seen = execute(model, run, inputs, keys)
    return inputs.rows["decoder"], np.stack([seen[key][0].float().numpy() for key in keys])


def said_facts(template: str, sentence: str) -> dict[str, tuple[str, str]]:
    """The facts in a sentence, as they are written there, each with its format."""
    pattern, formats = "", {}
    for literal, name, spec, _ in Formatter().parse(template):
        pattern += re.escape(literal)
        if name:
            pattern += f"(?P={name})" if name in formats else f"(?P<{name}>.+?)"
            formats[name] = spec or ""
    found = re.fullmatch(pattern, sentence, re.DOTALL | re.IGNORECASE)
    assert found, (template, sentence)
    return {name: (value, formats[name]) for name, value in found.groupdict().items()}


def named(name: str, pieces: Sequence[str]) -> int | None:
    """The number of the token that a name in a sentence means; None if it may mean two, or none."""
    found = NAME.fullmatch(name)
    if not found:
        return None
    ordinal, piece, number = found.groups()
    places = [place for place, each in enumerate(pieces) if each == piece]
    which = ORDINALS.index(ordinal.lower()) if ordinal else int(number) - 1 if number else 0
    is_clear = len(places) == 1 if not (ordinal or number) else which < len(places)
    return places[which] if is_clear else None


def everything_said(screen: Screen, truth: Truth) -> Iterator[str]:
    """All that may be said after an answer: to the right one, to each option, and to each known slip."""
    yield from read_explanation(screen, truth, None)
    yield from (filled(option.because, truth.facts) for option in screen.options)
    yield from slips_of(screen, truth)


def strange(lesson: Lesson, number: int, truth: Truth, text: str) -> Iterator[str]:
    """What is said in broken words, or calls a piece a word, or gives a number that speaks against the sentence."""
    screen, here = lesson.screens[number - 1], f"{lesson.name} {number}"
    for sentence in everything_said(screen, truth):
        for fault in (ONE_OF_MANY, CUT_WORD, LESS_THAN_NOTHING):
            if found := fault.search(sentence):
                yield f"{here}: “{found.group()}” in {sentence}"
    if lesson.name == "masks" and number == 4:
        facts = {name: filled(f"{{{name}:{form}}}", truth.facts) for name, form in (("kept", ".0%"), ("lost", ".2f"))}
        if facts["kept"] == "0%" or facts["lost"] == "1.00":
            yield f"{here}: the wrong ways to mask are said to do what the right one does, in {facts}"
    if lesson.name == "next-word" and number == 2 and truth.facts["other"] in patterns(text)[0].pieces:
        yield f"{here}: {truth.facts['other']} is a token of the text"


def last_word_of(row: TokenRow) -> int:
    words = [place for place, piece in enumerate(row.pieces) if any(map(str.isalnum, piece))]
    return words[-1] if words else len(row) - 1


def wrong_weights(lesson: Lesson, number: int, truth: Truth, text: str) -> Iterator[str]:
    """Weights in an explanation that are not those of the tokens that it names."""
    screen, (row, weights) = lesson.screens[number - 1], patterns(text)
    said = said_facts(screen.explanation, filled(screen.explanation, truth.facts))
    named_place = {**truth.facts, **{f"{name}_number": value for name, value in screen.arguments.items()}}
    layer, head = (named_place[f"{name}_number"] - 1 for name in ("layer", "head"))
    for fact, query_name, key_name in WEIGHTS[lesson.name, number]:
        query = place_of(query_name, said, row, None)
        key = place_of(key_name, said, row, query)
        if query is None or key is None:
            yield f"{lesson.name} {number}: it is not clear whose weight {fact} is, in {said}"
            continue
        written, form = said[fact]
        if written != format(float(weights[layer, head, query, key]), form):
            yield f"{lesson.name} {number}: {fact} is said to be {written}, and is {weights[layer, head, query, key]}"
        if key_name in LARGEST and weights[layer, head, query].max() > weights[layer, head, query, key] + 1e-6:
            yield f"{lesson.name} {number}: {key_name} has not the largest weight"


def place_of(name: str | int, said: Mapping[str, tuple[str, str]], row: TokenRow, query: int | None) -> int | None:
    if isinstance(name, int):
        return last_word_of(row) if name == LAST else name
    return query if said[name][0] == "itself" else named(said[name][0], row.pieces)


def past_in_common(pieces: Sequence[str], one: int, other: int) -> int:
    count = 0
    while min(one, other) >= count and pieces[one - count] == pieces[other - count]:
        count += 1
    return count


def wrong_past(truth: Truth, text: str) -> Iterator[str]:
    """Whether lesson 5 goes on from another earlier place than one with the longest past in common."""
    row, _ = patterns(text)
    last = last_word_of(row)
    word = row.word_labels[row.words[last]]
    ends = [place for place in range(last - 1) if row.words[place] != row.words[place + 1]]
    earlier = [place for place in ends if row.word_labels[row.words[place]] == word]
    if truth.facts["word"] != word or not earlier:
        yield "lesson 5: the last word has not occurred before"
        return
    longest = max(past_in_common(row.pieces, place, last) for place in earlier)
    after = named(truth.facts["after"], row.pieces)
    if after is None or past_in_common(row.pieces, after - 1, last) != longest:
        yield f"lesson 5: {truth.facts['after']} does not follow the longest common past"


def unclear(lesson: Lesson, number: int, truth: Truth) -> Iterator[str]:
    """What is said in a way that may be false for the sentence: ties, links, one of two words of one spelling."""
    screen, here = lesson.screens[number - 1], f"{lesson.name} {number}"
    sizes = sorted(truth.sizes)
    if screen.kind == "token" and len(sizes) > 1 and sizes[-1] == sizes[-2]:
        yield f"{here}: two answers are equally right"
    if any("→" in sentence for sentence in read_explanation(screen, truth, None)):
        yield f"{here}: an arrow looks like a translation"
    if lesson.name == "is-it-an-explanation" and number == 1:
        pieces = [bare(label) for label in truth.labels]
        if named(truth.facts["word"], pieces) != truth.answer or named(truth.facts["least"], pieces) is None:
            yield f"{here}: it is not clear which word is meant by {truth.facts['word']}"


def is_constant(lesson: Lesson, number: int, truth: Truth) -> bool:
    """Whether a question is answered as for the lesson's own sentence, where it must be."""
    screen = lesson.screens[number - 1]
    if not screen.is_about_text:
        return bool(truth.facts == truth_of(lesson, number, lesson.words).facts)
    if screen.kind != "choice" or (lesson.name, number) in VARYING:
        return True
    return bool(truth.answer == truth_of(lesson, number, lesson.words).answer)


def faults(lesson: Lesson, number: int, text: str) -> Iterator[str]:
    try:
        truth = truth_of(lesson, number, text)
    except ValueError as mistake:
        if not str(mistake).startswith("This question needs ") or not lesson.screens[number - 1].is_about_text:
            yield f"{lesson.name} {number}: {mistake}"
        return
    check(lesson.screens[number - 1], truth)
    yield from unclear(lesson, number, truth)
    yield from strange(lesson, number, truth, text)
    if not is_constant(lesson, number, truth):
        yield f"{lesson.name} {number}: the answer depends on the sentence"
    if (lesson.name, number) in WEIGHTS:
        yield from wrong_weights(lesson, number, truth, text)
    if (lesson.name, number) == ("several-heads", 1):
        yield from wrong_past(truth, text)


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_false_is_said_about_a_sentence(text: str) -> None:
    assert not [fault for lesson, number in SCREENS for fault in faults(lesson, number, text)]


def test_forty_different_sentences_are_kept() -> None:
    assert len(set(OWN_SENTENCES)) == 40


@pytest.mark.parametrize(("name", "number"), sorted(VARYING))
def test_an_option_that_may_be_right_gives_no_reason(name: str, number: int) -> None:
    """The reason might be wrong where the option is right; it belongs into what is said afterwards."""
    assert not [option.text for option in BY_NAME[name].screens[number - 1].options if REASON.search(option.text)]


def test_a_false_weight_and_an_unclear_word_are_found_out() -> None:
    text, lesson = OWN_SENTENCES[1], BY_NAME["query-key-value"]
    truth = truth_of(lesson, 1, text)
    assert not list(wrong_weights(lesson, 1, truth, text))
    for fact, false in (("weight", 0.5), ("query", "“the”"), ("best", "the first “over”")):
        spoilt = Truth(truth.answer, {**truth.facts, fact: false}, truth.labels)
        assert list(wrong_weights(lesson, 1, spoilt, text)), fact


def test_broken_words_are_found_out() -> None:
    text, lesson = OWN_SENTENCES[1], BY_NAME["masks"]
    truth = truth_of(lesson, 4, text)
    assert not list(strange(lesson, 4, truth, text))
    assert list(strange(lesson, 4, Truth(truth.answer, {**truth.facts, "kept": 0.001}), text))
    assert ONE_OF_MANY.search("of the 1 tokens before it") and not ONE_OF_MANY.search("one of 11 tokens")
    assert CUT_WORD.search("of the last word, “·s”, spread") and LESS_THAN_NOTHING.search("“I” loses −0.19")


def slips_of(screen: Screen, truth: Truth) -> Iterator[str]:
    yield from (filled(slip.because, truth.facts) for slip in screen.slips)
    yield from (filled(slip.value, truth.facts) for slip in screen.slips)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_slips_of_a_question_are_numbers_of_its_run(lesson: Lesson) -> None:
    for number, screen in enumerate(lesson.screens, 1):
        if screen.slips:
            truth = truth_of(lesson, number, lesson.words)
            assert not [said for said in slips_of(screen, truth) if re.search(r"[{}]|nan", said)]
            values = [float(filled(slip.value, truth.facts).rstrip("%").replace(",", "")) for slip in screen.slips]
            told = [read_explanation(screen, truth, value)[0] for value in values if value != truth.answer]
            assert told, screen.question
