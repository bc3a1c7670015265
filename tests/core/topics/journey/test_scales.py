"""The scales of the journey: what can be compared shares one, and its ends are true."""

from typing import Any

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.topics.journey.records import Journey
from core.topics.journey.scales import scales
from core.topics.journey.stages import journey
from core.topics.journey.stops import stops
from core.topics.shared import loading
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from tests.core.topics.journey.test_journey import CPU, TOKENIZER, run_of


def shown(**fields: Any) -> tuple[Run, Journey]:
    run = run_of(TransformerConfig(**{"d_model": 32, "heads": 2, "layers": 2} | fields))
    return run, journey(loading.fresh_model(run.config, CPU), TOKENIZER, run, HeadAddress(run.config.stacks[0], 1))


def grouped(run: Run, record: Journey) -> dict[str, set[str]]:
    """The stages that share each scale."""
    found: dict[str, set[str]] = {}
    for stop in stops(run, record):
        for each in stop.pictures:
            found.setdefault(each.scale, set()).add(each.name)
    return found


def test_scores_before_and_after_scaling_share_one_scale_that_holds_them_all() -> None:
    run, record = shown(architecture="decoder")
    pictures = [each for stop in stops(run, record) for each in stop.pictures]
    found = scales(pictures, record)
    raw, scaled = (record.stages[name].values for name in ("raw_scores", "scores"))
    assert grouped(run, record)["score"] == {"raw_scores", "scores", "masked_scores"}
    assert np.abs(raw).max() == pytest.approx(4 * np.abs(scaled).max())  # the square root of 16
    limit, beyond = found["score"]
    assert np.abs(raw).max() <= limit <= 1.1 * np.abs(raw).max() and not beyond
    assert found["weight"] == (1.0, False)


@pytest.mark.parametrize(
    ("norm", "alone"),
    [("post", set()), ("pre", {"attn_in", "ffn_in"}), ("none", set())],
)
def test_the_stream_has_one_scale_through_the_layer_and_what_a_norm_made_another(norm: str, alone: set[str]) -> None:
    run, record = shown(norm_position=norm)
    stream = {"entered", "stream", "attn_out", "resid_mid", "ffn_out", "resid_post"} | {"attn_in", "ffn_in"} - alone
    groups = grouped(run, record)
    assert groups["stream"] == stream | (set() if norm == "pre" else {"final"})
    assert groups.get("normalised", set()) == alone
    limit, beyond = scales([each for stop in stops(run, record) for each in stop.pictures], record)["stream"]
    once = [each for stop in stops(run, record) for each in stop.pictures if each.scale == "stream"]
    sizes = np.concatenate([np.abs(record.stages[each.name].values).ravel() for each in once])
    assert 0.99 <= (sizes <= limit).mean() <= 1 and (sizes <= limit / 1.12).mean() < 0.99
    assert beyond == bool((sizes > limit).any())
    assert float(f"{limit:.2g}") == limit, "the legend says it with two digits"
