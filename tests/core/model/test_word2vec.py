"""Negative sampling, worked by hand and against a slow loop."""

import math
from collections import Counter

import pytest
import torch

from core.model.word2vec import WordVectorsConfig, build, cbow_loss, pairs, skipgram_loss
from core.text.word_forms import text_words
from core.training.recipes.analogies import PAIRS, questions
from core.training.recipes.word_vectors import accuracy


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def test_the_gradients_of_one_pair_by_hand():
    """Two words that look at each other, one noise word, k = 2: v = (1, 2) and (3, −1), u = (½, 0) and (0, 1)."""
    v = torch.tensor([[[1.0, 2.0], [3.0, -1.0]]], requires_grad=True)
    u = torch.tensor([[[0.5, 0.0], [0.0, 1.0]]], requires_grad=True)
    n = torch.tensor([[1.0, 0.0]], requires_grad=True)
    loss = skipgram_loss(v, u, n, pairs(torch.tensor([[1, 1]])), 2)
    # u_1·v_0 = 2, u_0·v_1 = 1.5, n·v_0 = 1, n·v_1 = 3
    right = -math.log(sigmoid(2)) - math.log(sigmoid(1.5)) - 2 * (math.log(sigmoid(-1)) + math.log(sigmoid(-3)))
    assert loss.item() == pytest.approx(right, rel=1e-6)
    loss.backward()
    first = [2 * sigmoid(1), sigmoid(2) - 1]  # (σ(2) − 1) u_1 + 2 σ(1) n
    second = [(sigmoid(1.5) - 1) * 0.5 + 2 * sigmoid(3), 0.0]
    torch.testing.assert_close(v.grad, torch.tensor([[first, second]]))
    out = [[(sigmoid(1.5) - 1) * 3, -(sigmoid(1.5) - 1)], [sigmoid(2) - 1, 2 * (sigmoid(2) - 1)]]
    torch.testing.assert_close(u.grad, torch.tensor([out]))
    noise = [2 * (sigmoid(1) * 1 + sigmoid(3) * 3), 2 * (sigmoid(1) * 2 - sigmoid(3))]
    torch.testing.assert_close(n.grad, torch.tensor([noise]))


def slow(kind, v, u, noise, window, negatives):
    """The same sums, pair by pair."""
    total = 0.0
    for text, (ins, outs) in enumerate(zip(v, u, strict=True)):
        for t in range(len(ins)):
            seen = [o for o in range(len(ins)) if o != t and abs(o - t) <= window[text][t]]
            if not seen:
                continue
            asks = [(ins[t], outs[o]) for o in seen]
            if kind == "cbow":
                asks = [(torch.stack([ins[o] for o in seen]).mean(0), outs[t])]
            for asking, answer in asks:
                total -= math.log(sigmoid(float(asking @ answer)))
                unlike = [math.log(sigmoid(-float(asking @ n))) for n in noise]
                total -= negatives * sum(unlike) / len(unlike)
    return total


@pytest.mark.parametrize(("kind", "loss"), [("skipgram", skipgram_loss), ("cbow", cbow_loss)])
def test_the_losses_are_the_papers_sums(kind, loss, rng):
    v, u = torch.randn(2, 2, 6, 4, generator=rng)
    noise, window = torch.randn(5, 4, generator=rng), torch.randint(0, 4, (2, 6), generator=rng)
    found = loss(v, u, noise, pairs(window), 5)
    assert float(found) == pytest.approx(slow(kind, v, u, noise, window.tolist(), 5), rel=1e-5)


def test_a_word_looks_as_far_as_its_window_and_never_at_itself():
    assert pairs(torch.tensor([1, 2, 1])).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert pairs(torch.tensor([0, 2, 2])).tolist() == [[0, 0, 0], [1, 0, 1], [1, 1, 0]]


def test_equal_configs_build_equal_vectors():
    config = WordVectorsConfig(7, 4, seed=5)
    ids = torch.arange(7)
    assert torch.equal(build(config)(ids, "cbow"), build(config)(ids, "cbow"))
    assert not torch.equal(build(config)(ids, "cbow"), build(config)(ids, "skipgram"))
    with pytest.raises(ValueError, match="d_model must be at least 1, not 0"):
        WordVectorsConfig(d_model=0)


def test_the_analogies_are_many_well_formed_and_each_asked_once():
    asked = questions()
    assert len(asked) >= 200
    assert len(set(asked)) == len(asked)
    assert {"gender", "family", "plural", "tense", "comparative", "opposite"} <= Counter(q.family for q in asked).keys()
    assert all(len(pair.split()) == 2 for text in PAIRS.values() for pair in text.split(", "))
    assert all(len(set(q.words)) == 4 for q in asked)


def test_an_analogy_is_right_when_the_answer_is_nearest_without_the_three_words():
    words = ["man", "woman", "king", "queen", "tree"]
    right = torch.tensor([[1.0, 0, 0], [1, 1, 0], [1, 0, 2], [1, 1, 2], [0, 0, -1]])
    assert accuracy(right, words) == 100.0
    wrong = right.clone()
    wrong[3], wrong[4] = right[4], right[3]
    assert accuracy(wrong, words) == 50.0  # from king : queen, woman is still the nearest to man
    assert accuracy(right[:2], words[:2]) == 0.0  # nothing to ask


def test_words_are_taken_from_a_text():
    assert list(text_words("The King's 'good' horse--don't! Été")) == ["the", "king", "good", "horse", "don't", "été"]
