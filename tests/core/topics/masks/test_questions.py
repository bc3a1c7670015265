"""core.topics.masks.questions: each answer is the one that a softmax over the visible scores gives."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from core.model.masks import SlidingWindowMask, causal
from core.model.tap import IDENTITY
from core.text.labels import token_name
from core.topics.masks import questions
from core.tracing.run import prepare
from core.tracing.taps import RecordingTap
from tests.core.topics.questions import asked

WORDS = "The old king gave his daughter a golden ring."
TEXTS = (WORDS, "My grandmother baked a cake, and the cat ate the cake.", "word word word word word word")


def first_layer(text: str, kind: str = "scores") -> torch.Tensor:
    """The first layer's scores or weights (H, L, L) when the plain model reads a text."""
    model, tokenizer, run = asked("storyteller", text)
    ids = torch.tensor([prepare(run, tokenizer).rows["decoder"].ids])
    tap = RecordingTap([f"decoder.0.{kind}"])
    with torch.inference_mode():
        model.run_stack("decoder", ids, None, tap=tap)
    return tap.seen[f"decoder.0.{kind}"][0].float()


def opened_head(text: str) -> int:
    """The head of the first layer from which the causal mask takes the most weight."""
    weights = first_layer(text).softmax(-1)
    return int((weights * torch.ones_like(weights).triu(1)).sum((1, 2)).argmax())


@pytest.mark.parametrize("text", TEXTS)
def test_a_query_sees_itself_and_what_came_before(text: str) -> None:
    truth = questions.seen_keys(*asked("storyteller", text))
    weights = first_layer(text)[opened_head(text)].softmax(-1)
    length = len(weights)
    assert truth.answer == "back"
    assert truth.facts["pairs"] == length**2 and truth.facts["hidden"] == length * (length - 1) // 2
    assert truth.facts["lost"] == pytest.approx(float(weights.triu(1).sum() / length), abs=1e-5)
    assert truth.facts["later"] == 0


@pytest.mark.parametrize("text", TEXTS)
def test_the_first_token_gives_all_weight_to_itself(text: str) -> None:
    truth = questions.first_token_weight(*asked("storyteller", text))
    scores = first_layer(text)[opened_head(text)]
    assert truth.answer == 100
    assert truth.facts["before"] == pytest.approx(float(scores[0].softmax(-1)[0]), abs=1e-5)
    second = scores[1, :2].softmax(-1)
    assert [truth.facts["second_first"], truth.facts["second_itself"]] == pytest.approx(second.tolist(), abs=1e-5)


@pytest.mark.parametrize("text", TEXTS)
def test_the_third_row_is_the_softmax_of_three_scores(text: str) -> None:
    truth = questions.third_row(*asked("storyteller", text))
    scores = first_layer(text)[:, 2, :3]
    head = opened_head(text)
    assert truth.answer[:3] == pytest.approx(scores[head].softmax(-1).numpy(), abs=1e-5)
    assert not truth.answer[3:].any() and truth.facts["hidden"] == len(truth.labels) - 3
    assert len(truth.alternatives) == 48 and np.array_equal(truth.alternatives[truth.facts["head"]], truth.answer)
    assert truth.facts["head"] == f"layer 1 · head {head + 1}"
    assert truth.alternatives["layer 1 · head 1"][:3] == pytest.approx(scores[0].softmax(-1).numpy(), abs=1e-5)


@pytest.mark.parametrize("text", TEXTS)
def test_the_visible_keys_share_the_weight_of_the_hidden_ones(text: str) -> None:
    truth = questions.hidden_weight(*asked("storyteller", text))
    scores = first_layer(text)[opened_head(text)]
    row, visible = truth.facts["query_number"], torch.ones_like(scores).tril()
    kept, lost = (scores * visible).softmax(-1).mul(1 - visible).sum(1), scores.softmax(-1).mul(visible).sum(1)
    telling = [at for at in range(len(scores)) if kept[at] > 0.005 and lost[at] < 0.995]
    assert row in telling and abs(row - len(scores) // 2) == min(abs(at - len(scores) // 2) for at in telling)
    zeros = scores[row] * (torch.arange(len(scores)) <= row)
    assert truth.answer == "shared" and truth.facts["hidden"] == len(scores) - row - 1
    assert truth.facts["lost"] == pytest.approx(float(scores[row].softmax(-1)[: row + 1].sum()), abs=1e-5)
    assert truth.facts["kept"] == pytest.approx(float(zeros.softmax(-1)[row + 1 :].sum()), abs=1e-5)


def test_the_row_is_one_in_which_the_wrong_ways_differ_from_the_right_one() -> None:
    """In the middle row of this text, hidden tokens would get 0% even if their scores were set to 0."""
    text = "I hate Mondays!!!"
    truth, scores = questions.hidden_weight(*asked("storyteller", text)), first_layer(text)[opened_head(text)]
    row, middle = truth.facts["query_number"], len(scores) // 2
    visible = torch.ones_like(scores).tril()
    kept = (scores * visible).softmax(-1).mul(1 - visible).sum(1)
    assert kept[middle] < 0.005 < kept[row] and abs(row - middle) == 1
    assert truth.facts["kept"] == pytest.approx(float(kept[row]), abs=1e-5)
    assert truth.facts["hidden"] == len(scores) - row - 1


def test_a_replaced_word_moves_itself_and_what_comes_after() -> None:
    model, tokenizer, run = asked("storyteller", WORDS)
    truth = questions.changed_vectors(model, tokenizer, run)
    assert truth.answer == "later" and truth.facts["word"] == "daughter"
    ids = list(prepare(run, tokenizer).rows["decoder"].ids)
    before, after = torch.tensor([ids]), torch.tensor([ids])
    after[0, 5] = tokenizer.encode(truth.facts["new"]).ids[0]
    mask = causal(len(ids), len(ids))
    with torch.inference_mode():
        outputs = [model.run_stack("decoder", row, mask, tap=IDENTITY)[0] for row in (before, after)]
    moved = (outputs[0] - outputs[1]).abs().amax(-1)
    assert truth.facts["earlier"] == int((moved[:5] > 0).sum()) == 0
    assert truth.facts["later"] == int((moved[6:] > 0).sum()) == 4
    assert truth.facts["nearest"] == token_name(
        prepare(run, tokenizer).rows["decoder"].labels, 6 + int(moved[6:].argmax())
    )


def test_the_mask_and_the_padding_that_a_visitor_has_chosen_elsewhere_play_no_part() -> None:
    model, tokenizer, run = asked("storyteller", WORDS)
    chosen = replace(run, masks=(SlidingWindowMask(0),))
    for question in (questions.seen_keys, questions.third_row, questions.changed_vectors):
        assert question(model, tokenizer, chosen).facts == question(model, tokenizer, run).facts


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (questions.seen_keys, "Hi"),
        (questions.first_token_weight, "Hi"),
        (questions.third_row, "the old king"),
        (questions.third_row, "word " * 25),
        (questions.hidden_weight, "the king"),
        (questions.changed_vectors, "the king"),
    ],
)
def test_a_text_that_does_not_suit_the_question_is_refused(question, text: str) -> None:
    with pytest.raises(ValueError, match="This question needs a text"):
        question(*asked("storyteller", text))
