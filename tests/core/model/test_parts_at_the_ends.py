"""What stands before and behind the blocks of models made elsewhere, and T5's bias: against `transformers`."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import BertConfig, MarianConfig, T5Config
from transformers.models.bert.modeling_bert import BertEmbeddings, BertLMPredictionHead
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.t5.modeling_t5 import T5Attention

from core.model import positions
from core.model.attention_positions import RelativeBias, relative_bucket
from core.model.config import TransformerConfig
from core.model.layers import Block
from core.model.transformer import Transformer
from tests.core.model.test_parts import copy, draw, sized
from tests.core.oracles import close, fill

# BERT


def test_the_embeddings_of_bert_are_summed_and_normalised():
    sizes = {"vocab_size": 11, "hidden_size": 12, "max_position_embeddings": 8, "type_vocab_size": 2}
    theirs = BertEmbeddings(sized(BertConfig, **sizes, layer_norm_eps=1e-3, hidden_dropout_prob=0.0))
    config = TransformerConfig(
        vocab_size=11,
        d_model=12,
        heads=3,
        layers=1,
        positions="learned",
        max_length=8,
        scale_embeddings=False,
        token_types=2,
        embedding_norm=True,
        norm_eps=1e-3,
    )
    ours = fill(Transformer(config))
    assert ours.types is not None
    copy(theirs, {"word_embeddings": ours.embed, "position_embeddings": ours.positions})
    copy(theirs, {"token_type_embeddings": ours.types, "LayerNorm": ours.embed_norm})
    ids = torch.tensor([[1, 4, 10, 2]])
    close(ours.embed_ids(ids), theirs(ids))


@pytest.mark.parametrize("tied", [True, False])
def test_the_head_for_masked_words_is_berts(tied):
    theirs = BertLMPredictionHead(
        sized(BertConfig, vocab_size=11, hidden_size=12, hidden_act="gelu", layer_norm_eps=1e-3)
    )
    config = TransformerConfig(
        vocab_size=11,
        d_model=12,
        heads=3,
        layers=1,
        activation="gelu",
        norm_eps=1e-3,
        tied=tied,
        masked_head=True,
        output_bias=True,
    )
    ours = fill(Transformer(config))
    copy(theirs, {"transform.dense": ours.masked_head.dense, "transform.LayerNorm": ours.masked_head.norm})
    copy(theirs, {"decoder": ours.embed if tied else ours.unembed})
    assert ours.output_bias is not None
    theirs.decoder.bias.data.copy_(ours.output_bias.data)
    x = draw(2, 3, 12)
    close(ours.logits(x), theirs(x))


# Marian


@given(st.integers(1, 20), st.integers(1, 9))
@settings(max_examples=20, deadline=None)
def test_positions_in_halves_are_marians(length, half):
    table = MarianSinusoidalPositionalEmbedding(length, 2 * half)
    close(positions.sinusoidal(length, 2 * half, order="halves"), table.create_weight())


def test_marians_logits_have_a_bias():
    said = sized(MarianConfig, vocab_size=11, d_model=12)
    config = TransformerConfig("encoder-decoder", 11, 12, 3, 1, output_bias=True)
    ours, x = fill(Transformer(config)), draw(1, 2, 12)
    assert ours.output_bias is not None and ours.output_bias.shape == (said.vocab_size,)
    close(ours.logits(x), x @ ours.embed.weight.T + ours.output_bias)


def test_an_encoder_and_a_decoder_have_their_own_depths():
    model = Transformer(TransformerConfig("encoder-decoder", 11, 12, 3, layers=3, decoder_layers=1))
    blocks = [name for name, part in model.named_modules() if isinstance(part, Block)]
    assert blocks == ["encoder.0", "encoder.1", "encoder.2", "decoder.0"]


# T5


@given(st.integers(2, 20), st.integers(1, 40), st.booleans())
@settings(max_examples=30, deadline=None)
def test_buckets_of_distances_are_t5s(half, more, two_sided):
    buckets = 2 * half
    most, steps = half + more, torch.arange(-300, 300)
    theirs = T5Attention._relative_position_bucket(steps, two_sided, buckets, most)
    assert torch.equal(relative_bucket(steps, buckets, most, two_sided), theirs)


@pytest.mark.parametrize("two_sided", [True, False])
def test_the_bias_on_scores_is_t5s(two_sided):
    said = sized(
        T5Config,
        d_model=12,
        num_heads=3,
        relative_attention_num_buckets=8,
        relative_attention_max_distance=20,
        is_decoder=not two_sided,
    )
    theirs = T5Attention(said, has_relative_attention_bias=True, layer_idx=0)
    config = TransformerConfig(
        "encoder", d_model=12, heads=3, positions="relative", relative_buckets=8, relative_distance=20
    )
    ours = fill(RelativeBias(config, two_sided))
    copy(theirs, {"relative_attention_bias": ours.table})
    whole = theirs.compute_bias(30, 30)[0]
    close(ours(0, 30, whole).bias, whole)
    close(ours(26, 4, whole).bias, whole[:, 26:])
    assert whole.unique().numel() > 20


def test_tied_logits_are_scaled_down():
    config = TransformerConfig("encoder-decoder", 11, 12, 3, 1, logit_scale=12**-0.5)
    ours, x = fill(Transformer(config)), draw(1, 2, 12)
    close(ours.logits(x), x @ ours.embed.weight.T / 12**0.5)
