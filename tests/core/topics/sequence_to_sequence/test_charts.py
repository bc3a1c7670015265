"""The chart of BLEU by length: its data."""

import numpy as np

from core.topics.sequence_to_sequence.charts import bleu_lengths_data, bleu_lengths_spec


def test_an_interval_is_drawn_only_where_there_is_one() -> None:
    data = bleu_lengths_data([("a", "1-5", 40.0, 1200, None, None), ("a", "6-10", 30.0, 7, 28.0, 33.0)])
    assert data["bucket"].tolist() == ["1-5 (1,200)", "6-10 (7)"] and data["place"].tolist() == [0, 1]
    np.testing.assert_array_equal(data["low"], [np.nan, 28.0])
    assert "isValid(datum.low)" in str(bleu_lengths_spec("title", ("a",)))
