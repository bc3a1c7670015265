"""core.topics.heads.questions: each answer agrees with the patterns of all heads, read straight from the model."""

from functools import partial

import numpy as np
import pytest
import torch

from core.text.labels import head_label
from core.topics.heads import questions
from core.tracing.edits import Edit
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

REPEATING = "The green bird sang in the old tree and the green bird sang in the old"
TEXTS = (
    REPEATING,
    "Tom gave his dog a red ball because he loved the dog",
    "My grandmother baked an extraordinary cake.",
    "The cat saw the cat",
)
each_text = pytest.mark.parametrize("text", TEXTS)


def last_word(text: str) -> int:
    """The number of the last word's token, counted from the end: it stands before a full stop."""
    return -2 if text.endswith(".") else -1


def every_pattern(text: str) -> np.ndarray:
    """The weights of all heads of the storyteller, (6, 8, Q, K)."""
    model, tokenizer, run = asked("storyteller", text)
    keys = [f"decoder.{layer}.pattern" for layer in range(6)]
    seen = execute(model, run, prepare(run, tokenizer), keys)
    return np.stack([seen[key][0].numpy() for key in keys])


@each_text
@pytest.mark.parametrize(("layer", "head"), [(5, 4), (3, 8), (1, 1)])
def test_the_drawn_row_is_the_heads_own_and_all_heads_are_beside_it(text: str, layer: int, head: int) -> None:
    truth, every = questions.row_of_last(*asked("storyteller", text), layer=layer, head=head), every_pattern(text)
    assert (
        np.allclose(truth.answer, every[layer - 1, head - 1, last_word(text)], atol=1e-6)
        and len(truth.alternatives) == 48
    )
    assert sum(truth.answer) == pytest.approx(1, abs=1e-5)
    assert np.allclose(truth.alternatives[head_label(1, 2)], every[1, 2, last_word(text)], atol=1e-6)
    assert truth.facts["weight"] == pytest.approx(max(truth.answer))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (REPEATING, "“tree”"),
        ("Yesterday the old teacher opened the window because it was hot in the old", "“teacher”"),
        ("A red ball and a small dog and a red", "“ball”"),
        ("My cake is good. My", "“cake”"),
        ("My cake is good. My.", "“cake”"),
        ("The red fox ran over the hill and the red fox ran over the", "“hill”"),
    ],
)
def test_after_a_repeated_word_the_word_that_followed_it_is_named(text: str, after: str) -> None:
    truth = questions.row_after_repeat(*asked("storyteller", text), layer=5, head=4)
    assert truth.facts["after"] == after
    assert truth.answer == questions.row_of_last(*asked("storyteller", text), layer=5, head=4).answer


@pytest.mark.parametrize("text", ["a small cat", "the cat cat", "cat", "one two three four"])
def test_a_last_word_that_is_new_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="This question needs a text whose last word"):
        questions.row_after_repeat(*asked("storyteller", text), layer=5, head=4)


@each_text
@pytest.mark.parametrize("layer", [1, 5])
def test_every_head_of_a_layer_gives_every_token_some_weight(text: str, layer: int) -> None:
    truth = questions.division(*asked("storyteller", text), layer=layer)
    length = truth.facts["query_number"] + 1  # the full stop after it is hidden
    rows = every_pattern(text)[layer - 1, :, length - 1, :length]
    assert truth.answer == "all" and (rows > 0).all()
    assert truth.facts["different"] == len({int(row.argmax()) for row in rows}) and truth.facts["heads"] == 8
    assert truth.facts["parts"] == pytest.approx(1 / rows.min(), rel=1e-3)
    apart = np.ptp(rows, axis=0).argmax()
    assert truth.facts["token_most"] == pytest.approx(rows[:, apart].max(), abs=1e-5)
    assert truth.facts["token_least"] == pytest.approx(rows[:, apart].min(), abs=1e-5)


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        ([[0.5, 0.5], [0.5, 0.5]], "same"),
        ([[1.0, 0.0], [0.0, 1.0]], "parts"),
        ([[0.9, 0.1], [0.0, 1.0]], "all"),
    ],
)
def test_heads_can_also_be_the_same_or_divide_the_text(
    rows: list[list[float]], answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = np.array(rows)[:, None].repeat(2, axis=1)  # (H, Q, K)
    real = questions.patterns

    def drawn(*arguments):
        record = real(*arguments)
        return type(record)(record.queries, record.keys, weights, np.ones((2, 2), bool), False)

    monkeypatch.setattr(questions, "patterns", drawn)
    assert questions.division(*asked("storyteller", "the cat"), layer=1).answer == answer


@each_text
def test_the_favourites_of_all_heads_are_counted(text: str) -> None:
    truth = questions.favourites(*asked("storyteller", text))
    best = every_pattern(text)[:, :, last_word(text)].argmax(-1).ravel()
    assert truth.answer == len(set(best.tolist())) and truth.facts["heads"] == 48
    assert truth.facts["most"] == max(best.tolist().count(at) for at in best)
    assert truth.facts["own"] == best.tolist().count(truth.facts["tokens"] - 1)


def test_a_head_has_its_share_of_the_numbers_that_the_lesson_names() -> None:
    truth = questions.numbers_of_a_head(*asked("storyteller", "a"))
    assert truth.answer == 40 and truth.facts["width"] == truth.facts["all"] == 320 and truth.facts["heads"] == 8
    assert asked("storyteller", "a")[2].config.depth("decoder") == 6


@pytest.mark.parametrize("text", ["cat", "word " * 30])
def test_texts_too_short_or_too_long_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="This question needs a text"):
        questions.row_of_last(*asked("storyteller", text), layer=1, head=1)
    if text == "cat":
        for ask in (partial(questions.division, layer=1), questions.favourites):
            with pytest.raises(ValueError, match="This question needs a text"):
                ask(*asked("storyteller", text))


@pytest.mark.parametrize("text", ["a boring story, but the music is beautiful.", "Once upon a time there was a little"])
def test_the_guesses_that_change_are_those_of_a_run_without_the_head(text: str) -> None:
    model, tokenizer, run = asked("storyteller", text)
    truth = questions.guesses_changed(model, tokenizer, run, 5, 4)
    inputs = prepare(run, tokenizer)
    edits = [Edit("decoder.4.z", "replace", lambda z: z.index_fill(1, torch.tensor([3]), 0))]
    before, after = (execute(model, run, inputs, ["logits"], edits=change)["logits"][0] for change in ((), edits))
    changed = int((before.argmax(-1) != after.argmax(-1)).sum())
    assert truth.facts["changed"] == changed and truth.facts["guesses"] == len(before)
    assert truth.answer == ("none" if not changed else "few" if 4 * changed <= len(before) else "many")
    weights = execute(model, run, inputs, ["decoder.4.pattern"])["decoder.4.pattern"][0, 3]
    assert truth.facts["clear"] == pytest.approx(float(weights.amax(-1).mean()), abs=1e-4)
    moved = (before.softmax(-1) * (before.log_softmax(-1) - after.log_softmax(-1))).sum(-1)
    assert truth.facts["was_chance"] == pytest.approx(float(before[moved.argmax()].softmax(-1).max()), abs=1e-4)


def test_guesses_need_a_decoder_and_some_tokens() -> None:
    with pytest.raises(ValueError, match="at least 4 tokens"):
        questions.guesses_changed(*asked("storyteller", "Hi"), 5, 4)
    with pytest.raises(ValueError, match="choose a decoder"):
        questions.guesses_changed(*asked("reader", "the old king has a castle"), 5, 4)
