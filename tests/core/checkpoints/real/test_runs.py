"""Real models in runs: their own special pieces around a text, and their own end of what they write."""

from pathlib import Path
from typing import Any

import pytest
import torch

from core.checkpoints.real import places
from core.checkpoints.real.reading import Described
from core.decoding.sampling import GREEDY
from core.device import Placement
from core.model.masks import CausalMask, PaddingMask
from core.model.transformer import Transformer
from core.registry import ModelRegistry
from core.text.hub import HubTokenizer
from core.topics.generate.samples import samples
from core.topics.generate.texts import beam, generate_tokens
from core.topics.journey.guesses import guesses
from core.tracing.run import Run, prepare
from tests.core.checkpoints.real.drawn import transformers
from tests.core.checkpoints.real.vocabularies import trained, write_marian

CPU = Placement("cpu", "float32")


def opened(place: Path, theirs: Any, tokenizer: str = "") -> tuple[Transformer, HubTokenizer]:
    """A model of theirs, written into a place and read from it."""
    theirs.save_pretrained(place / "it")
    if tokenizer:
        (place / "it" / "tokenizer.json").write_text(trained(tokenizer))
    return places.load("it", CPU, place), places.open_model("it", place)[1]


def run_of(model: Transformer, text: str, target: str = "") -> Run:
    causal = (CausalMask(),) if "decoder" in model.config.stacks else ()
    return Run(text, model.config, target, masks=causal)


def test_bert_reads_its_text_between_its_own_pieces_and_guesses_what_is_hidden(tmp_path: Path) -> None:
    config = transformers.BertConfig(vocab_size=150, hidden_size=8, num_hidden_layers=1, num_attention_heads=2)
    theirs = transformers.BertForMaskedLM(config).eval()
    model, tokenizer = opened(tmp_path, theirs, "word-pieces")
    run = run_of(model, "The cat sat on the [MASK].")
    row = prepare(run, tokenizer).rows["encoder"]
    known = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "it" / "tokenizer.json"))
    assert list(row.ids) == known(run.text)["input_ids"] and (row.pieces[0], row.pieces[-1]) == ("[CLS]", "[SEP]")
    (found,) = guesses(model, tokenizer, run)
    with torch.inference_mode():
        probabilities = theirs(torch.tensor([row.ids])).logits[0, row.ids.index(4)].softmax(-1)
    best = probabilities.topk(len(found.pieces))
    assert [probability for _, probability in found.pieces] == pytest.approx(best.values.tolist(), rel=1e-4)
    assert [piece for piece, _ in found.pieces] == list(tokenizer.labels(best.indices.tolist()))


def test_a_translation_begins_and_ends_with_the_ids_of_its_model(tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    rows = write_marian(tmp_path / "it")
    config = transformers.MarianConfig(
        vocab_size=rows,
        d_model=8,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=8,
        decoder_ffn_dim=8,
        max_position_embeddings=40,
        pad_token_id=rows - 1,
        decoder_start_token_id=rows - 1,
        eos_token_id=0,
    )
    theirs = transformers.MarianMTModel(config).eval()
    theirs.final_logits_bias[0, 9] = 5.0
    model, tokenizer = opened(tmp_path, theirs)
    run = run_of(model, "the cat", "the dog")
    both = prepare(run, tokenizer).rows
    known = transformers.MarianTokenizer.from_pretrained(tmp_path / "it")
    assert list(both["encoder"].ids) == known("the cat")["input_ids"]
    assert list(both["decoder"].ids) == [rows - 1, *known(text_target="the dog")["input_ids"][:-1]]
    long = generate_tokens(model, tokenizer, run, GREEDY, max_tokens=6)
    assert [each.chosen for each in long] == [9] * 6
    with torch.no_grad():
        model.get_parameter("output_bias")[0] = 10.0  # </s> before everything else
    assert [each.chosen for each in generate_tokens(model, tokenizer, run, GREEDY, max_tokens=6)] == [0]
    assert [each.ids for each in samples(model, tokenizer, run, GREEDY, 2, 6)] == [(0,), (0,)]
    assert beam(model, tokenizer, run, 1, max_tokens=6).nodes[0].fate == "finished"


def test_a_folder_is_described_once_to_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = transformers.GPT2Config(vocab_size=330, n_positions=30, n_embd=8, n_layer=1, n_head=2)
    model, tokenizer = opened(tmp_path, transformers.GPT2LMHeadModel(config), "byte-level")
    described, seen = places.describe_folder, list[Path]()

    def noted(folder: Path) -> Described:
        seen.append(folder)
        return described(folder)

    monkeypatch.setattr(places, "describe_folder", noted)
    known, same = ModelRegistry(place=tmp_path).source("real:it").open()
    assert seen == [tmp_path / "it"] and known.card.name == known.name == "real:it"
    assert known.config == model.config and same.encode("the cat").ids == tokenizer.encode("the cat").ids


def test_a_model_without_padding_says_so(tmp_path: Path) -> None:
    config = transformers.GPT2Config(vocab_size=330, n_positions=30, n_embd=8, n_layer=1, n_head=2)
    model, tokenizer = opened(tmp_path, transformers.GPT2LMHeadModel(config), "byte-level")
    run = Run("the cat", model.config, pads=2, masks=(CausalMask(), PaddingMask()))
    with pytest.raises(ValueError, match="This model has no padding token"):
        prepare(run, tokenizer)
    assert prepare(run_of(model, "the cat"), tokenizer).rows["decoder"].ids == tokenizer.encode("the cat").ids
