"""What is called between two blocks, and that it can end a run and the making of a model."""

import pytest
import torch

from core.model.cancellation import cancel_check
from core.model.config import TransformerConfig
from core.model.transformer import build

CONFIG = TransformerConfig("encoder-decoder", vocab_size=20, d_model=8, heads=2, layers=3)
IDS = torch.ones(1, 4, dtype=torch.long)


class Enough(BaseException):
    pass


def test_every_block_and_every_matrix_calls_and_may_be_the_last() -> None:
    calls = [0]

    def count() -> None:
        calls[0] += 1
        if calls[0] == most:
            raise Enough

    model, most = build(CONFIG), 1000
    with cancel_check(count):
        model(IDS, IDS)
    assert calls == [6]
    with cancel_check(count):
        build(CONFIG)
    assert calls[0] > 6 + 3 * 10
    for work in (lambda: model(IDS, IDS), lambda: build(CONFIG)):
        calls[0], most = 0, 3
        with pytest.raises(Enough), cancel_check(count):
            work()
        assert calls == [3]
    model(IDS, IDS)
    assert calls == [3], "nothing is left behind"
