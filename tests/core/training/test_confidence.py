"""From how unsure a translator is to how often it is wrong."""

import math

import numpy as np

from core.checkpoints.confidence import confidence
from core.checkpoints.measured import load_measured
from core.training.confidence import POOR, find_threshold, summarise

GOOD, BAD = POOR + 20, POOR - 20


def test_from_the_threshold_on_half_of_the_translations_are_poor() -> None:
    rows = np.array([[0.1, GOOD], [0.2, GOOD], [0.3, GOOD], [0.4, GOOD], [0.5, BAD], [0.6, GOOD], [0.7, BAD]])
    assert find_threshold(rows) == 0.4  # of 0.4 to 0.7 two are poor, of 0.3 to 0.7 two in five
    assert find_threshold(np.array([[0.1, GOOD], [0.9, GOOD]])) == math.inf


def test_a_summary_counts_both_sides_and_its_tenths_rise_in_bits() -> None:
    rows = np.array([[n / 10, BAD if n > 6 else GOOD] for n in range(10)])
    found = summarise(0.4, rows, tenths=5)
    assert found["threshold_bits"] == 0.4 and found["unsure"] == 6 and found["poor_where_unsure"] == 0.5
    assert found["poor_elsewhere"] == 0 and [part["poor"] for part in found["tenths"]] == [0, 0, 0, 0.5, 1]
    assert [part["bits"] for part in found["tenths"]] == sorted(part["bits"] for part in found["tenths"])


def test_the_shipped_numbers_are_those_of_the_shipped_translator_and_tell_apart() -> None:
    found, values = confidence("translator"), load_measured("confidence-translator")
    assert found is not None and found.threshold == values["threshold_bits"]
    assert found.poor > 4 * found.elsewhere > 0  # on sentences that the threshold was not chosen on
    assert values["tenths"][0]["poor"] < values["tenths"][-1]["poor"]
    assert confidence("nobody") is None
