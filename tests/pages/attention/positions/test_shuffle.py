"""The permutation test, as its view shows it."""

import numpy as np

from core.text.labels import bare
from core.topics.positions.readings import measures as readings
from core.topics.positions.shuffle import fresh_encoders, shuffled, shuffled_fresh
from pages.attention.positions import settings
from pages.canvas import TokenButtons
from tests.pages.attention.positions.test_views import behind, frames, fresh, show


def test_the_shuffle_is_the_cores() -> None:
    run = fresh(pos="rotary")
    shown, mine = show("shuffle", {settings.SHUFFLE_SEED: 4}, run), shuffled(*behind(run), 4)
    each, (frame,) = shuffled_fresh(fresh_encoders(8000, 0), *behind(run)[1:], 4), frames(shown)
    np.testing.assert_allclose(frame["at"][:6], [found.largest for found in each.values()], rtol=0.3)
    assert frame["verdict"].tolist() == [
        "just moved",
        *["changed"] * 5,
        "just moved",
        "changed",
        "changed",
    ]
    assert shown.takeaway == readings.read_shuffle("rotary", mine.largest, mine.size, False, False)
    without, own = [part for part in shown.pictures if isinstance(part, TokenButtons)]
    for line, found in ((without, each["none"]), (own, mine)):
        assert [token.piece for token in line.tokens] == [bare(found.labels[old]) for old in found.order]
        changed = [float(token.under.rstrip("%")) / 100 for token in line.tokens]
        np.testing.assert_allclose(changed, found.changed[found.order], atol=0.006)
    assert {token.under for token in without.tokens} == {"0%"} and max(token.shade for token in own.tokens) > 0.1


def test_a_model_without_positions_is_shown_beside_one_that_has_them() -> None:
    lines = [part for part in show("shuffle", {}, fresh(pos="none")).pictures if isinstance(part, TokenButtons)]
    assert [max(token.shade for token in line.tokens) > 0.01 for line in lines] == [False, False, True]
