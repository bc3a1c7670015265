"""The product of single rows: torch's own numbers, however the matrix is taken apart."""

import pytest
import torch
import torch.nn.functional as F

from core.model.fast.linear import MIN_WEIGHTS, FastLinear, _parts, linear

SIZES = [(320, 1280), (1280, 321), (257, 331), (64, 50_257), (8, 8)]


def drawn(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64).to(dtype)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(1, 1), (1,), (), (3, 2)])
@pytest.mark.parametrize(("inputs", "outputs"), SIZES)
def test_products_are_torchs(inputs, outputs, shape, bias):
    x, weight, more = drawn(*shape, inputs), drawn(outputs, inputs), drawn(outputs) if bias else None
    found, wanted = (
        linear(x, weight, more),
        F.linear(x.double(), weight.double(), None if more is None else more.double()),
    )
    assert found.shape == wanted.shape and found.dtype == torch.float32
    torch.testing.assert_close(found.double(), wanted, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_other_number_formats_are_left_to_torch(dtype):
    x, weight = drawn(1, 320, dtype=dtype), drawn(640, 320, dtype=dtype)
    assert torch.equal(linear(x, weight), F.linear(x, weight))


def test_a_row_that_is_a_slice_of_others_is_taken_as_it_lies():
    rows, weight = drawn(4, 5, 320).transpose(0, 1), drawn(640, 320)
    torch.testing.assert_close(linear(rows[2:3, 1:2], weight)[0, 0], weight @ rows[2, 1], atol=1e-4, rtol=1e-5)


def test_gradients_are_torchs():
    layer = FastLinear(320, 640)
    assert layer.weight.numel() >= MIN_WEIGHTS
    x = drawn(1, 320).requires_grad_()
    wanted = torch.autograd.grad(F.linear(x, layer.weight, layer.bias).square().sum(), (x, layer.weight, layer.bias))
    found = torch.autograd.grad(layer(x).square().sum(), (x, layer.weight, layer.bias))
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, atol=1e-3, rtol=1e-4)


def test_parts_are_equal_and_few():
    assert [_parts(n) for n in (8000, 50_257, 321, 331, 1)] == [2, 29, 3, 1, 1]
