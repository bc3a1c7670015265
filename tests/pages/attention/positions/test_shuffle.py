"""The permutation test, as its view shows it."""

import numpy as np

from core.topics.positions.readings import measures as readings
from core.topics.positions.shuffle import fresh_encoders, shuffled, shuffled_fresh
from pages.attention.positions import settings
from pages.widgets.parts import Markdown
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
    after = [part.text for part in shown.pictures if isinstance(part, Markdown)][1].replace("\\", "")
    assert after == f"After: {' '.join(mine.after)}"
