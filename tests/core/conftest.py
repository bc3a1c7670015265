"""Fixtures for the proofs of the core."""

import pytest
import torch

from core.device import available


@pytest.fixture(params=sorted(available()))
def device(request: pytest.FixtureRequest) -> torch.device:
    """Every device of this machine in turn."""
    return torch.device(request.param)


@pytest.fixture
def rng() -> torch.Generator:
    return torch.Generator().manual_seed(20)
