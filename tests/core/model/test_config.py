"""A config either describes a model that can be built, or says in a sentence why not."""

import pytest
from hypothesis import given, settings

from core.model.config import TransformerConfig
from tests.core.strategies import configs

MISTAKES = [
    ({"d_model": 65}, "d_model 65 is not divisible by 4 heads: take d_model 64 or 68, or set d_k and d_v yourself"),
    ({"d_model": 3}, "d_model 3 is not divisible by 4 heads: take d_model 4, or set d_k and d_v yourself"),
    ({"d_model": 65, "d_k": 8}, "d_model 65 is not divisible by 4 heads"),
    ({"heads": 0}, "heads must be at least 1, not 0"),
    ({"layers": -1}, "layers must be at least 1, not -1"),
    ({"d_k": 0}, "d_k must be at least 1, not 0"),
    ({"dropout": 1.0}, "dropout must be at least 0 and below 1, not 1.0"),
    ({"dropout": float("nan")}, "dropout must be at least 0 and below 1, not nan"),
    ({"architecture": "lstm"}, "architecture 'lstm' is not one of encoder, decoder, encoder-decoder"),
    ({"activation": "tanh"}, "activation 'tanh' is not one of relu, gelu, swiglu"),
    ({"score": "cosine"}, "score 'cosine' is not one of dot, scaled_dot, general, additive"),
    ({"positions": "rotary", "d_k": 5}, "d_k must be even, not 5"),
    ({"position_base": 1.0}, "position_base must be above 1 and finite, not 1.0"),
    ({"position_base": float("nan")}, "position_base must be above 1 and finite, not nan"),
    (
        {"positions": "binary", "d_model": 8, "max_length": 512},
        "binary positions up to 512 need 9 bits, but d_model is only 8",
    ),
]


@pytest.mark.parametrize(("fields", "sentence"), MISTAKES, ids=lambda value: str(value)[:40])
def test_a_mistake_is_a_sentence_with_the_numbers_in_it(fields, sentence):
    with pytest.raises(ValueError) as caught:
        TransformerConfig(**fields)
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
