"""A place with one small model of each family that other people make."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.core.checkpoints.real.drawn import transformers, vary
from tests.core.checkpoints.real.vocabularies import trained, write_marian

SMALL: dict[str, Any] = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
}
GROUPED = {**SMALL, "num_key_value_heads": 2}


def fill_place(place: Path) -> Path:
    """Twelve folders, as transformers writes them, by the names of their families; "judge" is a classifier."""
    for seed, (name, make) in enumerate(SMALL_MODELS.items()):
        theirs, tokenizer = make()
        vary(theirs.requires_grad_(False), seed).save_pretrained(place / name)
        (place / name / "tokenizer.json").write_text(trained(tokenizer))
    write_small_marian(place / "marian")
    write_judge(place / "judge", ("positive", "negative"))
    card = {"title": "somebody/gpt2", "source": "the hub: somebody/gpt2", "licence": "mit"}
    (place / "gpt2" / "attention-explorer.json").write_text(json.dumps(card))
    return place


def _gpt2() -> tuple[Any, str]:
    config = transformers.GPT2Config(vocab_size=330, n_positions=64, n_embd=16, n_layer=2, n_head=4)
    return transformers.GPT2LMHeadModel(config), "byte-level"


def _bert() -> tuple[Any, str]:
    return transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=150, **SMALL)), "word-pieces"


def _distilbert() -> tuple[Any, str]:
    sizes = {"dim": 16, "n_layers": 2, "n_heads": 4, "hidden_dim": 24, "max_position_embeddings": 64}
    return transformers.DistilBertForMaskedLM(transformers.DistilBertConfig(vocab_size=150, **sizes)), "word-pieces"


def _llama() -> tuple[Any, str]:
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(vocab_size=420, **GROUPED)), "marked-bytes"


def _mistral() -> tuple[Any, str]:
    config = transformers.MistralConfig(vocab_size=420, sliding_window=4, **GROUPED)
    return transformers.MistralForCausalLM(config), "byte-level"  # in which no piece goes from one word into the next


def _qwen2() -> tuple[Any, str]:
    return transformers.Qwen2ForCausalLM(transformers.Qwen2Config(vocab_size=330, **GROUPED)), "byte-level"


def _qwen3() -> tuple[Any, str]:
    config = transformers.Qwen3Config(vocab_size=330, head_dim=6, **GROUPED)
    return transformers.Qwen3ForCausalLM(config), "byte-level"


def _granite_swa() -> tuple[Any, str]:
    multipliers = {"embedding_multiplier": 12.0, "attention_multiplier": 0.3, "residual_multiplier": 0.22}
    config = transformers.GraniteSWAConfig(
        vocab_size=330,
        sliding_window=4,
        layer_types=["sliding_attention", "full_attention"],
        logits_scaling=4.0,
        attn_implementation="eager",
        **multipliers,
        **GROUPED,
    )
    return transformers.GraniteSWAForCausalLM(config), "byte-level"


def _gpt_neox() -> tuple[Any, str]:
    rope = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}
    config = transformers.GPTNeoXConfig(vocab_size=330, rope_parameters=rope, **SMALL)
    return transformers.GPTNeoXForCausalLM(config), "byte-level"


def _t5() -> tuple[Any, str]:
    config = transformers.T5Config(
        vocab_size=130,
        d_model=16,
        d_kv=4,
        d_ff=24,
        num_heads=4,
        num_layers=2,
        num_decoder_layers=3,
        decoder_start_token_id=0,
    )
    return transformers.T5ForConditionalGeneration(config), "unigram"


SMALL_MODELS: dict[str, Callable[[], tuple[Any, str]]] = {
    make.__name__[1:]: make
    for make in (_gpt2, _bert, _distilbert, _llama, _mistral, _qwen2, _qwen3, _granite_swa, _gpt_neox, _t5)
}


def write_judge(folder: Path, labels: tuple[str, ...], seed: int = 0) -> Any:
    """A BERT that tells these classes apart; hands back theirs."""
    named = dict(enumerate(labels))
    config = transformers.BertConfig(vocab_size=150, id2label=named, label2id={v: k for k, v in named.items()}, **SMALL)
    theirs = vary(transformers.BertForSequenceClassification(config).eval().requires_grad_(False), seed)
    theirs.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(trained("word-pieces"))
    return theirs


def write_small_marian(folder: Path) -> None:
    """A translator whose decoder has fewer blocks than its encoder."""
    folder.mkdir()
    rows = write_marian(folder)
    sizes = {
        f"{stack}_{name}": n
        for stack in ("encoder", "decoder")
        for name, n in (("ffn_dim", 24), ("attention_heads", 4))
    }
    config = transformers.MarianConfig(
        vocab_size=rows,
        d_model=16,
        encoder_layers=2,
        decoder_layers=1,
        max_position_embeddings=64,
        pad_token_id=rows - 1,
        decoder_start_token_id=rows - 1,
        **sizes,
    )
    vary(transformers.MarianMTModel(config).requires_grad_(False), 0).save_pretrained(folder)


def write_deep(folder: Path) -> None:
    """Write a Llama of 32 layers with 32 heads each, which share eight heads of keys and values."""
    config = transformers.LlamaConfig(
        vocab_size=330,
        hidden_size=64,
        num_hidden_layers=32,
        num_attention_heads=32,
        num_key_value_heads=8,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    _write(transformers.LlamaForCausalLM(config), folder)


def write_wide(folder: Path) -> None:
    """Write a GPT-2 of 20 heads whose vectors are longer than those of any model with random weights."""
    config = transformers.GPT2Config(vocab_size=330, n_positions=64, n_embd=20 * 52, n_layer=2, n_head=20, n_inner=16)
    _write(transformers.GPT2LMHeadModel(config), folder)


def _write(theirs: Any, folder: Path) -> None:
    vary(theirs.requires_grad_(False), 0).save_pretrained(folder)
    (folder / "tokenizer.json").write_text(trained("byte-level"))
