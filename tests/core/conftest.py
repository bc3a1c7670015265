"""Fixtures for the proofs of the core."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from core.device import available
from tests.core.tiny_corpus import write_corpus


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    """Small tensors are quicker on one thread, above all where cores are shared."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(params=sorted(available()))
def device(request: pytest.FixtureRequest) -> torch.device:
    """Every device of this machine in turn."""
    return torch.device(request.param)


@pytest.fixture
def rng() -> torch.Generator:
    return torch.Generator().manual_seed(20)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny data of every kind that the recipes read."""
    folder = tmp_path_factory.mktemp("data")
    write_corpus(folder)
    return folder
