"""What is booked for many texts that are judged at once, beside the batches that are really read."""

from unittest.mock import patch

import pytest
import torch

from core.limits import JUDGED_TOKENS
from core.topics.sentiment import judging
from core.topics.sentiment.judging import BATCH_TOKENS, judging_holds


@pytest.mark.parametrize(("length", "texts"), [(1, 1), (7, 3), (40, 41), (JUDGED_TOKENS, 50)])
def test_the_batch_that_is_booked_is_the_largest_that_is_read(length: int, texts: int) -> None:
    read = list[int]()

    def margin(layer: object, model: object, run: object, ids: torch.Tensor, *rest: object) -> torch.Tensor:
        read.append(ids.numel())
        return torch.zeros(len(ids))

    with patch.object(judging, "margin", margin):
        judging.margins(None, None, None, [tuple(range(length))] * texts)  # type: ignore[arg-type]
    assert judging_holds(length, texts).batch == max(read) <= max(BATCH_TOKENS, length)


def test_no_more_tokens_are_booked_than_are_judged() -> None:
    assert judging_holds(10 * JUDGED_TOKENS, 2) == judging_holds(JUDGED_TOKENS, 2)
    assert judging_holds(JUDGED_TOKENS, 2).longest == JUDGED_TOKENS
