"""One step of word2vec: its gradients by hand, by autograd, and what the step changes."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from core.topics.word_vectors.analysis import NegativeSamples, gradients_of, learn, question_gradients


def s(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def test_the_gradients_of_one_pair_by_hand() -> None:
    """v = (1, 2); the answer u = (½, 0), noise (0, 1) and (1, −1): scores ½, 2 and −1."""
    found = question_gradients(
        np.array([[1.0, 2.0]]), np.array([[[0.5, 0.0], [0.0, 1.0], [1.0, -1.0]]]), np.ones((1, 3))
    )
    assert found.scores.tolist() == [[0.5, 2.0, -1.0]]
    assert found.losses[0] == pytest.approx(-math.log(s(0.5)) - math.log(s(-2)) - math.log(s(1)))
    right, first, second = s(0.5) - 1, s(2), s(-1)
    np.testing.assert_allclose(found.errors, [[right, first, second]])
    np.testing.assert_allclose(found.asking, [[0.5 * right + second, first - second]])
    np.testing.assert_allclose(found.answers, [[[e, 2 * e] for e in (right, first, second)]])


@pytest.mark.parametrize("method", ["skip-gram", "CBOW"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_step_is_gradient_descent_by_autograd(method: str, dtype: type) -> None:
    draw = np.random.default_rng(0)
    inputs, outputs = draw.standard_normal((2, 6, 4)).astype(dtype)
    ids = np.array([3, 1, 3, 5])  # a word that stands twice
    mixes = np.eye(4)[[0, 2, 1]] if method == "skip-gram" else np.array([[0, 0.5, 0.5, 0], [1, 0, 0, 0]])
    answers = np.array([[1, 2, 2], [5, 0, 5], [3, 4, 1]])[: len(mixes)]
    counts = np.concatenate([np.ones((len(mixes), 1)), answers[:, 1:] != answers[:, :1]], axis=1)
    asked = NegativeSamples(ids, mixes.astype(dtype), answers, counts.astype(dtype))
    v, u = (torch.tensor(each, requires_grad=True) for each in (inputs, outputs))
    scores = torch.einsum("pd,pkd->pk", torch.tensor(asked.mixes) @ v[ids], u[answers])
    signs = torch.tensor([1.0, -1.0, -1.0])
    losses = (-F.logsigmoid(signs * scores) * torch.tensor(asked.counts)).sum(1)
    losses.sum().backward()
    close = 1e-5 if dtype is np.float32 else 1e-12
    assert gradients_of(asked, inputs, outputs).losses.dtype == dtype
    assert learn(asked, inputs, outputs, 0.1) == pytest.approx(losses.mean().item(), rel=close)
    for moved, before in ((inputs, v), (outputs, u)):
        assert before.grad is not None
        np.testing.assert_allclose(moved, (before - 0.1 * before.grad).detach().numpy(), rtol=close, atol=close)
