"""core.topics.translate.questions: each answer is the one that writing the translation anew gives."""

import pytest
import torch

from core.topics.translate import questions
from core.tracing.edits import force_row
from core.tracing.run import prepare
from core.tracing.trace import trace
from tests.core.topics.questions import asked

TEXTS = ("The young woman reads a red book in the garden.", "The boy throws the ball and the girl reads a book.")


@pytest.mark.parametrize("text", TEXTS)
def test_the_third_token_sees_the_source_and_what_was_written(text: str) -> None:
    model, tokenizer, run = asked("translator", text)
    truth = questions.visible_texts(model, tokenizer, run)
    assert truth.answer == "both" and truth.facts["own"] == 3 and truth.facts["later"] == 0
    assert truth.facts["read"] == len(prepare(run, tokenizer).rows["encoder"])


def test_a_forced_look_writes_the_other_word() -> None:
    model, tokenizer, run = asked("translator", TEXTS[0])
    truth = questions.forced_look(model, tokenizer, run)
    assert truth.answer == "follows"
    assert [truth.facts[name] for name in ("old", "new", "source")] == ["rouge", "jardin", "garden"]
    ids = prepare(run, tokenizer).rows["encoder"].ids
    pieces = prepare(run, tokenizer).rows["encoder"].pieces
    read = [tokenizer.special.begin, *tokenizer.target.encode("La jeune femme lit un livre").ids]
    weights = tuple(float(piece == "garden") for piece in pieces)
    row = len(read) - 1
    edits = [force_row(run.config, layer, head, row, weights, cross=True) for layer in range(3) for head in range(4)]
    for forced, piece in (([], "rouge"), (edits, "jardin")):
        logits = trace(model, torch.tensor([ids]), torch.tensor([read]), edits=forced).output[0, -1]
        assert tokenizer.labels([int(logits.argmax())]) == (piece,)


def test_another_form_of_the_other_word_is_its_translation_too() -> None:
    truth = questions.forced_look(*asked("translator", "The tall man buys a white shirt."))
    assert [truth.facts[name] for name in ("new", "own", "source")] == ["blanc", "blanche", "white"]
    assert truth.answer == "follows"


@pytest.mark.parametrize(
    ("piece", "other", "are"),
    [
        *(("blanc", "blanche", True), ("Belle", "beau", True), ("vieux", "vieille", True), ("livre", "livres", True)),
        *(("grand", "gros", False), ("chat", "chien", False), ("le", "la", False)),
    ],
)
def test_forms_of_a_word_are_told_from_other_words(piece: str, other: str, are: bool) -> None:
    assert questions._are_forms(piece, other) is questions._are_forms(other, piece) is are


@pytest.mark.parametrize("text", TEXTS)
def test_the_forced_translation_differs_by_the_tokens_that_are_counted(text: str) -> None:
    facts = questions.forced_look(*asked("translator", text)).facts
    assert facts["new"] in facts["after"] and 0 < facts["changed"] < facts["tokens"]


@pytest.mark.parametrize(
    ("question", "model", "text", "message"),
    [
        (questions.visible_texts, "translator", "word " * 30, "at most 24 tokens"),
        (questions.forced_look, "translator", "Hi", "two longer words"),
        (questions.visible_texts, "storyteller", "the old king", "needs a translator"),
        (questions.forced_look, "storyteller", "the old king", "needs a translator"),
    ],
)
def test_what_does_not_suit_is_refused(question, model: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        question(*asked(model, text))
