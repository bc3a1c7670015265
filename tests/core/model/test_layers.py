"""Blocks against PyTorch's encoder and decoder layers; norms and the feed-forward layer against hand formulas."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from transformers import T5Config
from transformers.activations import ACT2FN
from transformers.models.t5.modeling_t5 import T5DenseGatedActDense

from core.model import masks
from core.model.config import NORM_POSITIONS, NORMS, TransformerConfig
from core.model.layers import ACTIVATION, Block, FeedForward, initialise, make_norm
from core.tracing.taps import RecordingTap
from tests.core import oracles
from tests.core.oracles import close, copy_block, fill, twin

SIZES: dict[str, Any] = {"d_model": 12, "heads": 3, "d_ff": 20}
CAUSAL = masks.causal(5, 5)
PADDING = masks.padding([5, 3], 5)


def draw(rng: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=rng)


def block(device: torch.device, cross: bool = False, **fields: Any) -> Block:
    return fill(Block(TransformerConfig(**(SIZES | fields)), cross)).to(device)


def pytorchs(make: type[nn.Module], ours: Block, device: torch.device) -> nn.Module:
    config = ours.config
    return twin(
        lambda: make(
            config.d_model,
            config.heads,
            config.d_ff,
            activation=config.activation,
            norm_first=config.norm_position == "pre",
            batch_first=True,
            dropout=0.0,
        ),
        copy_block,
        ours,
        device,
    )


@pytest.mark.parametrize("norm_position", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("mask", [None, CAUSAL], ids=["none", "causal"])
@pytest.mark.parametrize("record", [(), ("*",)], ids=["fast", "open"])
def test_an_encoder_block_equals_pytorchs(norm_position, activation, mask, record, rng, device):
    ours = block(device, norm_position=norm_position, activation=activation)
    theirs = pytorchs(nn.TransformerEncoderLayer, ours, device)
    x = draw(rng, 2, 5, 12).to(device)
    hidden = None if mask is None else ~mask.to(device)
    close(ours(x, None if mask is None else mask.to(device), tap=RecordingTap(record)), theirs(x, src_mask=hidden))


def test_an_encoder_block_with_padding_equals_pytorchs(rng, device):
    ours = block(device)
    theirs = pytorchs(nn.TransformerEncoderLayer, ours, device).train()  # its evaluation path zeroes padded rows
    x = draw(rng, 2, 5, 12).to(device)
    close(ours(x, PADDING.to(device)), theirs(x, src_key_padding_mask=~PADDING[:, 0, 0].to(device)))


@pytest.mark.parametrize("norm_position", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("record", [(), ("*",)], ids=["fast", "open"])
def test_a_decoder_block_equals_pytorchs(norm_position, activation, record, rng, device):
    ours = block(device, cross=True, norm_position=norm_position, activation=activation)
    theirs = pytorchs(nn.TransformerDecoderLayer, ours, device)
    x, memory = draw(rng, 2, 4, 12).to(device), draw(rng, 2, 5, 12).to(device)
    causal = masks.causal(4, 4).to(device)
    expected = theirs(x, memory, tgt_mask=~causal, memory_key_padding_mask=~PADDING[:, 0, 0].to(device))
    close(ours(x, causal, memory, PADDING.to(device), RecordingTap(record)), expected)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("norm_position", NORM_POSITIONS)
@pytest.mark.parametrize("residual", [True, False])
def test_the_stream_is_what_the_config_says(norm, norm_position, residual, rng, device):
    """Each variant put together again from its recorded parts."""
    ours = block(device, norm=norm, norm_position=norm_position, residual=residual)
    x, tap = draw(rng, 2, 5, 12).to(device), RecordingTap(["*"])
    ours(x, None, tap=tap)
    seen = tap.seen

    def formula(layer: nn.Module, stream: torch.Tensor) -> np.ndarray:
        parameters = [value.detach().cpu().double().numpy() for value in layer.parameters()]
        array = stream.detach().cpu().double().numpy()
        if norm == "rmsnorm":
            return oracles.rms_norm(array, parameters[0])
        return oracles.layer_norm(array, parameters[0], parameters[1])

    for before, read, out, after, layer in (
        ("resid_pre", "attn_in", "attn_out", "resid_mid", ours.norm_attn),
        ("resid_mid", "ffn_in", "ffn_out", "resid_post", ours.norm_ffn),
    ):
        close(seen[read], formula(layer, seen[before]) if norm_position == "pre" else seen[before])
        total = seen[before] + seen[out] if residual else seen[out]
        close(seen[after], formula(layer, total) if norm_position == "post" else total)


@pytest.mark.parametrize("norm_position", NORM_POSITIONS)
@pytest.mark.parametrize("residual", [True, False])
def test_without_a_feed_forward_layer_what_attention_made_stays(norm_position, residual, rng, device):
    """Without residuals a part takes the stream's place; a layer that is not there cannot, or nothing would be left."""
    ours = block(device, norm_position=norm_position, residual=residual, d_ff=0)
    tap = RecordingTap(["*"])
    out, attended = ours(draw(rng, 2, 5, 12).to(device), None, tap=tap), tap.seen["resid_mid"]
    assert attended.abs().max() > 0.1
    close(out, attended)
    assert not [name for name, _ in ours.named_parameters() if "ffn" in name]
    assert not [site for site in tap.seen if site.startswith("ffn")]


def test_layer_norm_by_hand_has_the_biased_deviation():
    norm = make_norm(TransformerConfig(d_model=4, heads=1, norm="layernorm"))
    x = torch.tensor([[1.0, 2.0, 3.0, 4.0]])
    close(norm(x), (x - 2.5) / np.sqrt(1.25 + 1e-5), 1e-6)


def test_rms_norm_by_hand_does_not_centre():
    norm = make_norm(TransformerConfig(d_model=4, heads=1, norm="rmsnorm"))
    close(norm(torch.tensor([[1.0, 1.0, 1.0, 1.0]])), np.full((1, 4), 1 / np.sqrt(1 + 1e-5)), 1e-6)


def test_norms_keep_eps_inside_the_root():
    for kind in NORMS:
        norm = make_norm(TransformerConfig(d_model=2, heads=1, norm=kind))
        small = torch.tensor([[1e-3, -1e-3]])
        close(norm(small), small / np.sqrt(1e-6 + 1e-5), 1e-6)


@pytest.mark.parametrize(
    ("activation", "name"), [("gelu_tanh", "gelu_new"), ("gelu", "gelu"), ("silu", "silu"), ("relu", "relu")]
)
def test_an_activation_is_that_of_models_made_elsewhere(activation, name, rng, device):
    x = draw(rng, 50).to(device) * 3
    close(ACTIVATION[activation](x), ACT2FN[name](x), 1e-6)


@pytest.mark.parametrize(("activation", "name"), [("geglu", "gelu"), ("geglu_tanh", "gelu_new"), ("swiglu", "silu")])
def test_a_gated_layer_is_t5s(activation, name, rng, device):
    sizes: dict[str, Any] = {"d_model": 4, "d_ff": 6, "feed_forward_proj": f"gated-{name}", "dropout_rate": 0.0}
    theirs = fill(T5DenseGatedActDense(T5Config(**sizes))).to(device)
    config = TransformerConfig(d_model=4, heads=1, d_ff=6, activation=activation, ffn_bias=False)
    ours = fill(FeedForward(config)).to(device)
    names = {"w_1": "wi_0", "w_3": "wi_1", "w_2": "wo"}
    ours.load_state_dict({f"{mine}.weight": theirs.get_submodule(names[mine]).weight for mine in names})
    x = draw(rng, 2, 3, 4).to(device)
    close(ours(x), theirs(x))


def test_swiglu_is_its_formula(rng, device):
    """(SiLU(x W₁ + b₁) ⊙ (x W₃ + b₃)) W₂ + b₂, with SiLU(a) = a / (1 + e⁻ᵃ) (Shazeer 2020, equation 6)."""
    layer = fill(FeedForward(TransformerConfig(d_model=4, heads=1, d_ff=6, activation="swiglu"))).to(device)
    x = draw(rng, 2, 3, 4)
    weights = {name: value.detach().cpu().double().numpy() for name, value in layer.named_parameters()}

    def linear(name: str, value: np.ndarray) -> np.ndarray:
        return value @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    gate = linear("w_1", x.double().numpy())
    hidden = gate / (1 + np.exp(-gate)) * linear("w_3", x.double().numpy())
    tap = RecordingTap(["ffn_hidden"])
    close(layer(x.to(device), tap), linear("w_2", hidden))
    close(tap.seen["ffn_hidden"], hidden)


def test_a_blocks_dropout_acts_in_training_mode_only(rng, device):
    dropping, plain = block(device, dropout=0.5), block(device)
    x = draw(rng, 1, 5, 12).to(device)
    assert torch.equal(dropping(x, None), plain(x, None))
    dropping.train()
    dropping.attn.eval()
    assert not torch.equal(dropping(x, None), plain(x, None))
    torch.testing.assert_close(plain.train()(x, None), plain.eval()(x, None))


def test_weights_start_as_the_papers_say():
    layer = nn.Linear(300, 200)
    initialise(layer, seed=1)
    bound = (6 / 500) ** 0.5
    assert layer.weight.abs().max() <= bound and layer.weight.std().item() == pytest.approx(bound / 3**0.5, rel=0.02)
    assert (layer.bias == 0).all()
    table = nn.Embedding(1000, 64)
    for name in ("embed", "inner"):  # by what the module is, whatever it is called
        initialise(nn.ModuleDict({name: fill(table)}), seed=1)
        assert table.weight.std().item() == pytest.approx(1 / 8, rel=0.02)
    initialise(fill(table), seed=1, embedding_init="xavier")
    assert table.weight.abs().max() <= (6 / 1064) ** 0.5
    assert table.weight.std().item() == pytest.approx((2 / 1064) ** 0.5, rel=0.02)
    gate = nn.Linear(300, 200)
    initialise(nn.ModuleDict({"embed": gate}), seed=1)
    assert gate.weight.std().item() == pytest.approx(bound / 3**0.5, rel=0.02)
    norm = nn.LayerNorm(5)
    initialise(fill(norm), seed=1)
    assert (norm.weight == 1).all() and (norm.bias == 0).all()
