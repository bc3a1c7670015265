"""core.topics.sentiment.questions: each answer is the one that judging changed texts, one by one, gives."""

import numpy as np
import pytest
import torch

from core.topics.sentiment import questions
from core.topics.shared.open_run import class_layer
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

WORDS = "a boring story, but the music is beautiful and the end is touching."
TEXTS = (WORDS, "it is not a bad film at all", "slow and silly, but warm, funny and deeply moving.")
every_text = pytest.mark.parametrize("text", TEXTS)
MODEL = "sentiment-reader"


def chance(ids: list[int]) -> float:
    """The probability of the second class for these pieces, from a plain pass."""
    model, _, run = asked(MODEL, WORDS)
    layer = class_layer(run)
    assert layer is not None
    with torch.inference_mode():
        return float(layer.logits(model.run_stack("encoder", torch.tensor([ids]), None))[0].softmax(-1)[1])


@every_text
def test_the_deciding_word_changes_the_verdict_most_when_it_is_left_out(text: str) -> None:
    model, tokenizer, run = asked(MODEL, text)
    truth = questions.deciding_word(model, tokenizer, run)
    row = prepare(run, tokenizer).rows["encoder"]
    ids = list(row.ids)
    words = sorted(set(row.words))
    odds = [np.log(p / (1 - p)) for p in [chance(ids)]]
    without = [chance([piece for piece, word in zip(ids, row.words, strict=True) if word != gone]) for gone in words]
    assert not run.format.begin and not run.format.end
    changes = [abs(np.log(p / (1 - p)) - odds[0]) for p in without]
    assert truth.answer == int(np.argmax(changes))
    assert truth.facts["chance"] == pytest.approx(chance(ids), abs=1e-4)
    assert truth.facts["without"] == pytest.approx(without[truth.answer], abs=1e-3)
    assert truth.facts["without_least"] == pytest.approx(without[int(np.argmin(changes))], abs=1e-3)
    assert len(truth.labels) == len(words)


@pytest.mark.parametrize(
    ("text", "answer", "most"),
    [
        (WORDS, "small", "and"),
        ("The acting is terrible and the story is boring, but it looks wonderful.", "same", "wonderful"),
    ],
)
def test_the_most_attention_is_the_largest_mean_of_a_column(text: str, answer: str, most: str) -> None:
    model, tokenizer, run = asked(MODEL, text)
    truth = questions.attended_word(model, tokenizer, run)
    inputs = prepare(run, tokenizer)
    key = f"encoder.{run.config.layers - 1}.pattern"
    columns = execute(model, run, inputs, [key])[key][0].mean((0, 1)).numpy()
    received = np.bincount(inputs.rows["encoder"].words, columns)
    assert truth.answer == answer and truth.facts["most"] == f"“{most}”"
    assert inputs.rows["encoder"].word_labels[int(received.argmax())] == most
    assert truth.facts["share"] == pytest.approx(received.max() / received.sum(), abs=1e-4)
    deciding = questions.deciding_word(model, tokenizer, run).answer
    assert truth.facts["rank"] == 1 + int((received > received[deciding]).sum())


@pytest.mark.parametrize(("text", "answer"), [(WORDS, "never"), (TEXTS[1], "most")])
def test_shuffled_weights_may_leave_a_verdict(text: str, answer: str) -> None:
    truth = questions.shuffled_verdicts(*asked(MODEL, text))
    facts = truth.facts
    assert truth.answer == answer and facts["turned"] + facts["stayed"] == facts["times"] == 50
    assert (facts["low"] >= 0.5) == (answer == "never") and facts["low"] <= facts["high"]
    ids = list(prepare(asked(MODEL, text)[2], asked(MODEL, text)[1]).rows["encoder"].ids)
    assert facts["chance"] == pytest.approx(chance(ids), abs=1e-4)


@pytest.mark.parametrize("question", [questions.deciding_word, questions.attended_word, questions.shuffled_verdicts])
@pytest.mark.parametrize("text", ["Hi", "word " * 30])
def test_too_few_or_too_many_words_are_refused(question, text: str) -> None:
    with pytest.raises(ValueError, match="This question needs a text of 3 to 24 words"):
        question(*asked(MODEL, text))


def test_a_model_that_judges_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a classifier"):
        questions.deciding_word(*asked("reader", WORDS))
