"""Each variant against a forward pass that is written out by hand: the same weights, one part of the block changed."""

from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from core.limits import FILE_LAYERS
from core.model.config import TransformerConfig
from core.model.masks import causal
from core.model.transformer import Masks, Transformer, build
from core.topics.block.passes import changed_pass, keep_pass
from core.topics.block.variants import VARIANTS, changed_model, changed_site, variants_of
from core.tracing.trace import trace

WIDTH, HEADS = 12, 2
IDS, SOURCE = torch.tensor([[3, 7, 1, 7, 9]]), torch.tensor([[5, 2, 8, 4]])


def small(architecture: str = "decoder", **changes: Any) -> Transformer:
    config = TransformerConfig(
        architecture, vocab_size=11, d_model=WIDTH, heads=HEADS, layers=3, norm_position="pre", positions="none"
    )
    model = build(replace(config, **changes))
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for parameter in model.parameters():  # gains and biases too, that none is left at 1 or 0
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    return model.requires_grad_(False)


def attended(w: dict[str, Tensor], name: str, asks: Tensor, memory: Tensor, seen: Tensor | None) -> Tensor:
    """Multi-head attention, head by head."""
    q, k, v = (
        rows @ w[f"{name}.w_{letter}.weight"].T + w[f"{name}.w_{letter}.bias"]
        for letter, rows in (("q", asks), ("k", memory), ("v", memory))
    )
    size, mixed = WIDTH // HEADS, []
    for head in range(HEADS):
        part = slice(head * size, (head + 1) * size)
        scores = q[:, part] @ k[:, part].T / size**0.5
        weights = (scores if seen is None else scores.masked_fill(~seen, -torch.inf)).softmax(-1)
        mixed.append(weights @ v[:, part])
    return torch.cat(mixed, -1) @ w[f"{name}.w_o.weight"].T + w[f"{name}.w_o.bias"]


def by_hand(model: Transformer, variant: str, stack: str, edited: str) -> Tensor:
    """(L, D) the output of a stack, with the change that `variant` names; a layer is one of the stack `edited`."""
    w, config = model.state_dict(), model.config
    order, kept = config.norm_position, config.residual
    order = {"no norms": "none", "post-norm": "post", "pre-norm": "pre"}.get(variant, order)
    kept = kept and variant != "no residuals"
    crosses = stack == "decoder" and config.architecture == "encoder-decoder"
    memory = by_hand(model, variant, "encoder", edited) if crosses else None
    ids = SOURCE if stack == "encoder" and config.has_two_stacks else IDS
    x = w["embed.weight"][ids[0]] * WIDTH**0.5
    seen = causal(len(x), len(x)) if stack == "decoder" else None

    def norm(rows: Tensor, name: str) -> Tensor:
        away = rows - rows.mean(-1, keepdim=True)
        return away / (rows.var(-1, correction=0, keepdim=True) + 1e-5).sqrt() * w[f"{name}.weight"] + w[f"{name}.bias"]

    for layer in range(config.layers):
        name = f"{stack}.{layer}"
        here = f" {layer + 1}" if stack == edited else " nowhere"
        if variant == f"no layer{here}":
            continue
        for part in ("attention", *(["cross-attention"] if crosses else []), "feed-forward"):
            at = {"attention": "attn", "cross-attention": "cross", "feed-forward": "ffn"}[part]
            read = norm(x, f"{name}.norm_{at}") if order == "pre" else x
            if variant in (f"no {part}", f"no {part}{here}"):
                made = torch.zeros_like(x)
            elif part == "feed-forward":
                hidden = F.relu(read @ w[f"{name}.ffn.w_1.weight"].T + w[f"{name}.ffn.w_1.bias"])
                made = hidden @ w[f"{name}.ffn.w_2.weight"].T + w[f"{name}.ffn.w_2.bias"]
            elif part == "attention":
                made = attended(w, f"{name}.attn", read, read, seen)
            else:
                assert memory is not None
                made = attended(w, f"{name}.cross", read, memory, None)
            x = x + made if kept else made
            x = norm(x, f"{name}.norm_{at}") if order == "post" else x
    return norm(x, f"{stack}_norm") if config.ends_with_norm else x


def run_variant(model: Transformer, variant: str, edited: str) -> Tensor:
    other, edits = changed_model(model, edited, variant)
    several = model.config.has_two_stacks
    inputs = (SOURCE, IDS) if several else (None, IDS) if model.config.stacks == ("decoder",) else (IDS, None)
    last = f"{model.config.stacks[-1]}.final"
    return trace(other, *inputs, record=[last], edits=edits)[last][0]


@pytest.mark.parametrize("norm_position", ["pre", "post", "none"])
@pytest.mark.parametrize("architecture", ["encoder", "decoder", "encoder-decoder"])
def test_each_variant_is_what_its_name_says(architecture: str, norm_position: str) -> None:
    model = small(architecture, norm_position=norm_position)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    for stack in model.config.stacks:
        for variant in variants_of(model.config, stack, 1):
            found, expected = (
                run_variant(model, variant, stack),
                by_hand(model, variant, model.config.stacks[-1], stack),
            )
            assert (found - expected).norm() < 1e-4 * expected.norm(), variant
            whole = by_hand(model, "", model.config.stacks[-1], stack)
            assert (found - whole).norm() > 0.01 * whole.norm(), variant
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_a_variant_shares_the_weights_and_leaves_the_model_as_it_was() -> None:
    model = small()
    for variant in ("no residuals", "no norms", "post-norm"):
        other, _ = changed_model(model, "decoder", variant)
        assert other.embed.weight.data_ptr() == model.embed.weight.data_ptr()
        assert not any(parameter.requires_grad for parameter in other.parameters())
    assert model.config.residual and model.config.norm_position == "pre"


def test_only_what_there_is_can_be_taken_away() -> None:
    bare = small("encoder", norm_position="none", residual=False, layers=1).config
    assert variants_of(bare, "encoder", 0) == ("no attention", "no feed-forward", "no layer 1")
    both = small("encoder-decoder").config
    assert "no cross-attention 2" in variants_of(both, "decoder", 1)
    assert "no cross-attention 2" not in variants_of(both, "encoder", 1)
    deepest = replace(both, layers=FILE_LAYERS)
    for stack in deepest.stacks:
        assert set(variants_of(deepest, stack, FILE_LAYERS - 1)) <= set(VARIANTS)


@pytest.mark.parametrize("norm_position", ["pre", "post"])
@pytest.mark.parametrize(
    ("architecture", "stack"),
    [("decoder", "decoder"), ("encoder", "encoder"), ("encoder-decoder", "encoder"), ("encoder-decoder", "decoder")],
)
def test_a_pass_that_begins_in_the_middle_ends_as_the_whole_one(
    architecture: str, stack: str, norm_position: str
) -> None:
    model = small(architecture, norm_position=norm_position)
    source = SOURCE if architecture == "encoder-decoder" else IDS if architecture == "encoder" else None
    target = IDS if "decoder" in architecture else None
    masks = Masks(None, causal(5, 5), None)
    kept = keep_pass(model, source, target, masks, stack)
    for name in variants_of(model.config, stack, 1):
        found = changed_pass(model, kept, name)
        other, edits = changed_model(model, stack, name)
        whole = keep_pass(other, source, target, masks, stack, edits)
        assert len(found.streams) == 4 and torch.allclose(found.output, whole.output, atol=1e-5), name
        assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(found.streams, whole.streams, strict=True)), name
        assert changed_site(name) is None or not torch.allclose(found.output, kept.output, atol=1e-2)


def test_a_model_without_a_feed_forward_layer_has_none_to_take_away() -> None:
    names = variants_of(replace(small().config, d_ff=0), "decoder", 0)
    assert "no attention" in names and not any("feed-forward" in name for name in names)
