"""Questions about one head: each answer agrees with the model's own pattern and with softmax worked out apart."""

import numpy as np
import pytest
import torch

from core.topics.self_attention import questions
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

TEXTS = (
    "Tom gave his hungry dog a big bone",
    "Tom gave his dog a red ball because he loved the dog",
    "My grandmother baked an extraordinary cake.",
    "The bird sang",
)
HEADS = [(5, 8), (3, 8), (1, 1)]
each_text = pytest.mark.parametrize("text", TEXTS)
each_head = pytest.mark.parametrize(("layer", "head"), HEADS)
LONG = " ".join(["cat"] * 30)


def last_word(text: str) -> int:
    """The number of the last word's token, counted from the end: it stands before a full stop."""
    return -2 if text.endswith(".") else -1


def pattern(text: str, layer: int, head: int, site: str = "pattern") -> np.ndarray:
    """The head's tensor at a site, straight from a pass of the storyteller."""
    model, tokenizer, run = asked("storyteller", text)
    key = f"decoder.{layer - 1}.{site}"
    found: np.ndarray = execute(model, run, prepare(run, tokenizer), [key])[key][0, head - 1].numpy()
    return found


@each_text
@each_head
def test_queries_keys_and_values_come_from_three_tables(text: str, layer: int, head: int) -> None:
    truth = questions.origin(*asked("storyteller", text), layer=layer, head=head)
    assert truth.answer == "tables" and truth.facts["numbers"] == 320 and truth.facts["width"] == 40
    q, k = (pattern(text, layer, head, site)[last_word(text)] for site in "qk")
    assert truth.facts["same"] == pytest.approx(q @ k / np.linalg.norm(q) / np.linalg.norm(k), abs=1e-4)


@each_text
@each_head
def test_a_query_is_compared_with_a_key_and_values_are_mixed(text: str, layer: int, head: int) -> None:
    truth = questions.formula(*asked("storyteller", text), layer=layer, head=head)
    assert truth.answer == ("query", "key", "value")
    weights = pattern(text, layer, head)
    assert truth.facts["weight"] == pytest.approx(weights[last_word(text)].max(), abs=1e-5)
    assert truth.facts["scaled"] == pytest.approx(truth.facts["score"] / 40**0.5, rel=1e-4)


@pytest.mark.parametrize("name", ["translator", "reader"])
def test_the_formula_holds_in_models_without_rotary_positions(name: str) -> None:
    truth = questions.formula(*asked(name, TEXTS[0]), layer=1, head=2)
    assert truth.answer == ("query", "key", "value")


@each_text
@each_head
def test_the_last_word_looks_most_at_the_largest_weight_of_its_row(text: str, layer: int, head: int) -> None:
    truth = questions.looks_most(*asked("storyteller", text), layer=layer, head=head)
    row = pattern(text, layer, head)[last_word(text)]
    assert truth.facts["query_number"] == len(row) + last_word(text)
    assert truth.answer == row.argmax() and len(truth.labels) == len(row)
    assert truth.facts["second_weight"] == pytest.approx(np.sort(row)[-2], abs=1e-6)
    assert truth.facts["own"] == pytest.approx(row[last_word(text)], abs=1e-6)


@each_text
def test_rows_look_and_columns_are_looked_at(text: str) -> None:
    truth = questions.cell_of_last(*asked("storyteller", text), layer=5, head=8, key=1)
    weights = pattern(text, 5, 8)
    assert truth.answer == (len(weights) + last_word(text), 1) and truth.rows == truth.labels
    assert truth.facts["weight"] == pytest.approx(weights[last_word(text), 1], abs=1e-6) and truth.facts["turned"] == 0


@each_text
@each_head
def test_scores_differ_by_direction(text: str, layer: int, head: int) -> None:
    truth = questions.mutual(*asked("storyteller", text), layer=layer, head=head)
    scores = pattern(text, layer, head, "raw_scores")
    assert truth.answer == "one-way"
    assert truth.facts["score"] - truth.facts["turned"] == pytest.approx((scores - scores.T).max(), rel=1e-4)


@each_text
@each_head
def test_rows_sum_to_one_and_columns_do_not(text: str, layer: int, head: int) -> None:
    truth = questions.sums(*asked("storyteller", text), layer=layer, head=head)
    expected = torch.softmax(torch.from_numpy(pattern(text, layer, head, "masked_scores")), dim=-1).numpy()
    assert truth.answer == "rows" and truth.facts["total"] == pytest.approx(len(expected), abs=1e-3)
    assert truth.facts["most"] == pytest.approx(expected.sum(0).max(), abs=1e-4)
    assert truth.facts["least"] == pytest.approx(expected.sum(0).min(), abs=1e-4)


@each_text
def test_only_the_first_token_has_no_choice(text: str) -> None:
    truth = questions.certain_cell(*asked("storyteller", text), layer=3, head=8)
    assert truth.answer == (0, 0) and truth.facts["weight"] == 1 and truth.facts["keys"] == len(truth.labels)
    with pytest.raises(ValueError, match="needs a model in which only the first token"):
        questions.certain_cell(*asked("translator", text), layer=3, head=8)


@each_text
def test_an_even_share_is_one_divided_by_the_keys(text: str) -> None:
    truth = questions.even_share(*asked("storyteller", text), layer=3, head=8)
    row = pattern(text, 3, 8)[last_word(text)]
    assert truth.answer == round(100 / np.count_nonzero(row), 1)
    assert truth.facts["most"] == pytest.approx(row.max(), abs=1e-6)


@each_text
@each_head
def test_doubled_scores_make_the_largest_weight_larger(text: str, layer: int, head: int) -> None:
    row = pattern(text, layer, head)[last_word(text)].astype(float)
    if row.max() > questions.MAX_WEIGHT:
        with pytest.raises(ValueError, match="does not look at one token alone"):
            questions.colder(*asked("storyteller", text), layer=layer, head=head, temperature=0.5)
        return
    truth = questions.colder(*asked("storyteller", text), layer=layer, head=head, temperature=0.5)
    squared = row**2 / (row**2).sum()  # e^(2s) is the square of e^s
    assert truth.facts["before"] == pytest.approx(row.max(), abs=1e-5)
    assert truth.facts["after"] == pytest.approx(squared.max(), abs=1e-4)
    assert truth.answer == ("sharper" if squared.max() - row.max() > 1e-6 else "same")
    hotter = questions.colder(*asked("storyteller", text), layer=layer, head=head, temperature=2)
    assert hotter.facts["after"] <= truth.facts["before"] + 1e-6


@pytest.mark.parametrize("ask", [questions.looks_most, questions.cell_of_last, questions.certain_cell])
def test_a_text_with_too_many_tokens_to_choose_from_is_refused(ask) -> None:
    with pytest.raises(ValueError, match="at most 24 tokens; yours has 30"):
        ask(*asked("storyteller", LONG), layer=1, head=1)


@pytest.mark.parametrize(
    "ask",
    [
        *(questions.looks_most, questions.cell_of_last, questions.certain_cell, questions.mutual),
        *(questions.sums, questions.even_share, questions.colder),
    ],
)
def test_a_text_of_one_token_is_refused(ask) -> None:
    with pytest.raises(ValueError, match="This question needs"):
        ask(*asked("storyteller", "cat"), layer=1, head=1)


def test_layers_and_heads_that_a_model_lacks_are_its_last() -> None:
    last, beyond = (questions.sums(*asked("storyteller", TEXTS[0]), layer=n, head=m) for n, m in ((6, 8), (60, 80)))
    assert last.facts == beyond.facts
