"""Small folders as the hub has them, whole, to be spoilt: families and tokenizers of each kind."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from core.checkpoints.real.families import FAMILIES_READ
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.transformer import Transformer
from tests.core.checkpoints.real.vocabularies import sentence_pieces, trained, write_marian

ROWS = 420  # as many as the largest of the vocabularies needs
LLAMA = {
    "vocab_size": ROWS,
    "hidden_size": 8,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "intermediate_size": 9,
    "num_hidden_layers": 1,
    "max_position_embeddings": 64,
    "head_dim": 4,
    "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 16},
}
BERT = {"num_attention_heads": 2, "hidden_size": 8, "num_hidden_layers": 1, "intermediate_size": 7}
FOLDERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "gpt2": ("byte-level", {"n_embd": 8, "n_head": 2, "n_layer": 1, "n_positions": 40, "vocab_size": ROWS}),
    "bert": ("word-pieces", {**BERT, "max_position_embeddings": 40, "vocab_size": ROWS}),
    "llama": ("marked-bytes", LLAMA),
    "mistral": ("marked-bytes", {**LLAMA, "sliding_window": 3}),
    "qwen3": ("byte-level", {**LLAMA, "use_sliding_window": True, "max_window_layers": 0}),
    "granite_swa": (
        "byte-level",
        {**LLAMA, "sliding_window": 3, "layer_types": ["sliding_attention"], "embedding_multiplier": 12.0},
    ),
    "gpt_neox": (
        "unigram",
        {**BERT, "max_position_embeddings": 40, "vocab_size": ROWS, "rotary_pct": 0.5, "intermediate_size": 16},
    ),
    "t5": (
        "pieces",
        {
            "d_model": 8,
            "d_kv": 4,
            "num_heads": 2,
            "num_layers": 1,
            "d_ff": 9,
            "vocab_size": ROWS,
            "feed_forward_proj": "gated-gelu",
            "eos_token_id": 1,
            "pad_token_id": 0,
        },
    ),
    "marian": (
        "marian",
        {
            "vocab_size": ROWS,
            "d_model": 8,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "encoder_ffn_dim": 9,
            "encoder_attention_heads": 2,
            "max_position_embeddings": 40,
            "eos_token_id": 0,
            "pad_token_id": 5,
        },
    ),
}


def write_sound(name: str, place: Path) -> None:
    """Writes the folder of a family below a place."""
    kind, values = FOLDERS[name]
    folder = place / name
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": name, **values}))
    (folder / "attention-explorer.json").write_text('{"title": "x", "source": "y", "licence": "z"}')
    family = FAMILIES_READ[name]
    config = family.config(Options(values), ())
    with torch.device("meta"):
        table = WeightTable({key: tuple(value.shape) for key, value in Transformer(config).state_dict().items()})
    family.fill(table, config)
    made = {key: torch.full(each.shape, 0.01) for key, each in table.tensors.items()}
    save_file(made, folder / "model.safetensors")
    if kind == "marian":
        write_marian(folder)
    elif kind == "pieces":
        (folder / "spiece.model").write_bytes(sentence_pieces())
    else:
        (folder / "tokenizer.json").write_text(trained(kind), encoding="utf-8")
        (folder / "tokenizer_config.json").write_text('{"mask_token": {"content": "[MASK]"}}')
