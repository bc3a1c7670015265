"""Masks at their limits: how long they are estimated to take, and half precision."""

from dataclasses import replace

import numpy as np
import torch

from core.device import Placement
from core.model.config import TransformerConfig
from core.topics.masks.analysis.masks import ZEROS_BEFORE
from core.topics.masks.experiments import leak, ways
from core.topics.shared.loading import estimate_seconds
from tests.core.topics.masks.test_experiments import fresh


def test_the_seconds_estimated_grow_with_the_model_and_with_the_square_of_the_text() -> None:
    config = TransformerConfig(vocab_size=8000, d_model=64, heads=4, layers=3)
    assert estimate_seconds(config, 15, 18) < 0.5 < 3 < estimate_seconds(replace(config, heads=16, layers=12), 512, 18)
    assert estimate_seconds(replace(config, d_model=1024), 512, 1) > 4 * estimate_seconds(
        replace(config, d_model=256), 512, 1
    )
    assert estimate_seconds(replace(config, d_model=8), 512, 1) > 3 * estimate_seconds(
        replace(config, d_model=8), 256, 1
    )
    assert estimate_seconds(config, 15, 18) == 18 * estimate_seconds(config, 15, 1)


def test_half_precision_keeps_the_future_hidden_too() -> None:
    model, tokenizer, run, place = fresh("decoder")
    half = replace(run, placement=Placement("cpu", "bfloat16"))
    found = leak(model.to(torch.bfloat16), tokenizer, half, "", 5)
    assert not found.final[:5].any() and found.final[5] > 0
    assert np.isfinite(ways(model, tokenizer, half, place).weights[ZEROS_BEFORE]).all()
