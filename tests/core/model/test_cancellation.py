"""A check that a model is bound to is called at every block, may end a pass, and changes nothing else."""

from collections.abc import Callable
from itertools import count

import pytest
import torch

from core.decoding.greedy import continuation
from core.model.config import TransformerConfig
from core.model.tap import Check
from core.model.transformer import Transformer, build
from core.topics.shared.loading import resized
from core.tracing.taps import ALL, RecordingTap

CONFIG = TransformerConfig("encoder-decoder", vocab_size=20, d_model=8, heads=2, layers=3)
IDS = torch.ones(1, 4, dtype=torch.long)


class Enough(BaseException):
    pass


def ends_at(last: int = 1000) -> tuple[list[int], Check]:
    """The numbers of the calls so far, and a check that raises at its call number `last`."""
    calls, numbers = list[int](), count(1)

    def check() -> None:
        calls.append(next(numbers))
        if calls[-1] == last:
            raise Enough

    return calls, check


WORK: dict[str, tuple[Callable[[Transformer], object], int]] = {
    "a pass": (lambda model: model(IDS, IDS), 6),
    "a traced pass": (lambda model: model(IDS, IDS, tap=RecordingTap(ALL)), 6),
    "cached writing": (lambda model: continuation(model, IDS, 5, IDS), 3 + 5 * 3),
    "writing": (lambda model: continuation(model, IDS, 5, IDS, cached=False), 3 + 5 * 3),
    "a shorter model": (lambda model: resized(model, layers=2)(IDS, IDS), 4),
    "later blocks": (lambda model: model.run_blocks("encoder", torch.ones(1, 4, 8), None, first=1), 2),
}


@pytest.mark.parametrize("name", WORK)
def test_every_block_calls_and_may_be_the_last(name: str) -> None:
    work, blocks = WORK[name]
    model = build(CONFIG)
    calls, check = ends_at()
    work(model.cancelled_by(check))
    assert len(calls) == blocks
    calls, check = ends_at(2)
    with pytest.raises(Enough):
        work(model.cancelled_by(check))
    work(model)
    work(model.cancelled_by(check).cancelled_by(None))
    assert len(calls) == 2 and model.check is None


def test_every_parameter_calls_while_a_model_is_made() -> None:
    calls, check = ends_at()
    made = build(CONFIG, check=check)
    assert len(calls) == len(list(made.parameters())) and made.check is None
    calls, check = ends_at(3)
    with pytest.raises(Enough):
        build(CONFIG, check=check)


def test_a_bound_model_has_the_same_weights_and_gives_the_same_numbers() -> None:
    model = build(CONFIG)
    bound = model.cancelled_by(ends_at()[1])
    assert all(one is other for one, other in zip(model.parameters(), bound.parameters(), strict=True))
    assert bound(IDS, IDS).equal(model(IDS, IDS)), "the fused path is taken, as without a check"
    taps = RecordingTap(ALL), RecordingTap(ALL)
    model(IDS, IDS, tap=taps[0]), bound(IDS, IDS, tap=taps[1])
    assert list(taps[0].seen) == list(taps[1].seen)
