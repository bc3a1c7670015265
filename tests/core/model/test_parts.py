"""The parts of models made elsewhere, each against the module of `transformers` whose part it is."""

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from transformers import GPTNeoXConfig, LlamaConfig, MistralConfig, Qwen3Config
from transformers.masking_utils import create_sliding_window_causal_mask
from transformers.models.gpt_neox.modeling_gpt_neox import GPTNeoXLayer, GPTNeoXRotaryEmbedding
from transformers.models.llama.modeling_llama import LlamaAttention, LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention

from core.model import masks, positions
from core.model.attention import MultiHeadAttention
from core.model.attention_positions import RotaryAngles, make_rotary
from core.model.config import TransformerConfig
from core.model.layers import Block
from core.model.rotary_scaling import RotaryScaling
from tests.core.oracles import close, fill


def draw(*shape: int, seed: int = 3) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def copy(theirs: nn.Module, ours: dict[str, Any]) -> None:
    """The weights and biases of our modules into theirs of these names."""
    with torch.no_grad():
        for name, mine in ours.items():
            other = theirs.get_submodule(name)
            for each, value in mine.named_parameters():
                other.get_parameter(each).copy_(value)


def sized(kind: Any, **fields: Any) -> Any:
    """A config of `transformers`, whose constructors do not say all that they take."""
    return kind(**fields)


def causal_bias(length: int) -> Tensor:
    return torch.zeros(1, 1, length, length).masked_fill(~masks.causal(length, length), float("-inf"))


# Llama, Mistral, Qwen

SCALINGS: dict[str | None, tuple[RotaryScaling | None, dict[str, Any]]] = {
    None: (None, {"rope_type": "default"}),
    "linear": (RotaryScaling("linear", 4.0), {"rope_type": "linear", "factor": 4.0}),
    "llama3": (
        RotaryScaling("llama3", 8.0, 1.0, 4.0, 32),
        {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 32,
        },
    ),
}


@pytest.mark.parametrize("kind", SCALINGS, ids=str)
def test_turning_is_llamas(kind):
    """All angles of 60 positions, in pairs of halves."""
    scaling, said = SCALINGS[kind]
    config = TransformerConfig(
        "decoder", d_model=16, heads=1, positions="rotary", position_base=50.0, rotary_pairs="halves"
    )
    config = TransformerConfig(**(vars(config) | {"rotary_scaling": scaling}))
    llama = sized(LlamaConfig, hidden_size=16, num_attention_heads=1, rope_parameters={**said, "rope_theta": 50.0})
    x = draw(1, 1, 60, 16)
    turns = RotaryAngles(config)(0, 60, x).turns
    assert turns is not None
    cos, sin = LlamaRotaryEmbedding(llama)(x, torch.arange(60)[None])
    close(make_rotary(config)(x, *turns), apply_rotary_pos_emb(x, x, cos, sin)[0], 2e-5)


def test_ntk_scaling_slows_the_slowest_wave_by_its_factor_and_leaves_the_fastest():
    plain, scaled = (positions.rotary_periods(8, 100.0, each) for each in (None, RotaryScaling("ntk", 3.0)))
    ratio = scaled / plain
    assert float(ratio[0]) == 1 and float(ratio[-1]) == pytest.approx(3.0)
    assert (ratio.diff() > 0).all()


def test_halves_and_adjacent_pairs_are_the_same_turn_of_other_numbers():
    x, order = draw(2, 3, 7, 8), [0, 4, 1, 5, 2, 6, 3, 7]
    cos, sin = (part.float() for part in positions.rotary_cos_sin(7, 8))
    close(positions.apply_rotary_halves(x, cos, sin)[..., order], positions.apply_rotary(x[..., order], cos, sin))


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([(4, 1), (4, 2), (4, 4), (6, 3)]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["llama", "qwen3"]),
    st.integers(0, 6),
)
def test_an_attention_of_shared_keys_is_that_of_llama_and_qwen(shared, qkv_bias, fast, family, window):
    """Grouped queries, rotary positions in halves, biases or none, normalised heads, a window."""
    heads, groups = shared
    sizes = {"hidden_size": 12, "num_attention_heads": heads, "num_key_value_heads": groups, "head_dim": 4}
    make = {"llama": (LlamaConfig, LlamaAttention), "qwen3": (Qwen3Config, Qwen3Attention)}[family]
    said = sized(make[0], **sizes, attention_bias=qkv_bias, rms_norm_eps=1e-3, attn_implementation="eager")
    theirs = fill(make[1](said, layer_idx=0))
    config = TransformerConfig(
        "decoder",
        d_model=12,
        heads=heads,
        d_k=4,
        d_v=4,
        kv_heads=groups,
        positions="rotary",
        rotary_pairs="halves",
        qkv_bias=qkv_bias,
        out_bias=qkv_bias,
        qk_norm=family == "qwen3",
        norm_eps=1e-3,
    )
    ours = MultiHeadAttention(config, window=window).eval()
    with torch.no_grad():
        for mine, other in (("w_q", "q_proj"), ("w_k", "k_proj"), ("w_v", "v_proj"), ("w_o", "o_proj")):
            ours.get_submodule(mine).load_state_dict(theirs.get_submodule(other).state_dict())
        if ours.q_norm is not None and ours.k_norm is not None:
            ours.q_norm.load_state_dict(theirs.q_norm.state_dict())
            ours.k_norm.load_state_dict(theirs.k_norm.state_dict())
    x, where = draw(2, 5, 12), torch.arange(5)[None]
    shown = masks.causal(5, 5) & (torch.arange(5)[:, None] - torch.arange(5) < (window or 5))
    bias = torch.zeros(1, 1, 5, 5).masked_fill(~shown, float("-inf"))
    expected = theirs(x, LlamaRotaryEmbedding(sized(LlamaConfig, **sizes))(x, where), bias)[0]
    ours.train(not fast)  # in training on a CPU the steps are taken in the open
    close(ours(x, x, masks.causal(5, 5)), expected)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 12))
@settings(max_examples=40, deadline=None)
def test_a_window_is_mistrals(new, length, width):
    """Which keys the last `new` of some tokens see."""
    new = min(new, length)
    said = sized(MistralConfig, sliding_window=width, attn_implementation="eager")
    theirs: Any = create_sliding_window_causal_mask(
        said,
        inputs_embeds=torch.zeros(1, length, 4),
        attention_mask=None,
        past_key_values=None,
        position_ids=torch.arange(length)[None],
    )
    seen = torch.ones(length, length) == 1 if theirs is None else theirs[0, 0] == 0
    ours = masks.windowed(masks.causal(new, length), new, length, width)
    assert ours is not None and torch.equal(ours, seen[length - new :])


def test_a_window_that_holds_every_key_makes_no_mask():
    assert masks.windowed(None, 1, 4, 4) is None and masks.windowed(None, 3, 9, 0) is None
    given_one = masks.causal(3, 3)
    assert masks.windowed(given_one, 3, 3, 3) is given_one


# GPT-NeoX


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_block_is_that_of_gpt_neox(parallel, share):
    """Attention and feed-forward layer side by side; a part of each head turned."""
    said = sized(
        GPTNeoXConfig,
        hidden_size=16,
        num_attention_heads=2,
        intermediate_size=20,
        use_parallel_residual=parallel,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": share},
        hidden_act="gelu",
        layer_norm_eps=1e-5,
        attn_implementation="eager",
    )
    theirs = fill(GPTNeoXLayer(said, 0))
    config = TransformerConfig(
        "decoder",
        d_model=16,
        heads=2,
        d_ff=20,
        activation="gelu",
        norm_position="pre",
        positions="rotary",
        rotary_pairs="halves",
        rotary_width=int(8 * share),
        parallel_residual=parallel,
    )
    ours = Block(config).eval()
    with torch.no_grad():
        joined = theirs.attention.query_key_value
        weight, bias = joined.weight.view(2, 3, 8, 16), joined.bias.view(2, 3, 8)
        for number, name in enumerate(("w_q", "w_k", "w_v")):
            mine = ours.attn.get_submodule(name)
            mine.load_state_dict({"weight": weight[:, number].flatten(0, 1), "bias": bias[:, number].flatten()})
        ours.attn.w_o.load_state_dict(theirs.attention.dense.state_dict())
        assert ours.ffn is not None
        ours.ffn.w_1.load_state_dict(theirs.mlp.dense_h_to_4h.state_dict())
        ours.ffn.w_2.load_state_dict(theirs.mlp.dense_4h_to_h.state_dict())
        ours.norm_attn.load_state_dict(theirs.input_layernorm.state_dict())
        ours.norm_ffn.load_state_dict(theirs.post_attention_layernorm.state_dict())
    x = draw(2, 5, 16)
    turns = GPTNeoXRotaryEmbedding(said)(x, torch.arange(5)[None])
    out = theirs(x, attention_mask=causal_bias(5), position_embeddings=turns)
    close(ours(x, masks.causal(5, 5)), out[0] if isinstance(out, tuple) else out)
