"""Models of `transformers` with the sizes of a config and random weights, and how they write."""

import importlib
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from core.model.config import TransformerConfig

Writes = Callable[[Tensor, int], Tensor]
NEITHER = {"bos_token_id": None, "eos_token_id": None}


def their_model(config: TransformerConfig, activation: str | None = None) -> Any:
    """A Llama for rotary positions, else a GPT-2. activation: of the GPT-2, None for its own."""
    try:
        library = importlib.import_module("transformers")
    except ImportError:
        raise SystemExit("This benchmark needs transformers: pip install -r requirements-dev.txt") from None
    library.logging.set_verbosity_error()
    llama = config.positions == "rotary" and activation is None
    made = _llama(library, config) if llama else _gpt2(library, config, activation)
    return made.eval().requires_grad_(False)


def _gpt2(library: Any, config: TransformerConfig, activation: str | None) -> Any:
    sizes = {"n_embd": config.d_model, "n_layer": config.layers, "n_head": config.heads, "n_inner": config.hidden_width}
    lengths = {"vocab_size": config.vocab_size, "n_positions": config.max_length}
    own = {} if activation is None else {"activation_function": activation}
    return library.GPT2LMHeadModel(library.GPT2Config(**sizes, **lengths, **own, **NEITHER))


def _llama(library: Any, config: TransformerConfig) -> Any:
    sizes = library.LlamaConfig(
        vocab_size=config.vocab_size,
        hidden_size=config.d_model,
        intermediate_size=config.hidden_width,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        num_key_value_heads=config.n_kv_heads,
        max_position_embeddings=config.max_length,
        rms_norm_eps=config.norm_eps,
        rope_parameters={"rope_type": "default", "rope_theta": config.position_base},
        tie_word_embeddings=config.tied,
        pad_token_id=None,
        **NEITHER,
    )
    return library.LlamaForCausalLM(sizes)


def theirs(model: Any) -> Writes:
    """Greedily, with its own `generate` and its KV cache; what it wrote (1, count)."""

    def write(ids: Tensor, count: int) -> Tensor:
        text = model.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=count, do_sample=False, use_cache=True
        )
        return text[:, ids.shape[1] :]

    return write
