"""Estimates against what is really built and recorded; the limit against made-up machines."""

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.costs import LIMIT_VARIABLE, MIB, MemoryEstimate, memory_estimate, memory_limit
from core.model.config import TransformerConfig
from core.model.transformer import build, parameter_count
from core.tracing.sites import keys_of
from core.tracing.taps import ALL
from core.tracing.trace import trace
from tests.core.strategies import configs

GIB = 1024 * MIB
SITES = ["pattern", "q", "head_out", "pos", "ffn_hidden", "logits", "resid_mid"]


@given(configs())
@settings(max_examples=40, deadline=None)
def test_the_parameters_counted_are_the_parameters_built(config):
    assert parameter_count(config) == sum(value.numel() for value in build(config).parameters())


def test_parameters_by_hand():
    """BERT-like block of width 4: 4 projections, two norms, a feed-forward layer of 8; a table of 10 × 4."""
    config = TransformerConfig(vocab_size=10, d_model=4, heads=2, layers=1, d_ff=8)
    assert parameter_count(config) == 4 * (16 + 4) + 2 * 8 + (32 + 8) + (32 + 4) + 40


@given(configs(), st.integers(1, 5), st.integers(1, 5), st.one_of(st.just(ALL), st.lists(st.sampled_from(SITES))))
@settings(max_examples=60, deadline=None)
def test_the_recorded_bytes_are_those_of_the_trace(config, length, target, record):
    both = config.architecture == "encoder-decoder"
    source_ids = torch.ones(1, length, dtype=torch.long)
    target_ids = torch.ones(1, target if both else length, dtype=torch.long)
    passed = {site.name for _, site in keys_of(config)}
    seen = trace(
        build(config), source_ids, target_ids, record=[name for name in record if name in passed or name in ALL]
    )
    estimate = memory_estimate(config, length, record, target if both else 0)
    assert estimate.recorded == sum(tensor.nbytes for tensor in seen.values())


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_bytes_follow_the_number_format(dtype):
    config = TransformerConfig(vocab_size=10, d_model=4, heads=2, layers=2)
    model = build(config, dtype=getattr(torch, dtype))
    seen = trace(model, torch.ones(1, 3, dtype=torch.long), record=["encoder.1.pattern", "z"])
    estimate = memory_estimate(config, 3, (key for key in ("encoder.1.pattern", "z")), dtype=dtype)
    assert estimate.recorded == sum(tensor.nbytes for tensor in seen.values())
    weights = sum(value.nbytes for value in model.parameters())
    assert estimate.parameters == weights + (parameter_count(config) * 4 if dtype != "float32" else 0)


def test_a_target_as_long_as_the_source_is_meant_when_none_is_given():
    config = TransformerConfig(architecture="encoder-decoder", vocab_size=10, d_model=4, heads=2, layers=1)
    assert memory_estimate(config, 5, ALL) == memory_estimate(config, 5, ALL, target_length=5)


def test_working_room_by_hand():
    config = TransformerConfig(architecture="decoder", vocab_size=10, d_model=4, heads=2, layers=3, d_ff=8)
    scores, mask_and_pattern = 2 * 5 * 5, 2 * 2 * 5 * 5
    assert memory_estimate(config, 5, ()).working == 4 * (scores + mask_and_pattern + 5 * (8 + 16) + 5 * 10)


def test_the_sentence_shows_the_sum():
    estimate = MemoryEstimate(3 * MIB, 2000 * MIB, 7 * MIB)
    assert estimate.sentence() == "weights 3 + recorded tensors 2,000 + working room 7 = 2,010 MiB"
    assert estimate.total == 2010 * MIB


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A made-up /proc and /sys: machine({path: text}) gives their root."""
    monkeypatch.delenv(LIMIT_VARIABLE, raising=False)

    def furnish(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return furnish


def free(size: int) -> dict[str, str]:
    return {"proc/meminfo": f"MemTotal:  99999999 kB\nMemFree:  1 kB\nMemAvailable:  {size // 1024} kB\n"}


def container(limit: str, used: int, cache: int = 0) -> dict[str, str]:
    folder = "sys/fs/cgroup"
    return {
        f"{folder}/memory.max": f"{limit}\n",
        f"{folder}/memory.current": f"{used}\n",
        f"{folder}/memory.stat": f"anon 5\ninactive_file {cache}\nactive_file 7\n",
    }


def old_container(limit: int, used: int) -> dict[str, str]:
    folder = "sys/fs/cgroup/memory"
    return {
        f"{folder}/memory.limit_in_bytes": f"{limit}\n",
        f"{folder}/memory.usage_in_bytes": f"{used}\n",
        f"{folder}/memory.stat": "cache 5\ntotal_inactive_file 0\n",
    }


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({}, GIB // 2),
        (free(8 * GIB), 2 * GIB),
        (free(64 * GIB), 4 * GIB),
        (free(8 * GIB) | container("max", 3 * GIB), 2 * GIB),
        (free(8 * GIB) | container(str(6 * GIB), 2 * GIB), GIB),
        (free(8 * GIB) | container(str(6 * GIB), 5 * GIB, cache=3 * GIB), GIB),
        (free(8 * GIB) | container(str(64 * GIB), 2 * GIB), 2 * GIB),
        (free(8 * GIB) | container(str(2 * GIB), 3 * GIB), 0),
        (free(8 * GIB) | old_container(6 * GIB, 2 * GIB), GIB),
        (free(8 * GIB) | old_container(2**63 - 4096, 2 * GIB), 2 * GIB),
    ],
)
def test_the_limit_is_a_quarter_of_what_is_free_here_or_in_the_container(machine, files, limit):
    assert memory_limit(machine(files)) == limit


def test_the_limit_of_this_machine_can_be_read(monkeypatch):
    monkeypatch.delenv(LIMIT_VARIABLE, raising=False)
    assert 0 <= memory_limit() <= 4 * GIB


def test_the_environment_variable_sets_the_limit_outright(machine, monkeypatch):
    monkeypatch.setenv(LIMIT_VARIABLE, " 12345 ")
    assert memory_limit(machine(free(GIB))) == 12345 * MIB


@pytest.mark.parametrize("wish", ["lots", "0", "-5", "1.5", "²", "4GiB"])
def test_a_limit_that_is_no_number_is_an_error_that_shows_it(wish, monkeypatch):
    monkeypatch.setenv(LIMIT_VARIABLE, wish)
    with pytest.raises(ValueError) as caught:
        memory_limit()
    assert f"{LIMIT_VARIABLE} must be a whole number of MiB above 0, not {wish!r}" in str(caught.value)
