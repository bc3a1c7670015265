"""Models that transformers wrote, read by us: the same numbers in every layer, and the same text."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.checkpoints.real.class_head import read_class_layer
from core.checkpoints.real.files import WEIGHTS_FILE
from core.checkpoints.real.reading import describe_folder, load
from core.decoding.greedy import continuation
from core.model.transformer import Transformer
from core.tracing.trace import trace
from tests.core.checkpoints.real.drawn import DRAWS, drawn_model, write_folder, write_varied

CONFIGS = 30
WRITTEN = 32
RECORD = ("pattern", "resid_pre", "resid_post", "final")


def same(ours: Tensor, theirs: Tensor, what: str) -> None:
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4, msg=lambda said: f"{what}: {said}")


def same_stack(
    stack: str, seen: Mapping[str, Tensor], hidden: tuple[Tensor, ...], patterns: tuple[Tensor, ...]
) -> None:
    layers = len(hidden) - 1
    same(seen[f"{stack}.0.resid_pre"], hidden[0], f"{stack} in")
    for layer in range(layers):
        same(seen[f"{stack}.{layer}.pattern"], patterns[layer], f"{stack} pattern {layer}")
        if layer < layers - 1:
            same(seen[f"{stack}.{layer}.resid_post"], hidden[layer + 1], f"{stack} state {layer}")
    same(seen[f"{stack}.final"], hidden[-1], f"{stack} out")


def same_choices(written: Tensor, logits: Tensor) -> None:
    """Each written id is the likeliest by these logits, up to a tie."""
    before = logits[:, -written.shape[1] - 1 : -1]
    chosen = before.gather(-1, written[..., None])[..., 0]
    assert (before.max(-1).values - chosen).max() < 1e-4


def compare_decoder(model: Transformer, theirs: Any, ids: Tensor) -> None:
    written = continuation(model, ids, WRITTEN)
    full = torch.cat([ids, written], 1)
    seen = trace(model, None, full, record=[*RECORD, "logits"])
    known = theirs(full, output_hidden_states=True, output_attentions=True)
    same(seen["logits"], known.logits, "logits")
    same_stack("decoder", without_sinks(seen), known.hidden_states, known.attentions)
    same_choices(written, known.logits)
    same_choices(written, model(None, full))


def without_sinks(seen: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The same with patterns whose rows sum to 1: theirs takes the sink's share from each head's output instead."""
    return {key: value / value.sum(-1, True) if key.endswith(".pattern") else value for key, value in seen.items()}


def compare_encoder(model: Transformer, theirs: Any, ids: Tensor) -> None:
    seen = trace(model, ids, None, record=RECORD)
    known = theirs(ids, output_hidden_states=True, output_attentions=True)
    same(model.logits(model(ids)), known.logits, "logits")
    same_stack("encoder", seen, known.hidden_states, known.attentions)


def compare_both(model: Transformer, theirs: Any, ids: Tensor) -> None:
    start = torch.full((len(ids), 1), theirs.config.decoder_start_token_id)
    written = continuation(model, start, WRITTEN, ids)
    full = torch.cat([start, written], 1)
    seen = trace(model, ids, full, record=[*RECORD, "logits"])
    known = theirs(ids, decoder_input_ids=full, output_hidden_states=True, output_attentions=True)
    same(seen["logits"], known.logits, "logits")
    same_stack("encoder", seen, known.encoder_hidden_states, known.encoder_attentions)
    same_stack("decoder", seen, known.decoder_hidden_states, known.decoder_attentions)
    for layer, pattern in enumerate(known.cross_attentions):
        same(seen[f"decoder.{layer}.cross.pattern"], pattern, f"cross pattern {layer}")
    same_choices(written, known.logits)
    same_choices(written, model(ids, full))


COMPARE = {"decoder": compare_decoder, "encoder": compare_encoder, "encoder-decoder": compare_both}


@pytest.mark.parametrize("family", DRAWS)
@torch.inference_mode()
def test_thirty_drawn_models_give_the_numbers_and_the_text_of_transformers(family: str, tmp_path: Path) -> None:
    """Every second one is written as transformers does, the others as people have them.

    Both compute in float64: a drawn model may make the rounding of float32 large, which differs between processors.
    """
    for seed in range(CONFIGS):
        write = write_varied if seed % 2 else write_folder
        theirs = write(family, seed, tmp_path / str(seed)).double()
        model = load(tmp_path / str(seed), torch.float64)
        generator = torch.Generator().manual_seed(seed)
        ids = torch.randint(0, model.config.vocab_size - 1, (2, 1 + seed % 8), generator=generator)
        if theirs.base_model_prefix == "roberta":  # whose positions do not count padding
            ids[ids == theirs.config.pad_token_id] = 0
        try:
            COMPARE[model.config.architecture](model, theirs, ids)
        except AssertionError as different:
            raise AssertionError(f"{family} {seed}, {model.config}: {different}") from None


BODIES = {
    "bert": ("BertModel", "BertForSequenceClassification", "BertForQuestionAnswering", "BertForTokenClassification"),
    "distilbert": ("DistilBertModel", "DistilBertForSequenceClassification", "DistilBertForQuestionAnswering"),
}


CLASSIFIERS = {
    "bert": "Bert",
    "distilbert": "DistilBert",
    "roberta": "Roberta",
    "xlm-roberta": "XLMRoberta",
    "camembert": "Camembert",
}


@pytest.mark.parametrize("family", CLASSIFIERS)
@torch.inference_mode()
def test_a_classifier_gives_the_classes_of_transformers(family: str, tmp_path: Path) -> None:
    for seed in range(CONFIGS // 3):
        folder = tmp_path / str(seed)
        theirs = write_folder(family, seed, folder, f"{CLASSIFIERS[family]}ForSequenceClassification")
        layer, model = read_class_layer(folder, describe_folder(folder)), load(folder)
        assert layer is not None and layer.labels == ("LABEL_0", "LABEL_1")
        ids = torch.randint(2, model.config.vocab_size - 1, (2, 7), generator=torch.Generator().manual_seed(seed))
        same(layer.logits(model(ids)), theirs(ids).logits, f"{family} {seed}")


@pytest.mark.parametrize(("family", "made"), [(family, made) for family in BODIES for made in BODIES[family]])
@torch.inference_mode()
def test_a_body_without_the_head_of_hidden_words_gives_the_states_of_transformers(
    family: str, made: str, tmp_path: Path
) -> None:
    for seed in range(CONFIGS // 3):
        theirs = write_folder(family, seed, tmp_path / str(seed), made)
        model = load(tmp_path / str(seed))
        ids = torch.randint(0, model.config.vocab_size - 1, (2, 7), generator=torch.Generator().manual_seed(seed))
        known = theirs(ids, output_hidden_states=True, output_attentions=True)
        assert not model.config.masked_head
        same_stack("encoder", trace(model, ids, None, record=RECORD), known.hidden_states, known.attentions)


OTHER_HEADS = {
    "gpt2": ("GPT2ForSequenceClassification", "GPT2ForTokenClassification", "GPT2ForQuestionAnswering"),
    "gpt_neo": ("GPTNeoForSequenceClassification", "GPTNeoForTokenClassification", "GPTNeoForQuestionAnswering"),
    "opt": ("OPTForSequenceClassification", "OPTForQuestionAnswering"),
    "gpt_neox": ("GPTNeoXForSequenceClassification", "GPTNeoXForTokenClassification", "GPTNeoXForQuestionAnswering"),
    "llama": ("LlamaForSequenceClassification", "LlamaForTokenClassification"),
    "mistral": ("MistralForSequenceClassification", "MistralForTokenClassification"),
    "phi3": ("Phi3ForSequenceClassification", "Phi3ForTokenClassification"),
    "qwen2": ("Qwen2ForSequenceClassification", "Qwen2ForTokenClassification"),
    "qwen3": ("Qwen3ForSequenceClassification", "Qwen3ForTokenClassification"),
}


@pytest.mark.parametrize(("family", "made"), [(family, made) for family in OTHER_HEADS for made in OTHER_HEADS[family]])
@torch.inference_mode()
def test_the_body_opens_beside_a_head_for_another_task(family: str, made: str, tmp_path: Path) -> None:
    seeds = [seed for seed in range(CONFIGS) if drawn_model(family, seed).config.tie_word_embeddings][:3]
    for seed in seeds:
        theirs = write_folder(family, seed, tmp_path / str(seed), made)
        model = load(tmp_path / str(seed))
        ids = torch.randint(0, model.config.vocab_size - 1, (2, 7), generator=torch.Generator().manual_seed(seed))
        known = theirs.base_model(ids, output_hidden_states=True, output_attentions=True)
        same_stack("decoder", trace(model, None, ids, record=RECORD), known.hidden_states, known.attentions)
    assert seeds


@pytest.mark.parametrize("extra", ["v_head.summary.weight", "score.bias", "multiple_choice_head.summary.weight"])
def test_a_head_beside_the_one_that_writes_is_left_unread(extra: str, tmp_path: Path) -> None:
    for family in OTHER_HEADS:
        folder = tmp_path / family
        write_folder(family, 1, folder)
        plain = load(folder).state_dict()
        save_file({**load_file(folder / WEIGHTS_FILE), extra: torch.ones(2)}, folder / WEIGHTS_FILE)
        assert all(torch.equal(value, plain[name]) for name, value in load(folder).state_dict().items())


def test_a_classifier_whose_logits_have_no_matrix_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    seed = next(seed for seed in range(CONFIGS) if not drawn_model("llama", seed).config.tie_word_embeddings)
    write_folder("llama", seed, tmp_path, "LlamaForSequenceClassification")
    with pytest.raises(ValueError, match=r"it has no lm_head\.weight, which turns the last states into logits"):
        load(tmp_path)
