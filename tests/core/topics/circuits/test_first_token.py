"""Attention to the first token against patterns by hand, and losses against runs with a mask of the test's own."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.device import Placement
from core.model.config import TransformerConfig
from core.model.transformer import Masks, build
from core.text.special import SPECIAL
from core.text.symbols import SymbolTokenizer
from core.topics.circuits.first_token import DRAWS, HiddenEarlierToken, first_token, hidden_losses
from core.topics.circuits.readings.first_token import read_no_token
from core.tracing.edits import force_row
from core.tracing.run import Run, execute, prepare
from tests.core.strategies import configs, parts_of_others

LETTERS = SymbolTokenizer((*SPECIAL, *"abcdefg"))
CPU = Placement("cpu", "float32")


def run_of(config: TransformerConfig, **changes: object) -> Run:
    config = replace(config, vocab_size=LETTERS.vocab_size)
    return Run("a b c d", config, target="d c a", tokenizer="", placement=CPU, **changes)  # type: ignore[arg-type]


@given(st.one_of(configs(), parts_of_others()))
def test_weights_and_values_are_the_traces(config: TransformerConfig) -> None:
    run = run_of(config)
    stack = run.config.stacks[-1]
    model = build(run.config)
    found = first_token(model, LETTERS, run, stack)
    layer = run.config.depth(stack) - 1
    keys = [f"{stack}.{layer}.pattern", f"{stack}.{layer}.v"]
    trace = execute(model, run, prepare(run, LETTERS), keys)
    np.testing.assert_allclose(found.weights[layer], trace[keys[0]][0, :, :, 0].numpy(), atol=1e-6)
    for head in range(run.config.heads):
        sizes = trace[keys[1]][0, run.config.kv_head_of(head)].norm(dim=-1)
        assert found.value_lengths[layer, head] == pytest.approx(float(sizes[0] / sizes[1:].mean()), rel=1e-4)


def test_a_forced_head_gives_all_its_weight() -> None:
    config = TransformerConfig("decoder", d_model=8, heads=2, layers=1)
    edits = tuple(force_row(config, 0, 1, row, (1.0, 0.0, 0.0, 0.0)) for row in range(4))
    found = first_token(build(run_of(config).config), LETTERS, run_of(config, edits=edits), "decoder")
    assert found.mean_weights[0, 1] == pytest.approx(1.0)
    np.testing.assert_allclose(found.even, [1, 1 / 2, 1 / 3, 1 / 4])
    assert found.mean_even == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)


def test_one_earlier_token_is_hidden_from_each_query_after_the_second() -> None:
    first = HiddenEarlierToken(0).build(5, 5)
    assert first[:, 0].tolist() == [True, True, False, False, False] and bool(first[:, 1:].all())
    other = HiddenEarlierToken(3).build(5, 5)
    assert (~other).sum(1).tolist() == [0, 0, 1, 1, 1]
    assert bool(other[:, 0].all()) and not (~other).triu().any(), "neither the first token nor the query's own"


def test_losses_are_those_of_runs_with_the_token_hidden() -> None:
    run = run_of(TransformerConfig("decoder", d_model=8, heads=2, layers=2))
    model = build(run.config)
    found = hidden_losses(model, LETTERS, run)
    ids = torch.tensor(prepare(run, LETTERS).rows["decoder"].ids)
    with torch.inference_mode():
        logits = model(target=ids[None])[0, :-1]
    assert found.whole == pytest.approx(float(torch.nn.functional.cross_entropy(logits, ids[1:])), abs=1e-6)
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    causal[2:, 0] = False
    with torch.inference_mode():
        hidden = model(target=ids[None], masks=Masks(decoder=causal))[0, :-1]
    assert found.first == pytest.approx(float(torch.nn.functional.cross_entropy(hidden, ids[1:])), abs=1e-6)
    assert len(found.others) == DRAWS and not {found.whole, found.first} & {*found.others}


def test_a_short_text_is_a_sentence() -> None:
    run = Run("a", TransformerConfig("decoder", vocab_size=LETTERS.vocab_size, d_model=8, heads=2), tokenizer="")
    model = build(run.config)
    with pytest.raises(ValueError, match="at least two tokens"):
        first_token(model, LETTERS, run, "decoder")
    with pytest.raises(ValueError, match="at least four tokens"):
        hidden_losses(model, LETTERS, run)


@pytest.mark.parametrize(
    ("share", "first", "says"),
    [
        (0.46, 0.057, "Head 1 of layer 2 gives 46% of its weight to no token, so it need not rest on the first, “^”, "),
        (0.19, 0.05, None),  # less than twice an even share
        (0.46, 0.47, None),  # the first token gets more
    ],
)
def test_a_head_that_gives_its_weight_to_no_token_is_named(share: float, first: float, says: str | None) -> None:
    said = read_no_token(1, 0, share, first, 0.1, "“^”")
    assert said is None if says is None else said == f"{says}which gets 5.7%."
