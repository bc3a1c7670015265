"""Layers run for their cost: paths against theory, memory counted by hand, and what a measurement may take."""

import numpy as np
import pytest
import torch

from core import limits
from core.device import choose
from core.model.layer_kinds import LAYER_KINDS, AttentionLayer, LayerSizes, layer_of_kind
from core.model.masks import CausalMask, SlidingWindowMask
from core.topics.layer_costs.paths import reach_of_layers
from core.topics.layer_costs.timing import (
    SLICE_SECONDS,
    LayerTiming,
    MeasuredLayers,
    TimingTask,
    in_reach,
    layer_tasks,
    measure_layer,
)
from core.topics.shared.layer_timing import saved_bytes, time_layer


@pytest.mark.parametrize(("n", "k", "r"), [(2, 2, 2), (9, 3, 4), (10, 3, 4), (28, 3, 64)])
def test_the_first_input_counts_at_the_layer_that_theory_names(n: int, k: int, r: int) -> None:
    for each in reach_of_layers(n, k, r, seed=0):
        assert each.found == each.expected and each.size == each.norms[each.expected - 1, 0] > 0
        seen = (each.norms > 0).sum(1)  # how many inputs count, layer by layer
        assert (each.norms[:, -1] > 0).all() and (np.diff(seen) >= 0).all()
        fields = {
            "convolution": [1 + m * (k - 1) for m in range(1, len(seen) + 1)],
            "dilated convolution": [k**m for m in range(1, len(seen) + 1)],
            "windowed attention": [1 + m * (r - 1) for m in range(1, len(seen) + 1)],
        }.get(each.kind, [n] * len(seen))
        assert seen.tolist() == [min(n, field) for field in fields]


def test_the_gradient_is_that_of_one_number_at_a_time() -> None:
    (found,) = (each for each in reach_of_layers(4, 2, 2, seed=3) if each.kind == "convolution")
    layer = layer_of_kind("convolution", LayerSizes(4, 8, 2, 2), seed=3).double()
    # one layer: the last output is W₀ x₂ + W₁ x₃
    weights = dict(layer.named_parameters())["conv.weight"]
    taps = weights.detach().square().sum((0, 1)).sqrt().numpy()
    np.testing.assert_allclose(found.norms[0], [0, 0, *taps])


def test_what_a_convolution_keeps_is_its_padded_input() -> None:
    layer = layer_of_kind("convolution", LayerSizes(10, 4, 3))
    assert saved_bytes(layer, torch.ones(1, 10, 4, requires_grad=True)) == 4 * 4 * (10 + 2)


def test_self_attention_keeps_pairs_and_windowed_attention_does_not() -> None:
    kept = {
        (kind, n): saved_bytes(layer_of_kind(kind, LayerSizes(n, 4, r=4)), torch.ones(1, n, 4, requires_grad=True))
        for kind in LAYER_KINDS[3:]
        for n in (128, 256, 512)
    }
    growth = {kind: kept[kind, 512] - 2 * kept[kind, 256] for kind in LAYER_KINDS[3:]}
    assert abs(growth["windowed attention"]) < 200 and growth["self-attention"] >= 4 * 2 * 256**2


def test_any_attention_can_be_timed_under_any_masks_and_a_window_is_the_same_as_a_mask() -> None:
    windowed, masked = AttentionLayer(4, window=3), AttentionLayer(4, masks=(CausalMask(), SlidingWindowMask(2)))
    masked.load_state_dict(windowed.state_dict())
    x = torch.randn(1, 9, 4, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(masked(x), windowed(x))
    timing = time_layer(masked, 9, 4, choose("cpu"), 0.01)
    assert 3 <= len(timing.rounds) <= 9 and min(timing.rounds) > 0 and 0 < sum(timing.rounds) < timing.spent
    assert timing.bytes > time_layer(AttentionLayer(4), 5, 4, choose("cpu"), 0.01).bytes


def test_a_measurement_keeps_to_its_time() -> None:
    tasks = layer_tasks(("convolution", "recurrent"), "n", LayerSizes(512, 16))
    assert [(task.kind, task.at, task.sizes.d) for task in tasks[:3]] == [
        ("recurrent", 16, 16),
        ("convolution", 16, 16),
        ("recurrent", 32, 16),
    ]
    found: list[LayerTiming] = []
    for task, part in in_reach(tasks, 5.0, found):
        assert 0 < part <= SLICE_SECONDS
        slow = task.kind == "recurrent" and task.at == 64
        found.append(LayerTiming(task.kind, task.at, task.operations, (0.2 if slow else 0.01,) * 3, 0, 0.1))
    # 128 recurrent steps would take 4 passes of 0.4 s
    assert [each.at for each in found if each.kind == "recurrent"] == [16, 32, 64]
    assert [each.at for each in found if each.kind == "convolution"] == [16, 32, 64, 128, 256, 512, 1024, 2048]
    found.clear()
    for task, _ in in_reach(tasks, 0.5, found):
        found.append(LayerTiming(task.kind, task.at, task.operations, (0.001,) * 3, 0, 0.3))
    assert len(found) == 2, "nothing is begun when the time is over"
    found.clear()
    for task, part in in_reach(tasks, 0.5, found):
        assert part >= 0
        found.append(LayerTiming(task.kind, task.at, task.operations, (0.001,) * 3, 0, 9.0))
    assert [(each.kind, each.at) for each in found] == [("recurrent", 16), ("convolution", 16)], "each kind once"


def test_more_memory_than_a_run_may_use_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMORY_MIB", limits.APP_MIB + 16)
    tasks = layer_tasks(("self-attention",), "n", LayerSizes(512, 16))
    reached = [task.at for task, _ in in_reach(tasks, 5.0, [])]
    assert reached and max(reached) < 1024


def test_what_was_measured_is_told_by_quartiles_and_crossings() -> None:
    timing = measure_layer(TimingTask("windowed attention", LayerSizes(16, 8), "n"), choose("cpu"), 0.01)
    low, middle, high = timing.milliseconds
    assert 0 < low <= middle <= high and timing.bytes > 0 and len(timing.rounds) >= 3

    def at(kind: str, n: int, milliseconds: float) -> LayerTiming:
        return LayerTiming(kind, n, n**3, (milliseconds / 1000,) * 3, 0, 0.1)

    lines = [at("recurrent", n, n) for n in (4, 8, 16, 32)] + [at("self-attention", n, n**2 / 10) for n in (4, 8, 16)]
    found = MeasuredLayers("n", tuple(lines))
    assert found.crossed and found.crossed[0] == pytest.approx(10) and found.crossed[1] == "self-attention"
    assert found.together and found.together[0] == 16 and found.together[1]["self-attention"][1] == pytest.approx(25.6)
    fits = found.fits
    assert fits["recurrent"] and fits["recurrent"].exponent == pytest.approx(1)
    assert fits["self-attention"] and fits["self-attention"].exponent == pytest.approx(2)
    assert all(each and each.exponent == pytest.approx(3) for each in found.counted_fits.values())
    assert MeasuredLayers("n", tuple(lines[:4])).crossed is None
    assert found.table[0].shape == (7, 5) and found.table[0][1, 1] == pytest.approx(8)
