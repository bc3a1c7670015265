"""A checkpoint comes back as it was written, and nothing else is taken for one."""

import json
from contextlib import contextmanager
from dataclasses import asdict, replace

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.checkpoints import weights
from core.checkpoints.card import CARD, Card, family_of
from core.checkpoints.safetensors_file import open_tensors
from core.checkpoints.weights import WEIGHTS, load, save
from core.model import classifier, recurrent, transformer, word2vec
from core.model.config import TransformerConfig
from core.text.broken_file import BrokenFile

TINY = TransformerConfig(vocab_size=11, d_model=8, heads=2, layers=1, architecture="encoder-decoder")
MODELS = {
    "transformer": transformer.build(TINY),
    "recurrent": recurrent.build(recurrent.RecurrentConfig(vocab_size=11, d_model=8, units=6)),
    "classifier": classifier.build(classifier.ClassifierConfig(replace(TINY, architecture="encoder"))),
    "word-vectors": word2vec.build(word2vec.WordVectorsConfig(vocab_size=7, d_model=4)),
}


def card_of(model) -> Card:
    return Card(
        name="tiny",
        title="Tiny model",
        what="a model for tests",
        limits="It knows nothing.",
        family=family_of(model.config),
        config=json.loads(json.dumps(asdict(model.config))),
        tokenizer={"symbols": ["a", "b"]},
        data=({"text": "none", "licence": "none"},),
        split="none",
        seed=3,
        steps=4,
        minutes=0.5,
        parameters=sum(p.numel() for p in model.parameters()),
        commands={"train": "python -m core.training tiny", "evaluate": "python -m core.training evaluate tiny"},
        scores={"loss": 1.5},
    )


@pytest.fixture
def folder(tmp_path):
    save(tmp_path, MODELS["transformer"], card_of(MODELS["transformer"]))
    return tmp_path


def refused(folder, *words) -> None:
    with pytest.raises(BrokenFile) as error:
        load(folder)
    for word in words:
        assert word in str(error.value)


def change(folder, **changes) -> None:
    tensors = load_file(folder / WEIGHTS) | changes
    save_file({name: value for name, value in tensors.items() if value is not None}, folder / WEIGHTS)


@pytest.mark.parametrize("family", MODELS)
def test_a_model_comes_back_rounded_to_float16(family, tmp_path):
    model = MODELS[family]
    save(tmp_path, model, card_of(model))
    loaded, card = load(tmp_path)
    assert (card, loaded.config) == (card_of(model), model.config)
    assert not loaded.training
    assert loaded.state_dict().keys() == model.state_dict().keys()
    for name, value in loaded.state_dict().items():
        assert torch.equal(value, model.state_dict()[name].half().float())
    assert not any(p.requires_grad or p.is_meta for p in loaded.parameters())
    assert sorted(path.name for path in tmp_path.iterdir()) == [CARD, WEIGHTS]


def test_a_file_is_opened_for_a_few_tensors_at_a_time(folder, monkeypatch):
    opened = []

    @contextmanager
    def counted(path, framework):
        with open_tensors(path, framework) as file:
            opened.append(path)
            yield file

    whole = load(folder)[0].state_dict()
    monkeypatch.setattr(weights, "open_tensors", counted)
    monkeypatch.setattr(weights, "AT_ONCE", 200)
    parts = load(folder)[0].state_dict()
    assert all(torch.equal(whole[name], value) for name, value in parts.items())
    assert 10 < len(opened) < len(whole)


def test_a_file_that_is_replaced_meanwhile_is_refused(folder, monkeypatch):
    @contextmanager
    def replaced(path, framework):
        with open_tensors(path, framework) as file:
            yield file
        save(folder, MODELS["transformer"], card_of(MODELS["transformer"]))

    monkeypatch.setattr(weights, "open_tensors", replaced)
    refused(folder, WEIGHTS, "was replaced while it was read")


def test_a_loaded_model_computes(folder):
    source, target = torch.tensor([[1, 2, 3]]), torch.tensor([[2, 4]])
    close = load(folder)[0](source, target) - MODELS["transformer"](source, target)
    assert close.abs().max() < 1e-2


@pytest.mark.parametrize("keep", [0, 5, 500, -1])
def test_a_truncated_file_is_refused(folder, keep):
    raw = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(raw[:keep])
    refused(folder, WEIGHTS, "truncated or not a safetensors file")


def test_what_is_not_safetensors_is_refused(folder):
    torch.save({"embed.weight": torch.zeros(11, 8)}, folder / WEIGHTS)
    refused(folder, "not a safetensors file")


@pytest.mark.parametrize("name", [CARD, WEIGHTS])
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    refused(folder, name, "does not exist")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (torch.zeros(11, 9).half(), ("F16 (11, 9)", "F16 (11, 8)")),
        (torch.zeros(11, 8), ("F32 (11, 8)",)),
        (torch.zeros(88).half(), ("F16 (88,)",)),
        (None, ("is missing",)),
        (torch.full((11, 8), float("nan")).half(), ("not finite",)),
        (torch.full((11, 8), float("inf")).half(), ("not finite",)),
    ],
)
def test_a_wrong_tensor_is_refused(folder, value, words):
    change(folder, **{"embed.weight": value})
    refused(folder, "embed.weight", *words)


def test_an_extra_tensor_is_refused(folder):
    change(folder, more=torch.zeros(1).half())
    refused(folder, "more is unknown")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("family", "oracle", ("oracle", "transformer")),
        ("family", "o" * 999, (f"family '{'o' * 40}' is not",)),
        ("config", {"d_model": 65}, ("65 is not divisible",)),
        ("config", {"depth": 3}, ("depth",)),
        ("config", [], ("config must be an object",)),
        ("family", ["transformer"], ("family must be a text",)),
        ("data", 3, ("data must be a list", "3")),
        ("steps", "many", ("steps must be a whole number", "many")),
        ("minutes", None, ("minutes must be a number",)),
        ("minutes", 1e400, ("Infinity is no number of JSON",)),
        ("minutes", -1, ("-1 minutes of training cannot be",)),
        ("what", "", ("what must be a text",)),
        ("data", [{"text": "none"}], ("source 1 of the data must have a text and a licence",)),
        ("data", [3], ("source 1 of the data",)),
        ("commands", {"train": 3}, ("each command must be a text",)),
        ("config", {"layers": 1.5}, ("layers must be a whole number, not 1.5",)),
        ("config", {"max_length": 64.0}, ("max_length must be a whole number, not 64.0",)),
        ("config", {"vocab_size": 10**30}, ("vocab_size of the config is more than 16,777,216",)),
        ("config", {"residual": 1}, ("residual of the config cannot be '1'",)),
        ("config", {"vocab_size": True}, ("vocab_size of the config cannot be 'True'",)),
        ("surprise", 1, ("surprise",)),
        ("s" * 999, 1, ("missing or unknown: " + "s" * 40 + ".",)),
    ],
)
def test_a_wrong_card_is_refused(folder, field, value, words):
    card = json.loads((folder / CARD).read_text()) | {field: value}
    (folder / CARD).write_text(json.dumps(card))
    refused(folder, CARD, *words)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": "x"}', "[" * 100_000, "9" * 5000])
def test_a_card_that_is_none_is_refused(folder, text):
    (folder / CARD).write_text(text)
    refused(folder, CARD)


def test_of_many_unknown_fields_the_first_are_named(folder):
    card = json.loads((folder / CARD).read_text()) | {f"field{number}": 1 for number in range(9)}
    (folder / CARD).write_text(json.dumps(card))
    refused(folder, "missing or unknown: field0, field1, field2, field3, field4 and 4 more.")


def test_a_long_name_of_a_tensor_is_cut(folder):
    change(folder, **{"a" * 999: torch.zeros(1).half()})
    refused(folder, f"tensor {'a' * 80} is unknown")


def test_weights_beyond_float16_are_not_written(tmp_path):
    model = transformer.build(TINY)
    model.embed.weight.data[0, 0] = 1e6
    with pytest.raises(ValueError, match=r"embed.weight holds numbers that are not finite in float16"):
        save(tmp_path, model, card_of(model))
    assert list(tmp_path.iterdir()) == []
