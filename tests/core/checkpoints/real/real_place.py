"""A place with one small model of each kind that other people make: decoders, an encoder, and a translator."""

import json
from pathlib import Path
from typing import Any

import torch

from tests.core.checkpoints.real.drawn import transformers
from tests.core.checkpoints.real.vocabularies import trained, write_marian

SMALL: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 24}


def fill_place(place: Path) -> Path:
    """Four folders, as transformers writes them: gpt2, bert, llama, marian."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        _fill(place)
    return place


def _fill(place: Path) -> None:
    gpt2 = transformers.GPT2Config(vocab_size=330, n_positions=64, n_embd=16, n_layer=2, n_head=4)
    _write(place / "gpt2", transformers.GPT2LMHeadModel(gpt2), "byte-level")
    bert = transformers.BertConfig(vocab_size=150, max_position_embeddings=64, **SMALL)
    _write(place / "bert", transformers.BertForMaskedLM(bert), "word-pieces")
    llama = transformers.LlamaConfig(vocab_size=420, num_key_value_heads=2, max_position_embeddings=64, **SMALL)
    _write(place / "llama", transformers.LlamaForCausalLM(llama), "marked-bytes")
    (place / "marian").mkdir()
    rows = write_marian(place / "marian")
    sizes = {
        f"{stack}_{name}": n
        for stack in ("encoder", "decoder")
        for name, n in (("ffn_dim", 24), ("attention_heads", 4))
    }
    marian = transformers.MarianConfig(
        vocab_size=rows,
        d_model=16,
        encoder_layers=2,
        decoder_layers=1,
        max_position_embeddings=64,
        pad_token_id=rows - 1,
        decoder_start_token_id=rows - 1,
        **sizes,
    )
    _write(place / "marian", transformers.MarianMTModel(marian))
    card = {"title": "somebody/gpt2", "source": "the hub: somebody/gpt2", "licence": "mit"}
    (place / "gpt2" / "attention-explorer.json").write_text(json.dumps(card))


def _write(folder: Path, theirs: Any, tokenizer: str = "") -> None:
    theirs.save_pretrained(folder)
    if tokenizer:
        (folder / "tokenizer.json").write_text(trained(tokenizer))
