"""Weights laid out for speed: the same numbers, and the same text from them."""

import pytest
import torch

from core.decoding.greedy import continuation
from core.model.config import TransformerConfig
from core.model.layout import lay_out
from core.model.transformer import build

CONFIG = TransformerConfig("encoder-decoder", 50, 16, 4, 2, max_length=32)


def test_the_numbers_stay_and_wide_matrices_lie_by_columns():
    before, model = build(CONFIG).state_dict(), lay_out(build(CONFIG))
    for name, weight in model.state_dict().items():
        assert torch.equal(weight, before[name])
        wide = weight.dim() == 2 and weight.shape[0] >= weight.shape[1]
        assert weight.t().is_contiguous() if wide else weight.is_contiguous(), name


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_other_numbers_lie_by_rows_also_after_they_lay_by_columns(dtype):
    model = lay_out(lay_out(build(CONFIG)).to(dtype))
    assert all(weight.is_contiguous() for weight in model.parameters())


def test_the_text_is_the_same():
    source, ids = (torch.randint(4, 50, (2, 6), generator=torch.Generator().manual_seed(seed)) for seed in (0, 1))
    model = build(CONFIG).requires_grad_(False)
    logits, text = model(source, ids), continuation(model, ids, 12, source)
    lay_out(model)
    torch.testing.assert_close(model(source, ids), logits, atol=1e-5, rtol=0)
    assert torch.equal(continuation(model, ids, 12, source), text)
