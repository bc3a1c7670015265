"""A config either describes a model that can be built, or says in a sentence why not."""

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings

from core.model.config import TransformerConfig, config_from_json
from core.model.rotary_scaling import RotaryScaling
from tests.core.strategies import configs

MISTAKES = [
    ({"d_model": 65}, "d_model 65 is not divisible by 4 heads: take d_model 64 or 68, or set d_k and d_v yourself"),
    ({"d_model": 3}, "d_model 3 is not divisible by 4 heads: take d_model 4, or set d_k and d_v yourself"),
    ({"d_model": 65, "d_k": 8}, "d_model 65 is not divisible by 4 heads"),
    ({"heads": 0}, "heads must be at least 1, not 0"),
    ({"layers": -1}, "layers must be at least 1, not -1"),
    ({"max_length": 64.0}, "max_length must be a whole number, not 64.0"),
    ({"rotary_width": "8"}, "rotary_width must be a whole number, not '8'"),
    ({"d_k": 0}, "d_k must be at least 1, not 0"),
    ({"dropout": 1.0}, "dropout must be at least 0 and below 1, not 1.0"),
    ({"dropout": float("nan")}, "dropout must be at least 0 and below 1, not nan"),
    ({"architecture": "lstm"}, "architecture 'lstm' is not one of encoder, decoder, encoder-decoder"),
    ({"activation": "tanh"}, "activation 'tanh' is not one of relu, gelu, gelu_tanh, silu, swiglu, geglu, geglu_tanh"),
    ({"score": "cosine"}, "score 'cosine' is not one of dot, scaled_dot, general, additive"),
    ({"positions": "rotary", "d_k": 5}, "d_k must be even, not 5"),
    ({"position_base": 1.0}, "position_base must be above 1 and finite, not 1.0"),
    ({"position_base": float("nan")}, "position_base must be above 1 and finite, not nan"),
    (
        {"positions": "binary", "d_model": 8, "max_length": 512},
        "binary positions up to 512 need 9 bits, but d_model is only 8",
    ),
    ({"kv_heads": 3}, "4 heads cannot share 3 heads of keys and values evenly"),
    ({"kv_heads": 0}, "kv_heads must be at least 1, not 0"),
    ({"decoder_layers": 2}, "decoder_layers (2) are for an encoder-decoder; this encoder has layers (3)"),
    ({"token_types": -1}, "token_types must be at least 0, not -1"),
    ({"norm_eps": 0.0}, "norm_eps must be above 0 and finite, not 0.0"),
    ({"logit_scale": float("inf")}, "logit_scale must be above 0 and finite, not inf"),
    ({"sinusoids": "thirds"}, "sinusoids 'thirds' is not one of interleaved, halves"),
    ({"rotary_pairs": "thirds"}, "rotary_pairs 'thirds' is not one of adjacent, halves"),
    ({"rotary_width": 18}, "rotary_width must be 1 to 16, a head's d_k, not 18"),
    ({"positions": "rotary", "rotary_width": 5}, "rotary_width must be even, not 5"),
    (
        {"positions": "rotary", "d_k": 2, "rotary_scaling": RotaryScaling("ntk", 2.0)},
        "NTK scaling needs at least 4 numbers that turn, not 2",
    ),
    ({"relative_buckets": 7}, "relative_buckets must be an even number from 4 on, not 7"),
    ({"relative_distance": 16}, "relative_distance must be above half of 32 relative_buckets, not 16"),
    ({"windows": (4, 4, 4)}, "windows are for the blocks of a decoder, not of an encoder"),
    ({"architecture": "decoder", "windows": (4, 0)}, "2 windows do not fit 3 blocks of the decoder"),
    ({"architecture": "decoder", "windows": (4, 0, -2)}, "a window is 0 (all tokens) or more, not -2"),
    ({"parallel_residual": True}, "parallel_residual adds to the residual stream"),
    (
        {"parallel_residual": True, "norm_position": "pre", "architecture": "encoder-decoder"},
        "cross-attention has no place in it",
    ),
    ({"masked_head": True, "architecture": "decoder"}, "masked_head is for an encoder, not for architecture 'decoder'"),
    ({"output_bias": True, "tied": False}, "output_bias needs logits"),
]
SCALINGS = [
    (("cubic", 2.0), "rotary scaling 'cubic' is not one of linear, ntk, llama3"),
    (("linear", 0.5), "the factor of rotary scaling must be at least 1 and finite, not 0.5"),
    (("llama3", 8.0, 4.0, 4.0), "must be above 0 and below high_frequency_factor: 4.0 and 4.0"),
    (("llama3", 8.0, 1.0, 4.0, 0), "original_length must be at least 1, not 0"),
]


@pytest.mark.parametrize(("fields", "sentence"), MISTAKES, ids=lambda value: str(value)[:40])
def test_a_mistake_is_a_sentence_with_the_numbers_in_it(fields, sentence):
    with pytest.raises(ValueError) as caught:
        TransformerConfig(**fields)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("numbers", "sentence"), SCALINGS, ids=lambda value: str(value)[:40])
def test_a_scaling_of_angles_that_cannot_be_is_refused_too(numbers, sentence):
    with pytest.raises(ValueError) as caught:
        RotaryScaling(*numbers)
    assert sentence in str(caught.value)


def test_the_limits_themselves_are_allowed():
    TransformerConfig(d_model=65, d_k=8, d_v=8)
    TransformerConfig(positions="binary", d_model=12, max_length=4096)
    TransformerConfig(positions="rotary", d_k=6, d_v=5)


def test_widths_default_to_shares_of_d_model():
    config = TransformerConfig(d_model=64, heads=4)
    assert (config.key_width, config.value_width, config.hidden_width) == (16, 16, 256)
    config = TransformerConfig(d_model=64, heads=4, d_k=3, d_v=5, d_ff=7)
    assert (config.key_width, config.value_width, config.hidden_width) == (3, 5, 7)


@pytest.mark.parametrize(
    ("norm_position", "final_norm", "ends"),
    [("pre", None, True), ("post", None, False), ("none", None, False), ("post", True, True), ("pre", False, False)],
)
def test_a_last_norm_comes_with_pre_norm_unless_said_otherwise(norm_position, final_norm, ends):
    assert TransformerConfig(norm_position=norm_position, final_norm=final_norm).ends_with_norm is ends


@given(configs())
@settings(max_examples=30)
def test_a_config_is_a_cache_key(config):
    twin = TransformerConfig(**vars(config))
    assert twin == config and hash(twin) == hash(config)


@given(configs())
@settings(max_examples=30)
def test_a_config_goes_through_json_and_comes_back(config):
    windows = (3, 0)[: config.layers] if config.architecture == "decoder" else ()
    config = replace(config, windows=windows, rotary_scaling=RotaryScaling("linear", 2.0))
    assert config_from_json(json.loads(json.dumps(asdict(config)))) == config


def test_each_head_of_queries_reads_the_keys_of_its_group():
    config = TransformerConfig(heads=6, d_model=12, kv_heads=2)
    assert [config.kv_head_of(head) for head in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [TransformerConfig().kv_head_of(head) for head in range(4)] == [0, 1, 2, 3]


def test_a_decoder_may_have_a_depth_of_its_own():
    config = TransformerConfig("encoder-decoder", layers=6, decoder_layers=1)
    assert (config.depth("encoder"), config.depth("decoder")) == (6, 1)
    assert TransformerConfig("decoder", layers=2).depth("decoder") == 2
