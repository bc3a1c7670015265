"""What recurrent translators take in memory."""

import pytest

from core.model.recurrent import Recurrent, RecurrentConfig
from core.topics.sequence_to_sequence.analysis.costs import recurrent_estimate


@pytest.mark.parametrize("kind", ["attention", "bottleneck"])
def test_the_weights_are_those_of_the_model(kind: str) -> None:
    config = RecurrentConfig(kind, vocab_size=20, d_model=6, units=5)
    count = sum(parameter.numel() for parameter in Recurrent(config).parameters())
    assert recurrent_estimate(config, 1, 1).parameters == 4 * count


def test_a_small_case_by_hand() -> None:
    config = RecurrentConfig("attention", vocab_size=20, d_model=2, units=3)
    found = recurrent_estimate(config, texts=5, read=7, written=4)
    assert found.recorded == 4 * 5 * 4 * (4 * 3), "four rows of three numbers for each token written, in each text"
    kept = 7 * (6 + 3)  # both directions' states and what the scores make of them
    writing = 4 * (4 * 2 + 2 * 3 + 3 * 6 + 7)
    assert found.working == 4 * 5 * (kept + writing)
    reading = 7 * (2 * 2 + 6 * 3)
    assert recurrent_estimate(config, 5, 7).working == 4 * 5 * reading
    assert recurrent_estimate(config, 10, 7, 4).working == 2 * found.working
