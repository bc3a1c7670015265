"""Trained models for a run: which there are, and that a run reads them as training did; no damage gets through."""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from core.checkpoints import shipped, weights
from core.checkpoints.card import read_card, read_config, write_card
from core.device import Placement
from core.model.classifier import Classifier
from core.model.config import TransformerConfig
from core.model.rotary_scaling import RotaryScaling
from core.model.transformer import Transformer, build
from core.text.broken_file import BrokenFile
from core.text.tokenizer import Tokenizer
from core.tracing.run import Run, prepare
from core.training import translation
from core.training.recipes import ALL
from core.training.recipes.toys import ToyTask, draw_letters, toy_config
from tests.core.shelf import LETTERS, TINY, card_of, fill, truncate

CPU = Placement("cpu", "float32")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fill(tmp_path)


def refused(name: str, folder: Path, *words: str) -> None:
    with pytest.raises(ValueError) as error:
        shipped.read(name, folder)
        shipped.tokenizer(name, folder)
        shipped.load(name, CPU, folder)
    said = str(error.value)
    assert said.startswith(f"The model {name} cannot be used: ") and said.count("cannot be used") == 1
    assert str(folder) not in said
    for word in words:
        assert word in said


def prepared(name: str, folder: Path, text: str, target: str = "") -> dict[str, tuple[int, ...]]:
    found = shipped.read(name, folder)
    run = Run(text, found.config, target, source=found.source, format=found.format)
    return {stack: row.ids for stack, row in prepare(run, shipped.tokenizer(name, folder)).rows.items()}


def test_a_card_whose_config_is_none_is_not_among_the_cards(folder: Path) -> None:
    path = folder / "toy-copy" / "card.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "config": {"heads": "two"}}))
    assert set(shipped.cards(folder)) == {card.parent.name for card in folder.glob("*/card.json")} - {"toy-copy"}


def test_titles_and_limits_are_those_of_the_recipes() -> None:
    made = {recipe.name: recipe for recipe in ALL}
    titles = [card.title for card in shipped.cards().values()]
    assert len(set(titles)) == len(titles) and not any(title in made for title in titles)
    for place in sorted(shipped.MODELS_FOLDER.glob("**/card.json")):
        card = read_card(place.parent)
        assert (card.title, card.limits) == (made[card.name].title, made[card.name].limits), place


def test_only_transformers_are_offered(folder: Path) -> None:
    assert shipped.names(folder) == ("sentiment", "storyteller", "toy-copy", "toy-reverse", "translator")
    assert shipped.names(folder / "nowhere") == ()


def test_a_card_that_cannot_be_read_is_offered_and_refused(folder: Path) -> None:
    (folder / "toy-copy" / "card.json").write_text("{")
    assert "toy-copy" in shipped.names(folder)
    refused("toy-copy", folder, "toy-copy/card.json is not JSON")


@pytest.mark.parametrize("name", ["toy-copy", "toy-reverse", "storyteller", "translator", "toy-copy/steps/000100"])
def test_weights_are_those_of_the_file(name: str, folder: Path) -> None:
    ours, _ = weights.load(folder / name)
    model = shipped.load(name, CPU, folder)
    for key, value in ours.state_dict().items():
        torch.testing.assert_close(model.state_dict()[key], value, rtol=0, atol=0)
    assert not any(parameter.requires_grad for parameter in model.parameters()) and not model.training


def test_a_classifier_lends_its_encoder(folder: Path) -> None:
    whole, _ = weights.load(folder / "sentiment")
    assert isinstance(whole, Classifier)
    model, ids = shipped.load("sentiment", CPU, folder), torch.tensor([[300, 301, 302]])
    assert model.config == shipped.read("sentiment", folder).config == whole.config.encoder
    torch.testing.assert_close(whole.head(model(ids).mean(1)), whole(ids))


def test_the_last_layer_of_a_classifier_comes_without_its_encoder(folder: Path) -> None:
    whole, _ = weights.load(folder / "sentiment")
    assert isinstance(whole, Classifier)
    layer = shipped.class_layer("sentiment", folder)
    assert layer and layer.labels == whole.config.labels and not layer.linear.weight.requires_grad
    for key, value in whole.head.state_dict().items():
        torch.testing.assert_close(layer.linear.state_dict()[key], value, rtol=0, atol=0)
    assert shipped.class_layer("toy-copy", folder) is None
    alone, _ = weights.load(folder / "sentiment", part="head")
    assert [name for name, _ in alone.named_parameters()] == ["weight", "bias"]
    save_file({"head.weight": layer.linear.weight.half()}, folder / "sentiment" / "model.safetensors")
    with pytest.raises(BrokenFile, match="missing"):
        shipped.class_layer("sentiment", folder)


def test_a_model_goes_where_and_in_the_format_that_is_asked(folder: Path) -> None:
    model = shipped.load("toy-copy", Placement("cpu", "bfloat16"), folder)
    assert {parameter.dtype for parameter in model.parameters()} == {torch.bfloat16}


def test_steps_on_the_way_have_weights_of_their_own(folder: Path) -> None:
    found = shipped.read("toy-copy", folder)
    assert found.steps == (0, 100)  # the last step is the model itself
    sources = found.source.at(0), found.source.at(100), found.source
    weights = [source.load(CPU).state_dict() for source in sources]
    key = next(key for key in weights[0] if key.endswith("w_q.weight"))
    assert not torch.equal(weights[0][key], weights[1][key]) and not torch.equal(weights[1][key], weights[2][key])


def test_toys_read_what_they_were_trained_on(folder: Path) -> None:
    rng = np.random.default_rng(0)
    letters = draw_letters(7, 1, rng)
    text = "".join(chr(ord("a") + i - 4) for i in letters[0])
    rows = ToyTask("reverse", toy_config("reverse", 0), 0).rows(letters, rng).tensors
    ids = prepared("toy-reverse", folder, text, text[::-1])
    assert list(ids["encoder"]) == rows["source"][0].tolist()
    assert list(ids["decoder"]) == rows["target"][0, :-1].tolist()  # the end is only ever an answer
    given = ToyTask("copy", toy_config("copy", 0), 0).rows(letters, rng).tensors["given"][0]
    assert list(prepared("toy-copy", folder, text)["decoder"]) == given[: 1 + letters.shape[1]].tolist()


def test_a_translator_reads_what_it_was_trained_on(folder: Path) -> None:
    tokenizer = Tokenizer.load("unigram-1000", folder / "translator")
    ids = prepared("translator", folder, "the cat sat", "le chat")
    assert list(ids["encoder"]) == translation.ids_with_end(tokenizer, "the cat sat")
    assert list(ids["decoder"]) == [2, *tokenizer.ids("le chat")]


def test_stories_and_reviews_are_read_bare(folder: Path) -> None:
    for name, stack in (("storyteller", "decoder"), ("sentiment", "encoder")):
        tokenizer = shipped.tokenizer(name, folder)
        assert prepared(name, folder, "the cat sat")[stack] == tokenizer.encode("the cat sat").ids


def an_encoder_with(folder: Path, mask: object, **changes: Any) -> Transformer:
    config = replace(TINY, **{"vocab_size": 1000, "positions": "learned", **changes})
    model = build(config)
    weights.save(folder / "reader", model, card_of("reader", model, {"name": "unigram-1000", "mask": mask}))
    return model


def test_a_reader_is_offered_with_the_piece_that_hides_and_tells_what_is_hidden(folder: Path) -> None:
    built = an_encoder_with(folder, 1)
    found = shipped.read("reader", folder)
    assert "reader" in shipped.names(folder) and found.config.architecture == "encoder"
    assert found.mask == 1 and shipped.read("storyteller", folder).mask is None
    assert (
        prepared("reader", folder, "the cat sat")["encoder"]
        == shipped.tokenizer("reader", folder).encode("the cat sat").ids
    )
    model, ids = shipped.load("reader", CPU, folder), torch.tensor([[300, 1, 302]])
    torch.testing.assert_close(model.logits(model(ids)), built(ids) @ built.embed.weight.T, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("mask", [1000, -1, 2, True, "<unk>", 1.0])
def test_a_mask_that_is_no_piece_is_refused(mask: object, folder: Path) -> None:
    an_encoder_with(folder, mask)
    refused("reader", folder, "its mask", "is not piece 1, which no text holds")


@pytest.mark.parametrize("changes", [{"tied": False}, {"architecture": "decoder"}])
def test_only_an_encoder_with_tied_embeddings_has_a_mask(changes: dict[str, Any], folder: Path) -> None:
    an_encoder_with(folder, 1, **changes)
    refused("reader", folder, "for an encoder with tied embeddings")


def test_the_end_counts_among_the_tokens_and_stands_before_padding(folder: Path) -> None:
    found = shipped.read("toy-reverse", folder)
    run = Run("ab" * 50, found.config, "a", pads=3, format=found.format)
    row = prepare(run, shipped.tokenizer("toy-reverse", folder)).rows["encoder"]
    assert len(row) == found.config.max_length
    assert row.pieces[-5:] == ("b", "(end)", "(pad)", "(pad)", "(pad)")
    assert row.words == tuple(range(len(row)))
    assert row.note == "Only the first 60 of 100 tokens are used."


def test_damage_is_said_in_one_sentence(folder: Path) -> None:
    truncate(folder / "toy-copy" / "model.safetensors")
    refused("toy-copy", folder, "toy-copy/model.safetensors is truncated")
    (folder / "toy-reverse" / "model.safetensors").unlink()
    refused("toy-reverse", folder, "toy-reverse/model.safetensors does not exist")
    (folder / "translator" / "unigram-1000.model").unlink()
    refused("translator", folder, "unigram-1000.model is missing or damaged")
    refused("nowhere", folder, "nowhere/card.json does not exist")
    refused("rnn", folder, "recurrent")


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("tokenizer", {"name": "unigram-1000"}, "knows 30 pieces, its tokenizer 1,000"),
        ("tokenizer", {"symbols": ["a"]}, "A list of symbols is"),
        ("tokenizer", {"words": "words.txt"}, "names no tokenizer"),
        ("config", {"d_model": 2048, "vocab_size": 8000}, "the most"),
        ("config", {"d_model": 7}, "not divisible"),
    ],
)
def test_cards_that_do_not_fit_are_refused(part: str, value: dict[str, object], words: str, folder: Path) -> None:
    path = folder / "toy-copy" / "card.json"
    card = json.loads(path.read_text())
    card[part] = value if part == "tokenizer" else card[part] | value
    path.write_text(json.dumps(card))
    refused("toy-copy", folder, words)


@pytest.mark.parametrize("name", ["toy-copy", "sentiment", "toy-copy/steps/000100"])
def test_a_card_of_very_many_layers_is_refused_at_once(name: str, folder: Path) -> None:
    card = json.loads((folder / name / "card.json").read_text())
    card["config"].get("encoder", card["config"])["layers"] = 100_000
    (folder / name / "card.json").write_text(json.dumps(card))
    start = time.thread_time()
    with pytest.raises(ValueError, match="describes 100,000 layers, and 100 are the most"):
        shipped.load(name, CPU, folder)
    if "/" not in name:
        refused(name, folder, "describes 100,000 layers, and 100 are the most")
    assert time.thread_time() - start < 5


def test_a_decoder_of_very_many_layers_is_refused_too(tmp_path: Path) -> None:
    card = card_of("deep", build(TINY), LETTERS)
    deep = replace(card, config={**card.config, "architecture": "encoder-decoder", "decoder_layers": 100_000})
    with pytest.raises(ValueError, match="describes 100,000 layers, and 100 are the most"):
        read_config(deep, tmp_path)


def test_windows_and_a_scaling_of_angles_come_back_from_a_card(tmp_path: Path) -> None:
    config = TransformerConfig("decoder", 20, 8, 2, 2, windows=(3, 0), rotary_scaling=RotaryScaling("linear", 2.0))
    write_card(tmp_path, card_of("window", build(config), LETTERS))
    assert read_config(read_card(tmp_path), tmp_path) == config
