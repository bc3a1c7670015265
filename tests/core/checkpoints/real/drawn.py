"""Folders of the hub's families, written by transformers: small drawn configs with random weights."""

import json
import random
from collections.abc import Callable, Mapping
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

transformers: Any = import_module("transformers")  # its configs are typed too narrowly for drawn values
transformers.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()

Draw = Callable[[random.Random], tuple[Any, Any]]


def _sizes(rng: random.Random, heads_name: str, width_name: str, least: int = 1) -> dict[str, int]:
    heads = rng.choice([n for n in (1, 2, 3, 4) if n >= least])
    return {heads_name: heads, width_name: heads * rng.choice([4, 6, 8]), "vocab_size": rng.randint(20, 60)}


def gpt2(rng: random.Random) -> tuple[Any, Any]:
    return transformers.GPT2LMHeadModel, transformers.GPT2Config(
        **_sizes(rng, "n_head", "n_embd"),
        n_layer=rng.randint(1, 3),
        n_positions=rng.randint(40, 60),
        n_inner=rng.choice([None, 10]),
        activation_function=rng.choice(["gelu_new", "gelu", "relu", "silu", "gelu_fast"]),
        layer_norm_epsilon=rng.choice([1e-5, 1e-2]),
        scale_attn_weights=rng.random() < 0.7,
        tie_word_embeddings=rng.random() < 0.7,
    )


def bert(rng: random.Random) -> tuple[Any, Any]:
    return transformers.BertForMaskedLM, transformers.BertConfig(
        **_sizes(rng, "num_attention_heads", "hidden_size"),
        num_hidden_layers=rng.randint(1, 3),
        intermediate_size=rng.choice([7, 16]),
        hidden_act=rng.choice(["gelu", "relu", "gelu_new"]),
        max_position_embeddings=rng.randint(40, 60),
        type_vocab_size=rng.choice([1, 2]),
        layer_norm_eps=rng.choice([1e-12, 1e-2]),
        tie_word_embeddings=rng.random() < 0.7,
    )


def _roberta(rng: random.Random, config: Any, model: Any) -> tuple[Any, Any]:
    made = config(
        **_sizes(rng, "num_attention_heads", "hidden_size"),
        num_hidden_layers=rng.randint(1, 3),
        intermediate_size=rng.choice([7, 16]),
        max_position_embeddings=rng.randint(40, 60),
        type_vocab_size=rng.choice([1, 2]),
        layer_norm_eps=rng.choice([1e-5, 1e-2]),
        tie_word_embeddings=rng.random() < 0.7,
    )
    return model, made


def roberta(rng: random.Random) -> tuple[Any, Any]:
    return _roberta(rng, transformers.RobertaConfig, transformers.RobertaForMaskedLM)


def xlm_roberta(rng: random.Random) -> tuple[Any, Any]:
    return _roberta(rng, transformers.XLMRobertaConfig, transformers.XLMRobertaForMaskedLM)


def camembert(rng: random.Random) -> tuple[Any, Any]:
    return _roberta(rng, transformers.CamembertConfig, transformers.CamembertForMaskedLM)


def gpt_neo(rng: random.Random) -> tuple[Any, Any]:
    layers = rng.choice([2, 4])
    kinds = rng.choice([["global", "local"], ["local", "global"], ["global", "global"]])
    return transformers.GPTNeoForCausalLM, transformers.GPTNeoConfig(
        **_sizes(rng, "num_heads", "hidden_size"),
        num_layers=layers,
        attention_types=[[kinds, layers // 2]],
        window_size=rng.choice([2, 5, 100]),
        intermediate_size=rng.choice([None, 10]),
        max_position_embeddings=rng.randint(40, 60),
        activation_function=rng.choice(["gelu_new", "relu"]),
        layer_norm_epsilon=rng.choice([1e-5, 1e-2]),
        tie_word_embeddings=rng.random() < 0.7,
    )


def opt(rng: random.Random) -> tuple[Any, Any]:
    sizes = _sizes(rng, "num_attention_heads", "hidden_size")
    return transformers.OPTForCausalLM, transformers.OPTConfig(
        **sizes,
        word_embed_proj_dim=sizes["hidden_size"],
        num_hidden_layers=rng.randint(1, 3),
        ffn_dim=rng.choice([9, 16]),
        max_position_embeddings=rng.randint(40, 60),
        do_layer_norm_before=rng.random() < 0.7,
        activation_function=rng.choice(["relu", "gelu"]),
        enable_bias=rng.random() < 0.7,
        tie_word_embeddings=rng.random() < 0.7,
    )


def distilbert(rng: random.Random) -> tuple[Any, Any]:
    return transformers.DistilBertForMaskedLM, transformers.DistilBertConfig(
        **_sizes(rng, "n_heads", "dim"),
        n_layers=rng.randint(1, 3),
        hidden_dim=rng.choice([7, 16]),
        activation=rng.choice(["gelu", "relu"]),
        max_position_embeddings=rng.randint(40, 60),
        sinusoidal_pos_embds=rng.random() < 0.3,
        tie_word_embeddings=rng.random() < 0.7,
    )


def _llama_like(rng: random.Random, own_width: bool = True) -> dict[str, Any]:
    sizes = _sizes(rng, "num_attention_heads", "hidden_size")
    heads = sizes["num_attention_heads"]
    scaling: Any = rng.choice(
        [
            {"rope_type": "default"},
            {"rope_type": "linear", "factor": 3.0},
            {"rope_type": "dynamic", "factor": 2.0},
            {
                "rope_type": "llama3",
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 16,
            },
        ]
    )
    return {
        **sizes,
        "num_key_value_heads": rng.choice([n for n in (1, 2, 4) if heads % n == 0]),
        "head_dim": rng.choice([4, 10]) if own_width else sizes["hidden_size"] // heads,
        "intermediate_size": rng.choice([9, 16]),
        "num_hidden_layers": rng.randint(1, 3),
        "max_position_embeddings": rng.choice([64, 128]),
        "rms_norm_eps": rng.choice([1e-6, 1e-2]),
        "tie_word_embeddings": rng.random() < 0.5,
        "hidden_act": rng.choice(["silu", "gelu", "gelu_pytorch_tanh"]),
        "rope_parameters": {"rope_theta": rng.choice([100.0, 10000.0, 500000.0]), **scaling},
    }


def llama(rng: random.Random) -> tuple[Any, Any]:
    biased, mlp = rng.random() < 0.5, rng.random() < 0.5
    return transformers.LlamaForCausalLM, transformers.LlamaConfig(
        **_llama_like(rng), attention_bias=biased, mlp_bias=mlp
    )


def mistral(rng: random.Random) -> tuple[Any, Any]:
    return transformers.MistralForCausalLM, transformers.MistralConfig(
        **_llama_like(rng), sliding_window=rng.choice([None, 1, 5, 100])
    )


def phi3(rng: random.Random) -> tuple[Any, Any]:
    fields = {**_llama_like(rng, own_width=False), "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}}
    fields |= {"pad_token_id": 1, "sliding_window": rng.choice([None, 1, 5, 100])}
    del fields["head_dim"]
    return transformers.Phi3ForCausalLM, transformers.Phi3Config(**fields)


def _windowed(rng: random.Random, fields: Mapping[str, Any]) -> dict[str, Any]:
    layers = fields["num_hidden_layers"]
    window = {"use_sliding_window": rng.random() < 0.7, "sliding_window": rng.choice([2, 6])}
    return {**fields, **window, "max_window_layers": rng.randint(0, layers)}


def qwen2(rng: random.Random) -> tuple[Any, Any]:
    return transformers.Qwen2ForCausalLM, transformers.Qwen2Config(**_windowed(rng, _llama_like(rng, own_width=False)))


def qwen3(rng: random.Random) -> tuple[Any, Any]:
    return transformers.Qwen3ForCausalLM, transformers.Qwen3Config(
        **_windowed(rng, _llama_like(rng)), attention_bias=rng.random() < 0.5
    )


def _multiplied(rng: random.Random) -> dict[str, Any]:
    """What Granite adds to Llama."""
    return {
        **_llama_like(rng),
        "attention_bias": rng.random() < 0.5,
        "mlp_bias": rng.random() < 0.5,
        "embedding_multiplier": rng.choice([1.0, 12.0, 3]),
        "attention_multiplier": rng.choice([1.0, 0.015625, 0.3]),
        "residual_multiplier": rng.choice([1.0, 0.22]),
        "logits_scaling": rng.choice([1.0, 8.0, 0.7]),
        "eos_token_id": None,  # the tests of writing set the end
    }


def granite(rng: random.Random) -> tuple[Any, Any]:
    return transformers.GraniteForCausalLM, transformers.GraniteConfig(**_multiplied(rng))


def granite_swa(rng: random.Random) -> tuple[Any, Any]:
    fields = _multiplied(rng)
    layers = fields["num_hidden_layers"]
    kinds = [rng.choice(["full_attention", "sliding_attention"]) for _ in range(layers)]
    return transformers.GraniteSWAForCausalLM, transformers.GraniteSWAConfig(
        **fields,
        sliding_window=rng.choice([1, 3, 100]),
        layer_types=rng.choice([None, kinds]),
        layer_rope_theta=rng.choice([None, [0] * layers, [500.0] * layers]),
    )


def gpt_neox(rng: random.Random) -> tuple[Any, Any]:
    sizes = _sizes(rng, "num_attention_heads", "hidden_size")
    return transformers.GPTNeoXForCausalLM, transformers.GPTNeoXConfig(
        **{**sizes, "hidden_size": 8 * sizes["num_attention_heads"]},
        num_hidden_layers=rng.randint(1, 3),
        intermediate_size=rng.choice([9, 16]),
        hidden_act=rng.choice(["gelu", "gelu_new", "relu"]),
        max_position_embeddings=64,
        layer_norm_eps=rng.choice([1e-5, 1e-2]),
        use_parallel_residual=rng.random() < 0.7,
        attention_bias=rng.random() < 0.7,
        tie_word_embeddings=rng.random() < 0.3,
        rope_parameters={
            "rope_type": "default",
            "rope_theta": rng.choice([100.0, 10000.0]),
            "partial_rotary_factor": rng.choice([0.25, 0.5, 1.0]),
        },
    )


def marian(rng: random.Random) -> tuple[Any, Any]:
    heads, ffn, vocabulary = rng.choice([1, 2, 4]), rng.choice([9, 16]), rng.randint(20, 60)
    return transformers.MarianMTModel, transformers.MarianConfig(
        vocab_size=vocabulary,
        d_model=heads * rng.choice([4, 6]),
        encoder_layers=rng.randint(1, 3),
        decoder_layers=rng.randint(1, 3),
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=ffn,
        decoder_ffn_dim=ffn,
        activation_function=rng.choice(["swish", "gelu", "relu"]),
        max_position_embeddings=rng.randint(40, 60),
        scale_embedding=rng.random() < 0.7,
        pad_token_id=vocabulary - 1,
        decoder_start_token_id=vocabulary - 1,
    )


def t5(rng: random.Random) -> tuple[Any, Any]:
    gated = rng.random() < 0.5
    made = transformers.T5Config(
        vocab_size=rng.randint(20, 60),
        d_model=rng.choice([8, 12]),
        d_kv=rng.choice([4, 6]),
        d_ff=rng.choice([9, 16]),
        num_heads=rng.choice([1, 2, 3]),
        num_layers=rng.randint(1, 3),
        num_decoder_layers=rng.randint(1, 3),
        relative_attention_num_buckets=rng.choice([8, 32]),
        relative_attention_max_distance=rng.choice([20, 128]),
        layer_norm_epsilon=rng.choice([1e-6, 1e-2]),
        feed_forward_proj=rng.choice(["gated-gelu", "gated-silu"]) if gated else rng.choice(["relu", "gelu"]),
        tie_word_embeddings=rng.choice([True, False]),  # says whether the logits are scaled
        decoder_start_token_id=0,
    )
    return transformers.T5ForConditionalGeneration, made


_DRAWN = (
    *(gpt2, gpt_neo, gpt_neox, opt, llama, mistral, phi3, qwen2, qwen3, granite, granite_swa),
    *(bert, distilbert, roberta, xlm_roberta, camembert),
    *(marian, t5),
)
DRAWS: dict[str, Draw] = {draw.__name__.replace("xlm_", "xlm-"): draw for draw in _DRAWN}


def drawn_model(family: str, seed: int, made: str = "", rows: int | None = None) -> Any:
    """A model of theirs, its weights such that every part counts. made: another class of theirs, with another head.
    rows: of its table of pieces; None for drawn ones."""
    make, config = DRAWS[family](random.Random(f"{family} {seed}"))
    make = getattr(transformers, made) if made else make
    if rows is not None:
        config.vocab_size = rows
    if rows is not None and family == "marian":
        config.decoder_vocab_size, config.pad_token_id, config.decoder_start_token_id = rows, rows - 1, rows - 1
    config._attn_implementation = "eager"
    model = make(config).eval().requires_grad_(False)
    if family == "t5" and seed % 3 == 0:
        model.lm_head.weight = torch.nn.Parameter(model.shared.weight.clone(), False)  # as in T5 v1.1
    return vary(model, seed)


def vary(model: Any, seed: int) -> Any:
    """Draws the weights of a model of theirs anew, such that every part counts."""
    generator = torch.Generator().manual_seed(seed)
    values = {id(each): (name, each) for name, each in [*model.named_parameters(), *model.named_buffers()]}
    for name, value in values.values():
        if "embed_positions" in name or "inv_freq" in name or not value.is_floating_point():
            continue
        fresh = torch.randn(value.shape, generator=generator)
        if value.dim() < 2:
            value.copy_(1 + 0.3 * fresh if "norm" in name.lower() and name.endswith("weight") else 0.3 * fresh)
        else:
            value.copy_(fresh * 1.5 / value.shape[-1] ** 0.5)
    return model


def write_folder(family: str, seed: int, folder: Path, made: str = "") -> Any:
    """Writes a drawn model as transformers does, and hands back theirs."""
    model = drawn_model(family, seed, made)
    model.save_pretrained(folder)
    return model


# What changes no number, as tools other than transformers write it.
PASSING = {"unsloth_version": "2025.1", "transformers.js_config": {}, "num_labels": 3, "tie_encoder_decoder": False}
TIED = {  # other names of tied tensors
    "gpt2": {"transformer.wte.weight": "lm_head.weight"},
    "gpt_neo": {"transformer.wte.weight": "lm_head.weight"},
    "opt": {"model.decoder.embed_tokens.weight": "lm_head.weight"},
    "bert": {"bert.embeddings.word_embeddings.weight": "cls.predictions.decoder.weight"},
    "marian": {"model.shared.weight": "model.encoder.embed_tokens.weight"},
}


def write_varied(family: str, seed: int, folder: Path, made: str = "", rows: int | None = None) -> Any:
    """Writes a drawn model as people have them: in a number format, in one file or several, with options that change
    nothing, with a tied tensor under another name. Hands back theirs, with the numbers of the file. Parameters as of
    `drawn_model`."""
    rng = random.Random(f"folder {family} {seed}")
    model = drawn_model(family, seed, made, rows)
    dtype = rng.choice([torch.float32, torch.float16, torch.bfloat16])
    for name, value in model.named_parameters():  # the angles and waves of positions stay as they are computed
        if family != "marian" or "embed_positions" not in name:
            value.data = value.data.to(dtype).float()
    if family == "marian":  # a buffer of theirs
        model.final_logits_bias = model.final_logits_bias.to(dtype).float()
    deepcopy(model).to(dtype).save_pretrained(folder, max_shard_size=rng.choice(["2KB", "1GB"]))
    path = folder / "config.json"
    options = {name: value for name, value in PASSING.items() if rng.random() < 0.5}
    if made.endswith("ForSequenceClassification"):
        options.pop("num_labels", None)  # of whose classes it says how many there are
    path.write_text(json.dumps({**json.loads(path.read_text()), **options}))
    headed = not made or made.endswith("ForMaskedLM")
    if headed and getattr(model.config, "tie_word_embeddings", False) and rng.random() < 0.5:
        _rename(folder, TIED.get(family, {}))
    return model


def _rename(folder: Path, names: Mapping[str, str]) -> None:
    for file in folder.glob("*.safetensors"):
        held = load_file(file)
        save_file({names.get(name, name): value for name, value in held.items()}, file)
    index = folder / "model.safetensors.index.json"
    if index.exists():
        said = json.loads(index.read_text())
        said["weight_map"] = {names.get(name, name): file for name, file in said["weight_map"].items()}
        index.write_text(json.dumps(said))
