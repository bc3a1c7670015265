"""Granite's multipliers, which its weights hold here, and the sink logits of its family with windows."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.checkpoints.real import places
from core.checkpoints.real.elsewhere import MULTIPLIED, Elsewhere
from core.checkpoints.real.files import WEIGHTS_FILE
from core.checkpoints.real.reading import load
from core.device import Placement
from core.tracing.trace import trace
from tests.core.checkpoints.real.drawn import transformers, vary
from tests.core.checkpoints.real.vocabularies import trained

SIZES: dict[str, Any] = {
    "vocab_size": 30,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "attention_bias": True,
    "mlp_bias": True,
    "eos_token_id": None,
    "bos_token_id": None,
}
MULTIPLIERS: dict[str, Any] = {
    "embedding_multiplier": 12.0,
    "attention_multiplier": 2.0,
    "residual_multiplier": 0.22,
    "logits_scaling": 8.0,
}
KINDS: dict[str, tuple[Any, Any]] = {
    "granite": (transformers.GraniteForCausalLM, transformers.GraniteConfig),
    "granite_swa": (transformers.GraniteSWAForCausalLM, transformers.GraniteSWAConfig),
}
IDS = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6]])


def written(folder: Path, family: str = "granite", dtype: torch.dtype = torch.float32, **options: Any) -> Any:
    """A model of theirs, written into a folder."""
    make, config = KINDS[family]
    made = config(**{**SIZES, "attention_multiplier": 0.5, **options})
    made._attn_implementation = "eager"
    theirs = vary(make(made).eval().requires_grad_(False), 0)
    theirs.to(dtype).save_pretrained(folder)
    return theirs


def set_option(folder: Path, **options: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **options}))


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("family", KINDS)
@pytest.mark.parametrize("name", MULTIPLIERS)
@torch.inference_mode()
def test_each_multiplier_acts_as_in_transformers(name: str, family: str, tied: bool, tmp_path: Path) -> None:
    plain = written(tmp_path / "plain", family, tie_word_embeddings=tied).double()(IDS).logits
    theirs = written(tmp_path / "it", family, tie_word_embeddings=tied, **{name: MULTIPLIERS[name]}).double()
    found = load(tmp_path / "it", torch.float64)(None, IDS)
    torch.testing.assert_close(found, theirs(IDS).logits, rtol=1e-4, atol=1e-4)
    assert (found - plain).abs().max() > 0.1


@torch.inference_mode()
def test_the_weights_hold_the_multipliers(tmp_path: Path) -> None:
    """A head of 4 numbers divides its scores by 2, which its queries make good."""
    theirs = written(tmp_path, tie_word_embeddings=True, **MULTIPLIERS)
    model, block = load(tmp_path), theirs.model.layers[1]
    ours = model.state_dict()
    assert model.config.tied and model.config.logit_scale == pytest.approx(1 / 96)
    expected = {
        "embed.weight": 12 * theirs.model.embed_tokens.weight,
        "decoder.1.attn.w_q.weight": 4 * block.self_attn.q_proj.weight,
        "decoder.1.attn.w_q.bias": 4 * block.self_attn.q_proj.bias,
        "decoder.1.attn.w_k.weight": block.self_attn.k_proj.weight,
        "decoder.1.attn.w_v.bias": block.self_attn.v_proj.bias,
        "decoder.1.attn.w_o.weight": 0.22 * block.self_attn.o_proj.weight,
        "decoder.1.attn.w_o.bias": 0.22 * block.self_attn.o_proj.bias,
        "decoder.1.ffn.w_1.weight": block.mlp.gate_proj.weight,
        "decoder.1.ffn.w_2.weight": 0.22 * block.mlp.down_proj.weight,
        "decoder.1.ffn.w_2.bias": 0.22 * block.mlp.down_proj.bias,
    }
    for name, value in expected.items():
        torch.testing.assert_close(ours[name], value, msg=name)


@torch.inference_mode()
def test_an_untied_matrix_of_logits_is_as_it_is_written(tmp_path: Path) -> None:
    theirs = written(tmp_path, tie_word_embeddings=False, **MULTIPLIERS)
    model = load(tmp_path)
    assert model.config.logit_scale == 1 / 8
    assert torch.equal(model.state_dict()["unembed.weight"], theirs.lm_head.weight)


@torch.inference_mode()
def test_a_multiplier_that_is_not_said_is_1(tmp_path: Path) -> None:
    """Which for the scores is not the division by √d_k of others."""
    theirs = written(tmp_path, attention_multiplier=1.0, tie_word_embeddings=True)
    path = tmp_path / "config.json"
    kept = {name: value for name, value in json.loads(path.read_text()).items() if name not in MULTIPLIERS}
    path.write_text(json.dumps(kept))
    torch.testing.assert_close(load(tmp_path)(None, IDS), theirs(IDS).logits, rtol=1e-4, atol=1e-4)


@torch.inference_mode()
def test_a_tied_table_that_is_written_twice_must_be_the_same(tmp_path: Path) -> None:
    written(tmp_path, tie_word_embeddings=True, **MULTIPLIERS)
    held, plain = load_file(tmp_path / WEIGHTS_FILE), load(tmp_path)(None, IDS)
    table = held["model.embed_tokens.weight"]
    save_file({**held, "lm_head.weight": table.clone()}, tmp_path / WEIGHTS_FILE)
    assert torch.equal(load(tmp_path)(None, IDS), plain)
    save_file({**held, "lm_head.weight": 12 * table}, tmp_path / WEIGHTS_FILE)
    with pytest.raises(ValueError, match=r"lm_head\.weight must equal the tensor that it is tied to"):
        load(tmp_path)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_a_product_is_rounded_once_to_the_format_of_the_file(dtype: torch.dtype, tmp_path: Path) -> None:
    theirs = written(tmp_path, dtype=dtype, **MULTIPLIERS)
    weight = theirs.model.layers[0].self_attn.o_proj.weight
    assert torch.equal(load(tmp_path).state_dict()["decoder.0.attn.w_o.weight"], (weight.double() * 0.22).to(dtype))


@torch.inference_mode()
def test_a_row_of_weights_sums_to_what_the_sink_leaves_it(tmp_path: Path) -> None:
    """To σ(log Σ exp scores − sink), by which theirs multiplies the output of a head."""
    theirs = written(tmp_path, "granite_swa", sliding_window=3)
    model = load(tmp_path)
    assert model.config.windows == (0, 3)
    seen = trace(model, None, IDS, record=["pattern", "masked_scores"])
    for layer, block in enumerate(theirs.model.layers):
        assert block.self_attn.sinks.abs().min() > 0.01
        rows: Tensor = seen[f"decoder.{layer}.masked_scores"].logsumexp(-1)
        left = torch.sigmoid(rows - block.self_attn.sinks[:, None])
        torch.testing.assert_close(seen[f"decoder.{layer}.pattern"].sum(-1), left)


def test_layers_without_positions_and_with_a_base_of_their_own(tmp_path: Path) -> None:
    written(tmp_path / "none", "granite_swa", layer_rope_theta=[0, 0])
    written(tmp_path / "one", "granite_swa", layer_rope_theta=[500, 500])
    written(tmp_path / "usual", "granite_swa")
    none, one, usual = (load(tmp_path / name).config for name in ("none", "one", "usual"))
    assert (none.positions, one.positions, usual.positions) == ("none", "rotary", "rotary")
    assert (one.position_base, usual.position_base) == (500.0, 10000.0)


HOSTILE = [
    ({"embedding_multiplier": 0}, "embedding_multiplier is 0, and must be a number above 0"),
    ({"attention_multiplier": -0.5}, "attention_multiplier is -0.5, and must be a number above 0"),
    ({"residual_multiplier": True}, "residual_multiplier is True, and must be a number above 0"),
    ({"logits_scaling": [8.0]}, "logits_scaling is [8.0], and must be a number above 0"),
    ({"logits_scaling": 1e-320}, "logit_scale must be above 0 and finite"),
    ({"attention_multiplier": 1e308}, "attention_multiplier is 1e+308, and must be a number above 0, at most 1e+06"),
    ({"layer_rope_theta": [10000.0, 0]}, "layer_rope_theta differs between layers; only one base can be carried out"),
    ({"layer_rope_theta": [500.0]}, "layer_rope_theta must be 2 numbers, one for each layer"),
    ({"layer_rope_theta": [-1.0, -1.0]}, "layer_rope_theta is [-1.0, -1.0], and must be a list of numbers from 0 on"),
    ({"layer_rope_theta": "none"}, "layer_rope_theta is 'none', and must be a list of numbers from 0 on"),
    ({"layer_rope_theta": [0.5, 0.5]}, "layer_rope_theta is 0.5 in each layer, and must be 0 or above 1"),
    ({"sliding_window": None}, "sliding_window is null, but layer_types names layers that have a window"),
    ({"sliding_window": 0}, "sliding_window is 0, and must be a whole number from 1"),
    ({"layer_types": ["full_attention"]}, "layer_types must be 2 of full_attention, sliding_attention"),
]


@pytest.mark.parametrize(("options", "told"), HOSTILE)
def test_what_cannot_be_carried_out_is_refused_in_a_sentence(
    options: dict[str, Any], told: str, tmp_path: Path
) -> None:
    written(tmp_path / "it", "granite_swa", tie_word_embeddings=True)
    set_option(tmp_path / "it", **options)
    with pytest.raises(ValueError) as error:
        places.load("it", Placement("cpu", "float32"), tmp_path)
    sentence = str(error.value)
    assert sentence.startswith("The model it cannot be used: ") and told in sentence and "\n" not in sentence


def test_multipliers_that_the_number_format_cannot_hold_are_refused(tmp_path: Path) -> None:
    written(tmp_path, dtype=torch.float16, embedding_multiplier=1e6)
    with pytest.raises(
        ValueError, match=r"has a multiplier, 1e\+06, that makes numbers that are not finite in float16"
    ):
        load(tmp_path)
    load(tmp_path, torch.float32)


def test_granite_without_sinks_has_no_place_for_them(tmp_path: Path) -> None:
    written(tmp_path, "granite_swa")
    set_option(tmp_path, model_type="granite", layer_types=None, sliding_window=None, layer_rope_theta=None)
    with pytest.raises(ValueError, match=r"the tensor model\.layers\.0\.self_attn\.sinks is unknown"):
        load(tmp_path)


def test_the_card_says_that_the_weights_hold_multipliers(tmp_path: Path) -> None:
    """A multiplier of 0.5 for the scores of heads of 4 numbers is the usual division by 2."""
    models: dict[str, dict[str, Any]] = {
        "usual": {},
        "added": {"residual_multiplier": 0.22},
        "divided": {"logits_scaling": 8.0},
    }
    for name, options in models.items():
        written(tmp_path / name, **options)
        (tmp_path / name / "tokenizer.json").write_text(trained("byte-level"))
    limits = {name: Elsewhere(name, tmp_path).card().limits for name in models}
    assert limits["usual"] == limits["divided"] == "Nothing about it was trained or measured here."
    assert limits["added"] == limits["usual"] + MULTIPLIED
