"""core.topics.generate.questions: each answer is the one that the model's own logits and weights give."""

import numpy as np
import pytest
import torch

from core.checkpoints import shipped
from core.text.labels import token_name
from core.topics.generate import questions
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

TEXTS = (
    "Once upon a time there was a little",
    "My grandmother baked a cake, and the cat ate the cake.",
    "Yesterday the old teacher opened the window because it was hot in the old",
)
UNSEEN = "The little robot counted seven green stars above the quiet town."
every_text = pytest.mark.parametrize("text", TEXTS)


def logits(text: str) -> torch.Tensor:
    """The logits (V,) of the token after a text, from one plain pass."""
    model, tokenizer, run = asked("storyteller", text)
    ids = torch.tensor([prepare(run, tokenizer).rows["decoder"].ids])
    with torch.inference_mode():
        return model(None, ids)[0, -1].double()


@every_text
def test_words_are_ordered_by_their_probability(text: str) -> None:
    truth = questions.likeliest_words(*asked("storyteller", text))
    tokenizer = asked("storyteller", text)[1]
    found = logits(text).softmax(-1)
    ids = [tokenizer.encode(f"a {word}").ids[-1] for word in truth.labels]
    assert tokenizer.labels(ids) == truth.labels
    ranked = found[[ids[index] for index in truth.answer]]
    assert (ranked[:-1] > 3.9 * ranked[1:]).all() and 3 <= len(ranked) <= 4
    assert truth.facts["first_chance"] == pytest.approx(float(ranked[0]), rel=1e-3)
    assert truth.facts["times"] == pytest.approx(float(ranked[0] / ranked[-1]), rel=1e-3)
    assert list(truth.labels) == sorted(truth.labels, key=str.casefold)


@every_text
def test_every_token_of_the_vocabulary_gets_a_probability(text: str) -> None:
    model, tokenizer, run = asked("storyteller", text)
    truth = questions.scored_tokens(model, tokenizer, run)
    found = logits(text).softmax(-1)
    ids = set(prepare(run, tokenizer).rows["decoder"].ids)
    assert truth.answer == "all" and truth.facts["vocabulary"] == len(found) == 8000
    assert truth.facts["ten"] == pytest.approx(float(found.topk(10).values.sum()), rel=1e-3)
    assert truth.facts["text"] == len(ids)
    assert truth.facts["text_chance"] == pytest.approx(float(found[sorted(ids)].sum()), rel=1e-3)
    known = asked("storyteller", text)[1].labels(sorted(ids))
    ranked = asked("storyteller", text)[1].labels(found.argsort(descending=True).tolist())
    assert truth.facts["other"] == next(piece for piece in ranked if piece not in known)
    half = truth.facts["half"]
    assert float(found.topk(half).values.sum()) >= 0.5 > float(found.topk(half - 1).values.sum())


@every_text
def test_a_higher_temperature_makes_the_likeliest_token_less_likely(text: str) -> None:
    truth = questions.higher_temperature(*asked("storyteller", text))
    assert truth.answer == "less" and truth.facts["still"] == truth.facts["best"]
    for name, temperature in (("cold", 0.7), ("one", 1.0), ("hot", 2.0)):
        found = (logits(text) / temperature).softmax(-1)
        assert truth.facts[name] == pytest.approx(float(found.max()), rel=1e-3)
        if name != "one":
            rare = 1 - float(found.topk(10).values.sum())
            assert truth.facts[f"rare_{name}"] == pytest.approx(rare, abs=1e-4)


@every_text
def test_the_row_of_the_last_token_is_that_of_the_plain_run(text: str) -> None:
    model, tokenizer, run = asked("storyteller", text)
    truth = questions.newest_row(model, tokenizer, run)
    rows = execute(model, run, prepare(run, tokenizer), ["pattern"]).stack("pattern", "decoder")[:, 0, :, -1].numpy()
    assert len(truth.alternatives) == 48
    for layer, head in np.ndindex(6, 8):
        alike = truth.alternatives[f"layer {layer + 1} · head {head + 1}"]
        assert alike == pytest.approx(rows[layer, head], abs=1e-4)
    assert np.array_equal(truth.answer, truth.alternatives[truth.facts["head"]])
    best = int(truth.answer.argmax())
    assert truth.facts["best"] == ("itself" if best == len(truth.labels) - 1 else token_name(truth.labels, best))
    assert truth.facts["start_mean"] == pytest.approx(float(rows[..., 0].mean()), abs=1e-4)


@pytest.mark.parametrize("text", ["Hi", "word " * 25])
def test_a_text_with_too_few_or_too_many_tokens_to_draw_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="This question needs a text of 3 to 24 tokens"):
        questions.newest_row(*asked("storyteller", text))


def test_a_mark_is_put_in_order_where_it_is_likely_and_words_are_not_asked_for_where_none_is() -> None:
    truth = questions.likeliest_words(*asked("storyteller", "The old king said to his daughter:"))
    assert truth.labels[truth.answer[0]] == '"' == truth.facts["best"] and truth.facts["first_chance"] > 0.5


def test_a_text_after_which_few_whole_words_are_likely_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "SEARCHED_TOKENS", 2)
    with pytest.raises(ValueError, match="expects whole words"):
        questions.likeliest_words(*asked("storyteller", TEXTS[0]))


@pytest.mark.parametrize(("text", "answer"), [(UNSEEN, "raised"), ("word word word word", "lowered")])
def test_training_changed_the_chances_of_a_text(text: str, answer: str) -> None:
    model, tokenizer, run = asked("storyteller-small", text)
    truth = questions.training_of_chances(model, tokenizer, run)
    ids = torch.tensor([prepare(run, tokenizer).rows["decoder"].ids])
    untrained = shipped.load("storyteller-small/steps/000000", run.placement)
    means = []
    for weights in (untrained, model):
        with torch.inference_mode():
            logits = weights(None, ids)[0, :-1].double()
        means.append(float((-torch.nn.functional.cross_entropy(logits, ids[0, 1:])).exp()))
    assert truth.answer == answer and truth.facts["tokens"] == ids.shape[1] - 1
    assert [truth.facts["before"], truth.facts["after"]] == pytest.approx(means, rel=1e-3)


def test_training_made_the_weights_of_heads_clearer() -> None:
    model, tokenizer, run = asked("storyteller-small", UNSEEN)
    truth = questions.training_of_weights(model, tokenizer, run)
    untrained = shipped.load("storyteller-small/steps/000000", run.placement)
    largest = [
        float(
            execute(weights, run, prepare(run, tokenizer), ["pattern"])
            .stack("pattern", "decoder")[:, 0, :, -1]
            .amax(-1)
            .mean()
        )
        for weights in (untrained, model)
    ]
    assert truth.answer == "blurred" and truth.facts["heads"] == 8
    assert [truth.facts["before"], truth.facts["after"]] == pytest.approx(largest, abs=1e-4)


@pytest.mark.parametrize("question", [questions.training_of_chances, questions.training_of_weights])
def test_models_without_weights_from_before_training_are_refused(question) -> None:
    with pytest.raises(ValueError, match="weights from before its training"):
        question(*asked("storyteller", UNSEEN))
