"""What each family refuses by name, and the older ways in which its files are written."""

import json
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.checkpoints.real.families import FAMILIES_READ
from core.checkpoints.real.files import WEIGHTS_FILE
from core.checkpoints.real.options import Options
from core.checkpoints.real.reading import describe_folder, load
from core.model.rotary_scaling import RotaryScaling
from tests.core.checkpoints.real.drawn import DRAWS, drawn_model

ROPE = {"rope_type": "default", "rope_theta": 10000.0}
SECOND_NAMES = [(family, name) for family, read in FAMILIES_READ.items() for name, _ in read.aliases]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("bert", {"position_embedding_type": "relative_key"}, "position_embedding_type is 'relative_key'; only 'absolute'"),
    ("roberta", {"hidden_act": "relu"}, "hidden_act is 'relu'; only 'gelu'"),
    ("roberta", {"pad_token_id": 0}, "pad_token_id is 0; only 1"),
    ("opt", {"word_embed_proj_dim": 3}, "word_embed_proj_dim is 3; only"),
    ("gpt_neo", {"attention_layers": ["global", "far"]}, "attention_layers must be"),
    ("bert", {"is_decoder": True}, "is_decoder is True, which cannot be carried out"),
    ("distilbert", {"activation": "quick_gelu"}, "activation is 'quick_gelu', and must be one of gelu"),
    ("llama", {"rope_parameters": {**ROPE, "rope_type": "yarn"}}, "rope_parameters: rope_type is 'yarn', and must be"),
    ("llama", {"rope_parameters": {**ROPE, "mscale": 2.0}}, "rope_parameters: the option mscale is not known"),
    ("llama", {"rope_parameters": {**ROPE, "partial_rotary_factor": 0.5}}, "partial_rotary_factor is 0.5; only 1.0"),
    ("llama", {"rope_parameters": [1]}, "rope_parameters is [1], and must be an object"),
    ("llama", {"rope_parameters": {"rope_type": "linear"}}, "rope_parameters does not say factor"),
    ("llama", {"hidden_act": "relu"}, "hidden_act is 'relu', and must be one of gelu"),
    ("llama", {"num_key_value_heads": 5}, "cannot share 5 heads of keys and values"),
    ("mistral", {"attention_bias": True}, "attention_bias is True; only False"),
    ("mistral", {"sliding_window": -3}, "sliding_window is -3, and must be a whole number from 1"),
    ("qwen2", {"use_mrope": True}, "use_mrope is True; only False"),
    ("qwen2", {"layer_types": ["linear_attention"]}, "layer_types must be"),
    ("qwen3", {"layer_types": "full"}, "layer_types is 'full', and must be a list of words"),
    ("gpt_neox", {"hidden_act": "tanh"}, "hidden_act is 'tanh'"),
    ("gpt_neox", {"rope_scaling": {"type": "longrope", "factor": 2.0}}, "rope_scaling: type is 'longrope'"),
    ("gpt_neox", {"rope_parameters": {**ROPE, "partial_rotary_factor": 1e308}}, "must be a number above 0, at most 1"),
    ("marian", {"share_encoder_decoder_embeddings": False}, "share_encoder_decoder_embeddings is False; only True"),
    ("marian", {"decoder_vocab_size": 7}, "decoder_vocab_size is 7; only"),
    ("marian", {"decoder_ffn_dim": 999}, "decoder_ffn_dim is 999; only"),
    ("marian", {"normalize_before": True}, "normalize_before is True; only False"),
    ("t5", {"dense_act_fn": "silu"}, "dense_act_fn is 'silu'; only"),
    ("t5", {"is_encoder_decoder": False}, "is_encoder_decoder is False; only True"),
    ("t5", {"is_gated_act": 1}, "is_gated_act is 1; only"),
    ("t5", {"feed_forward_proj": "gated-relu"}, "feed_forward_proj is 'gated-relu', and must be one of"),
    *((family, {"softcap": 30.0}, "softcap is 30.0, which cannot be carried out in this family") for family in DRAWS),
    *((family, {"auto_map": {"AutoModel": "modeling_x.XEncoderModel"}}, "names XEncoderModel") for family in DRAWS),
    ("phi3", {"auto_map": {"AutoModel": "modeling_phi3.Phi3BiModel"}}, "auto_map names Phi3BiModel, a class with code"),
    ("llama", {"auto_map": "modeling.LlamaEncoderModel"}, "auto_map names LlamaEncoderModel"),
    *((family, {"is_causal": False}, "is_causal is False; only True") for family in DRAWS if "bert" not in family),
    *((family, {name: 9}, f"{name} is 9; only") for family, name in SECOND_NAMES),
]


@cache
def model(family: str) -> Any:
    return drawn_model(family, 1)


def values_of(family: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(model(family).config.to_json_string(use_diff=False))
    return values


def described(family: str, changes: Mapping[str, Any]) -> Any:
    return FAMILIES_READ[family].read(Options({**values_of(family), **changes}), model(family).state_dict())


@pytest.mark.parametrize(("family", "changes", "said"), REFUSED)
def test_an_option_that_cannot_be_carried_out_is_refused_by_name(
    family: str, changes: dict[str, Any], said: str
) -> None:
    described(family, {})
    with pytest.raises(ValueError, match=re.escape(said)):
        described(family, changes)


@pytest.mark.parametrize("family", DRAWS)
def test_options_that_change_no_number_pass(family: str) -> None:
    passing = {"rope_interleaved": False, "tie_encoder_decoder": False, "residual_multiplier": 1.0, "num_labels": 7}
    others = {"transformers.js_config": {"dtype": "fp16"}, "unsloth_version": "2025.1", "attn_implementation": "sdpa"}
    code = {"AutoConfig": f"org/x--code.{type(model(family).config).__name__}", "AutoModel": None}
    given = {**passing, **others, "trust_remote_code": True, "auto_map": code}
    assert described(family, given) == described(family, {})


@pytest.mark.parametrize("family", DRAWS)
def test_a_family_of_decoders_may_say_that_it_is_one(family: str) -> None:
    if "bert" not in family:
        assert described(family, {"is_decoder": True, "is_causal": True}) == described(family, {})


def test_phi_3_opens_with_the_code_that_it_is_published_with() -> None:
    code = {"AutoConfig": "configuration_phi3.Phi3Config", "AutoModelForCausalLM": "modeling_phi3.Phi3ForCausalLM"}
    assert described("phi3", {"auto_map": code}) == described("phi3", {})


def test_every_family_is_drawn() -> None:
    assert FAMILIES_READ.keys() == DRAWS.keys()


@pytest.mark.parametrize("name", ["type", "rope_type"])
def test_rotary_scaling_is_read_in_its_older_words_too(name: str) -> None:
    plain = {"rope_parameters": None, "rope_theta": 500.0}
    old = described("llama", {**plain, "rope_scaling": {name: "linear", "factor": 4.0}})
    assert (old.position_base, old.rotary_scaling) == (500.0, RotaryScaling("linear", 4.0))
    assert described("llama", plain).rotary_scaling is None
    neox = {"rope_parameters": None, "rotary_pct": 0.5, "rotary_emb_base": 777}
    found = described("gpt_neox", neox)
    assert (found.position_base, found.rotary_dim) == (777.0, found.key_width // 2)


@pytest.mark.parametrize(("inner", "outer", "length"), [(None, None, 128), (16, None, 16), (16, 32, 32), (None, 8, 8)])
def test_the_length_before_scaling_is_that_of_transformers(inner: int | None, outer: int | None, length: int) -> None:
    factors = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "rope_theta": 500.0}
    rope = {"rope_type": "llama3", **factors, "original_max_position_embeddings": inner}
    given = {name: value for name, value in rope.items() if value is not None}
    values = {"rope_parameters": given, "max_position_embeddings": 128, "original_max_position_embeddings": outer}
    scaling = described("llama", values).rotary_scaling
    stated = {**values_of("llama"), **values}
    kept = {name: value for name, value in stated.items() if value is not None}
    theirs = type(model("llama"))(type(model("llama").config).from_dict(deepcopy(kept))).config
    assert scaling is not None and scaling.original_length == length
    assert theirs.rope_parameters["original_max_position_embeddings"] == length


Change = Callable[[dict[str, Tensor]], dict[str, Tensor]]


def moved(held: Mapping[str, Tensor], names: Mapping[str, str]) -> dict[str, Tensor]:
    """The tensors with other names for some."""
    return {names.get(name, name): value for name, value in held.items()}


OLDER: dict[str, tuple[str, Change]] = {
    "GPT-2 of the body alone, with its masks": (
        "gpt2",
        lambda held: {
            **{name.removeprefix("transformer."): value for name, value in held.items()},
            "h.0.attn.bias": torch.ones(1, 1, 9, 9),
            "h.0.attn.masked_bias": torch.tensor(-1e4),
        },
    ),
    "GPT-2 with its tied table twice": (
        "gpt2",
        lambda held: {**held, "lm_head.weight": held["transformer.wte.weight"]},
    ),
    "BERT of TensorFlow, with the pooled token and the next sentence": (
        "bert",
        lambda held: {
            **{n.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): v for n, v in held.items()},
            "bert.pooler.dense.weight": torch.ones(2, 2),
            "cls.seq_relationship.bias": torch.ones(2),
            "bert.embeddings.position_ids": torch.arange(9)[None],
        },
    ),
    "Llama with the angles of its positions": (
        "llama",
        lambda held: {**held, "model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(4)},
    ),
    "Marian with its tables and sinusoids": (
        "marian",
        lambda held: {
            **held,
            "model.encoder.embed_tokens.weight": held["model.shared.weight"],
            "lm_head.weight": held["model.shared.weight"],
            "model.decoder.embed_positions.weight": model("marian").model.decoder.embed_positions.weight,
        },
    ),
    "GPT-2 with its tied table under the other name": (
        "gpt2",
        lambda held: moved(held, {"transformer.wte.weight": "lm_head.weight"}),
    ),
    "BERT with its tied tensors under the names of the head": (
        "bert",
        lambda held: moved(
            held,
            {
                "bert.embeddings.word_embeddings.weight": "cls.predictions.decoder.weight",
                "cls.predictions.bias": "cls.predictions.decoder.bias",
            },
        ),
    ),
    "Marian with its table under the name of one stack": (
        "marian",
        lambda held: moved(held, {"model.shared.weight": "model.decoder.embed_tokens.weight"}),
    ),
    "T5 with its tables": (
        "t5",
        lambda held: {
            **held,
            "encoder.embed_tokens.weight": held["shared.weight"],
            "decoder.embed_tokens.weight": held["shared.weight"],
        },
    ),
}


@pytest.mark.parametrize("kind", OLDER)
def test_older_files_give_the_same_weights(kind: str, tmp_path: Path) -> None:
    family, change = OLDER[kind]
    drawn = (drawn_model(family, seed) for seed in (1, 2, 4, 5, 7, 8))
    theirs = model(family) if family == "marian" else next(each for each in drawn if each.config.tie_word_embeddings)
    theirs.save_pretrained(tmp_path)
    plain = load(tmp_path).state_dict()
    held = change(load_file(tmp_path / WEIGHTS_FILE))
    save_file({name: value.clone().contiguous() for name, value in held.items()}, tmp_path / WEIGHTS_FILE)
    for name, value in load(tmp_path).state_dict().items():
        assert torch.equal(value, plain[name]), name


def test_positions_that_are_no_sinusoids_are_refused(tmp_path: Path) -> None:
    model("marian").save_pretrained(tmp_path)
    name, held = "model.encoder.embed_positions.weight", load_file(tmp_path / WEIGHTS_FILE)
    save_file({**held, name: model("marian").get_parameter(name) + 0.1}, tmp_path / WEIGHTS_FILE)
    with pytest.raises(ValueError, match=f"{name} holds other numbers than those that are computed"):
        load(tmp_path)


@pytest.mark.parametrize("family", DRAWS)
def test_the_number_of_parameters_is_that_of_transformers(family: str, tmp_path: Path) -> None:
    theirs = model(family)
    theirs.save_pretrained(tmp_path)
    own = {
        id(each): each for name, each in theirs.named_parameters() if "embed_positions" not in name or family == "opt"
    }
    fixed = theirs.config.vocab_size if family == "marian" else 0  # a buffer of theirs
    of_bert = family in ("bert", "roberta", "xlm-roberta", "camembert")
    unread = theirs.config.vocab_size if of_bert and not theirs.config.tie_word_embeddings else 0
    if family in ("opt", "roberta", "xlm-roberta", "camembert"):
        unread += 2 * theirs.config.hidden_size  # rows before the first position
    expected = sum(each.numel() for each in own.values()) + fixed - unread
    assert describe_folder(tmp_path).parameters == expected
