"""core.topics.welcome.questions: each answer is the one that the translator's own weights give."""

import re

import numpy as np
import pytest
import torch

from core.decoding.greedy import continuation
from core.topics.welcome import questions
from core.tracing.run import prepare
from core.tracing.trace import trace
from tests.core.topics.questions import asked

WORDS = "The young woman reads a red book in the garden."
TEXTS = (WORDS, "The green bird sings in the old tree.", "The boy throws the ball and the girl reads a book.")


def first_weights(text: str) -> np.ndarray:
    """The cross-attention (N, H, S) of the start token."""
    model, tokenizer, run = asked("translator", text)
    source = torch.tensor([prepare(run, tokenizer).rows["encoder"].ids])
    target = torch.tensor([[tokenizer.special.begin]])
    return trace(model, source, target, record=("pattern",)).stack("pattern", "decoder", cross=True)[:, 0, :, 0].numpy()


@pytest.mark.parametrize("text", TEXTS)
def test_the_first_word_looks_where_the_start_token_does(text: str) -> None:
    model, tokenizer, run = asked("translator", text)
    truth = questions.first_word_row(model, tokenizer, run)
    layer = truth.facts["layer"] - 1
    assert sum(truth.answer) == pytest.approx(1) and len(truth.alternatives) == 12
    alternatives = [truth.alternatives[f"layer {layer + 1} · head {head}"] for head in range(1, 5)]
    assert np.mean(alternatives, 0) == pytest.approx(np.asarray(truth.answer), abs=1e-5)
    pieces = prepare(run, tokenizer).rows["encoder"].pieces
    if not any(piece.startswith("·") for piece in pieces) and "'" not in truth.facts["written"]:
        assert np.asarray(truth.answer) == pytest.approx(first_weights(text)[layer].mean(0), abs=1e-4)
    assert truth.facts["weight"] == pytest.approx(max(truth.answer))


def test_a_quotation_mark_is_not_taken_for_the_first_word() -> None:
    model, tokenizer, run = asked("translator", '"To be, or not to be, that is the question," said Hamlet.')
    _, _, here = questions._translated(model, tokenizer, run)
    assert here.written[0] == "«"
    truth = questions.first_word_row(model, tokenizer, run)
    assert truth.facts["written"] == here.written[1] and np.array_equal(truth.answer, here.weights[1])


def test_words_are_ordered_as_in_french() -> None:
    truth = questions.order_of_use(*asked("translator", WORDS))
    assert truth.labels == ("woman", "reads", "red", "book", "garden") and truth.answer == (0, 1, 3, 2, 4)
    assert (
        "“book” (writing “livre”), “red” (writing “rouge”)" in truth.facts["use"]
        and "“red” comes before “book”" in truth.facts["swapped"]
    )
    truth = questions.order_of_use(*asked("translator", TEXTS[2]))
    assert truth.answer == (0, 1, 2, 3, 4) and "both orders are the same" in truth.facts["swapped"]


def test_a_word_that_got_no_half_of_a_written_words_weight_is_not_called_used() -> None:
    model, tokenizer, run = asked("translator", "The tall man with a happy dog buys new shoes and drinks cold water.")
    truth = questions.order_of_use(model, tokenizer, run)
    _, _, here = questions._translated(model, tokenizer, run)
    pairs = re.findall(r"“(.+?)” \(writing “(.+?)”\)", truth.facts["use"])
    assert len(pairs) == len(truth.labels)
    for source, written in pairs:
        weights = [
            here.weights[row, here.read.index(source)] for row, word in enumerate(here.written) if word == written
        ]
        assert max(weights) > 0.5


def test_the_greedy_translation_is_the_one_looked_at() -> None:
    model, tokenizer, run = asked("translator", WORDS)
    source = torch.tensor([prepare(run, tokenizer).rows["encoder"].ids])
    ids = continuation(model, torch.tensor([[tokenizer.special.begin]]), 12, source)[0].tolist()
    assert (
        tokenizer.decode(ids[: ids.index(run.format.special.end)])
        == "La jeune femme lit un livre rouge dans le jardin."
    )


@pytest.mark.parametrize(
    ("used", "shown"),
    [
        ([0, 1, 2, 3, 4, 5, 7, 6], [2, 3, 4, 5, 7, 6]),
        ([1, 0, 2, 3, 4, 5], [1, 0, 2, 3, 4]),
        ([0, 1], [0, 1]),
        ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4]),
    ],
)
def test_the_words_shown_hold_a_swap_if_there_is_one(used: list[int], shown: list[int]) -> None:
    assert questions._around_a_swap(used) == shown[-5:]


@pytest.mark.parametrize(
    ("question", "model", "text", "message"),
    [
        (questions.first_word_row, "translator", "word " * 30, "at most 24 tokens"),
        (questions.order_of_use, "translator", "Hi", "at least 3 nouns, verbs or adjectives that stand there once"),
        (questions.order_of_use, "translator", "The cat saw the dog and the dog saw the cat.", "stand there once"),
        (questions.first_word_row, "storyteller", "the old king", "needs a translator"),
    ],
)
def test_what_does_not_suit_is_refused(question, model: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        question(*asked(model, text))
