"""The published models of Architecture, against the folders that transformers describes with its own defaults."""

from typing import Any

import pytest
import torch

from core.analysis.model_sizes import config_sizes
from core.checkpoints.real.families import FAMILIES_READ
from core.checkpoints.real.options import Options
from core.model.transformer import Transformer
from core.topics.architecture.analysis.known_models import KNOWN_MODELS
from core.topics.architecture.analysis.parts import sized_parts
from tests.core.checkpoints.real.drawn import transformers

# By their makers' own config.json; what is not said here is the default that transformers writes.
DESCRIBED: dict[str, Any] = {
    "GPT-2 small": transformers.GPT2Config(),
    "GPT-2 XL": transformers.GPT2Config(n_embd=1600, n_layer=48, n_head=25),
    "BERT base": transformers.BertConfig(),
    "Llama 3 8B": transformers.LlamaConfig(
        vocab_size=128_256,
        intermediate_size=14_336,
        num_key_value_heads=8,
        max_position_embeddings=8192,
        rope_parameters={"rope_type": "default", "rope_theta": 500_000.0},
        rms_norm_eps=1e-5,
    ),
    "Mistral 7B": transformers.MistralConfig(max_position_embeddings=32_768),
}


def parameters(config: Any, **more: Any) -> int:
    parts = sized_parts(config_sizes(config), 1, 1)
    with torch.device("meta"):
        built = sum(each.numel() for each in Transformer(config).parameters())
    assert sum(part.parameters for part in parts) == built
    return built


@pytest.mark.parametrize("title", DESCRIBED)
def test_a_preset_has_the_sizes_that_its_folder_would_have(title: str) -> None:
    described, known = DESCRIBED[title], KNOWN_MODELS[title]
    options = Options(described.to_dict())
    config = FAMILIES_READ[described.model_type].config(options, frozenset())
    with torch.device("meta"):
        theirs = transformers.AutoModel.from_config(described)
    body = sum(each.numel() for each in theirs.parameters())
    unembedding = 0 if config.tied else config.vocab_size * config.d_model
    assert body + unembedding == known.published
    extra = {"masked_head": False, "output_bias": False} if config.masked_head else {}
    mine = config_sizes(config)
    for name in ("d_model", "layers", "heads", "kv_heads", "hidden", "vocab_size", "stacks", "table", "token_types"):
        assert getattr(mine, name) == getattr(known.sizes, name), name
    counted = parameters(config)
    head = counted - parameters(type(config)(**{**vars(config), **extra})) if extra else 0
    pooler = config.d_model * (config.d_model + 1) if known.sizes.pooler else 0
    assert counted - head + pooler == known.published
