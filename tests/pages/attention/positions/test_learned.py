"""The learned table beside the sinusoids, as its view shows it."""

from dataclasses import replace

import numpy as np
import pytest

from core.checkpoints import shipped
from core.topics.positions.encodings import Encoding, encode
from pages.attention.positions import queries
from pages.widgets.chart import Chart
from tests.pages.attention.positions.test_views import RUN, line, matrices, message, parts, show


def test_the_learned_table_is_the_models_own_beside_the_sinusoids() -> None:
    reader = shipped.load("reader", RUN.placement)
    assert reader.positions is not None
    table = reader.positions.weight.detach().numpy()
    shown = show("learned")
    seen = matrices(shown)
    np.testing.assert_allclose(seen["learnt"], table, atol=1e-6)
    np.testing.assert_allclose(seen["sinusoids"], encode(Encoding("sinusoidal", *table.shape)), atol=1e-6)
    assert "start-cosines" in seen and "made for, 128 tokens." in shown.about
    units = table / np.linalg.norm(table, axis=1, keepdims=True)
    chart = next(part for part in parts(shown.pictures) if isinstance(part, Chart))
    mean = np.mean([units[p] @ units[p + 3] for p in range(len(table) - 3)])
    assert line(chart.data, "learnt")[3] == pytest.approx(mean, abs=1e-5)


def test_of_a_model_made_elsewhere_nothing_is_said_before_its_training(monkeypatch: pytest.MonkeyPatch) -> None:
    found = queries.learned_table("reader")
    monkeypatch.setattr(queries, "learned_table", lambda name: replace(found, start=None, longest=1024))
    shown = show("learned")
    assert "start-cosines" not in matrices(shown) and "before training" not in str(shown.takeaway)
    chart = next(part for part in parts(shown.pictures) if isinstance(part, Chart))
    assert not line(chart.data, "before training").size
    assert f"made for, 1,024 tokens; the first {len(found.learnt)} are shown." in shown.about


def test_without_a_learned_table_the_view_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "_learners", lambda: ())
    assert message(show("learned")) == "No trained model here has learned positions."
