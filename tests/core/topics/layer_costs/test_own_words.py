"""What a layer does with each word: against layers that are run, and against operations counted by hand."""

import pytest
import torch

from core.model.layer_kinds import LayerSizes, layer_of_kind
from core.topics.layer_costs.own_words import OWN_KINDS, own_words
from core.topics.layer_costs.readings import read_own_operations, read_own_steps


@pytest.mark.parametrize(("n", "k"), [(7, 3), (2, 5), (6, 2)])
def test_the_words_that_the_last_one_has_heard_of_are_those_with_a_gradient(n: int, k: int) -> None:
    sizes = LayerSizes(n, 4, k)
    for reading in own_words(sizes):
        torch.manual_seed(0)
        x = torch.randn(1, n, 4, requires_grad=True)
        (gradient,) = torch.autograd.grad(layer_of_kind(reading.kind, sizes)(x)[0, -1].sum(), x)
        assert (gradient[0].abs().sum(-1) > 0).tolist() == reading.reached.tolist()


def test_steps_and_operations_are_those_counted_by_hand() -> None:
    n, d, k = 5, 8, 3
    recurrent, convolution, attention = own_words(LayerSizes(n, d, k))
    assert recurrent.steps == (1, 2, 3, 4, 5) and convolution.steps == attention.steps == (1,) * 5
    assert recurrent.operations == 6 * n * d**2 and recurrent.operations_longer == 6 * 500 * d**2
    assert convolution.operations == k * n * d**2
    assert attention.operations_longer == 4 * 500 * d**2 + 2 * 500**2 * d
    assert [each.kind for each in own_words(LayerSizes(1, d))] == list(OWN_KINDS)


def test_they_are_said() -> None:
    assert read_own_steps(12) == (
        "A recurrent layer reads your 12 words one after the other; self-attention reads them all at once."
    )
    assert read_own_operations(1200, 118e6, 447.1e6) == (
        "For 1,200 words a recurrent layer takes 118 million operations, self-attention 447 million: every word looks "
        "at every other."
    )
