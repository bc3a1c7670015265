"""What a head writes, against the shares that it has by reading; and copying, against the whole map and by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import build
from core.text.special import SPECIAL
from core.text.symbols import SymbolTokenizer
from core.topics.circuits.attribution import read_by_head
from core.topics.circuits.head_words import copying_score, written_words
from core.topics.circuits.parts import Component
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import head_projection
from core.tracing.run import Run
from tests.core.strategies import configs, parts_of_others

LETTERS = SymbolTokenizer((*SPECIAL, *"abcdefg"))


def run_of(config: TransformerConfig) -> Run:
    config = replace(config, vocab_size=LETTERS.vocab_size)
    return Run("a b c d", config, target="d c a", tokenizer="", placement=Placement("cpu", "float32"))


any_config = st.one_of(configs(), parts_of_others())


@given(any_config.filter(lambda config: "decoder" in config.stacks or config.masked_head or config.tied))
def test_what_is_written_times_the_weight_is_the_share_by_reading(config: TransformerConfig) -> None:
    run = run_of(config)
    model, stack = build(run.config), run.config.stacks[-1]
    part = Component("cross-attention" if run.config.has_two_stacks else "attention", 0, run.config.heads - 1)
    found = written_words(model, LETTERS, run, stack, 1, part, 0)
    labels = list(LETTERS.labels(range(LETTERS.vocab_size)))
    ids = [labels.index(piece) for piece in (*found.raised, *found.lowered)]
    read = read_by_head(model, LETTERS, run, stack, 1, part, ids)
    shares = read.shares[0, :-1] - read.shares[0, -1]
    changes = np.concatenate([found.raised_by, found.lowered_by])
    np.testing.assert_allclose(changes * found.weights[0], shares, atol=1e-5 * max(1, np.abs(changes).max()))
    assert list(found.raised_by) == sorted(found.raised_by, reverse=True)


def test_it_looks_at_the_token_with_the_largest_weight_if_none_is_chosen() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=1))
    model, part = build(run.config), Component("attention", 0, 1)
    found = written_words(model, LETTERS, run, "decoder", 3, part, None)
    chosen = written_words(model, LETTERS, run, "decoder", 3, part, int(found.weights.argmax()))
    assert found.raised == chosen.raised and np.array_equal(found.raised_by, chosen.raised_by)


@given(configs(architecture="decoder", norm_position="none"))
def test_copying_is_from_the_eigenvalues_of_the_whole_map(config: TransformerConfig) -> None:
    run = run_of(config)
    model = build(run.config)
    found = copying_score(model, LETTERS, run, "decoder", 0, run.config.heads - 1)
    decoder: Any = model.decoder
    block, head = decoder[0], run.config.heads - 1
    read, _ = head_projection(block.attn, "v", head)
    write = block.attn.w_o.weight.unflatten(1, (run.config.heads, -1))[:, head]
    with torch.no_grad():
        whole = model.embed.weight @ read @ write.T @ model.output_weight.T  # (V, V)
    values = torch.linalg.eigvals(whole.double())
    assert found == pytest.approx(float(values.real.sum() / values.abs().sum()), abs=1e-3)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_head_that_writes_what_it_reads_copies(sign: float) -> None:
    run = run_of(TransformerConfig("decoder", d_model=4, heads=1, layers=1, norm_position="none"))
    model = build(run.config)
    decoder: Any = model.decoder
    with torch.no_grad():
        decoder[0].attn.w_v.weight.copy_(torch.eye(4))
        decoder[0].attn.w_o.weight.copy_(sign * torch.eye(4))
    assert copying_score(model, LETTERS, run, "decoder", 0, 0) == pytest.approx(sign)


def test_the_induction_heads_of_the_lab_copy_and_random_weights_do_not() -> None:
    run = run_of_model("recorded:induction-2-layers@3000", "c a f e b d c a f e b d")
    trained, fresh = open_run(run)[0], build(run.config)
    for head in range(2):
        assert copying_score(trained, LETTERS, run, "decoder", 1, head) > 0.7
        assert abs(copying_score(fresh, LETTERS, run, "decoder", 1, head)) < 0.3
