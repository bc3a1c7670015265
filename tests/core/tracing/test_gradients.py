"""Gradients at the sites of a pass: those of autograd on a pass written out, and small changes made by edits."""

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from core.model.config import ARCHITECTURES, POSITIONS
from core.model.fast.optimize import optimize
from core.model.masks import causal
from core.model.transformer import Transformer, build
from core.tracing.edits import Edit
from core.tracing.gradients import gradients
from core.tracing.sites import keys_of
from core.tracing.trace import trace
from tests.core.oracles import close
from tests.core.tracing.test_trace import CONFIG, SOURCE, TARGET

DECODER = replace(CONFIG, architecture="decoder")
STEP = 1e-5


def of(logits: Tensor) -> Tensor:
    return logits[0, -1, 3] - logits[0, -1, 5]


def inputs_of(architecture: str) -> tuple[Tensor | None, Tensor | None]:
    return {"encoder": (SOURCE, None), "decoder": (None, TARGET)}.get(architecture, (SOURCE, TARGET))


def frozen(model: Transformer) -> Transformer:
    return model.double().requires_grad_(False).eval()


@pytest.mark.parametrize("way", [frozen, lambda model: optimize(frozen(model))])
def test_they_are_autograds_of_the_blocks_called_by_hand(way: Callable[[Transformer], Transformer]) -> None:
    model = way(build(DECODER))
    found = gradients(model, None, TARGET, of=of, at=["resid_pre"])
    mask = causal(3, 3)
    for layer in range(2):
        x = trace(model, None, TARGET, record=["resid_pre"])[f"decoder.{layer}.resid_pre"].clone().requires_grad_()
        number = of(model.logits(model.run_blocks("decoder", x, mask, first=layer)))
        close(found[f"decoder.{layer}.resid_pre"], torch.autograd.grad(number, x)[0])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", POSITIONS)
def test_a_small_change_of_a_site_changes_the_result_as_they_say(architecture: str, positions: str) -> None:
    smooth = replace(CONFIG, architecture=architecture, positions=positions, activation="gelu")
    model = frozen(build(smooth))
    inputs = inputs_of(architecture)
    stack = model.config.stacks[-1]
    draw = torch.Generator().manual_seed(0)
    for site in ("q", "k", "v", "scores", "pattern", "z", "resid_mid", "ffn_hidden", "resid_post"):
        key = f"{stack}.0.{site}"
        slope = gradients(model, *inputs, of=of, at=[key])[key]
        way = torch.randn(slope.shape, generator=draw, dtype=torch.float64)
        there, back = (
            of(trace(model, *inputs, record=(), edits=[Edit(key, "add", sign * STEP * way)]).output) for sign in (1, -1)
        )
        close((there - back) / (2 * STEP), (slope * way).sum(), tolerance=1e-5)


def test_sites_without_effect_have_none_and_all_can_be_asked_for_at_once() -> None:
    model = frozen(build(CONFIG))
    found = gradients(model, SOURCE, TARGET, of=of, at=["*"])
    assert found.keys() == {key for key, _ in keys_of(CONFIG)}
    assert all(found[key].shape == seen.shape for key, seen in trace(model, SOURCE, TARGET).items())
    alone = gradients(model, SOURCE, TARGET, of=lambda logits: torch.ones(()), at=["resid_post"])
    assert len(alone) == 4 and not any(each.any() for each in alone.values())


def test_an_edit_acts_before_the_gradient_is_taken() -> None:
    model, silent = frozen(build(DECODER)), Edit("decoder.0.attn_out", "zero")
    found = gradients(model, None, TARGET, of=of, at=["z", "decoder.0.attn_out"], edits=[silent])
    assert not found["decoder.0.z"].any() and found["decoder.1.z"].any() and found["decoder.0.attn_out"].any()


def test_what_cannot_be_asked_for_is_refused() -> None:
    model = frozen(build(DECODER))
    with pytest.raises(ValueError, match=r"this model has no decoder\.7\.z"):
        gradients(model, None, TARGET, of=of, at=["decoder.7.z"])
    with pytest.raises(ValueError, match=r"not a tensor of shape \(1, 3, 11\)"):
        gradients(model, None, TARGET, of=lambda logits: logits, at=["z"])
