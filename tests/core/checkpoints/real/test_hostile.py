"""Folders that are damaged, or made to do harm, are refused with one sentence that names what is wrong."""

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.checkpoints.real import places
from core.checkpoints.real.files import INDEX, WEIGHTS_FILE
from core.device import Placement
from tests.core.checkpoints.real.drawn import write_folder
from tests.core.checkpoints.real.vocabularies import trained

CPU = Placement("cpu", "float32")
Spoil = Callable[[Path], object]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real") / "gpt2"
    write_folder("gpt2", 3, folder)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A sound folder of its own, to be spoilt."""
    here = tmp_path / "place" / "gpt2"
    here.mkdir(parents=True)
    for file in written.iterdir():
        (here / file.name).write_bytes(file.read_bytes())
    return here


def refusal(folder: Path) -> str:
    with pytest.raises(ValueError) as error:
        places.load(folder.name, CPU, folder.parent)
    said = str(error.value)
    assert said.startswith(f"The model {folder.name} cannot be used: ") and "\n" not in said
    assert str(folder.parent) not in said and len(said) < 500
    return said


def option(name: str, value: object) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))

    return spoil


def tensors(change: Callable[[dict[str, Any]], object]) -> Spoil:
    def spoil(folder: Path) -> None:
        held = load_file(folder / WEIGHTS_FILE)
        change(held)
        save_file({name: value.contiguous() for name, value in held.items()}, folder / WEIGHTS_FILE)

    return spoil


def header(change: Callable[[dict[str, Any]], object]) -> Spoil:
    def spoil(folder: Path) -> None:
        raw = (folder / WEIGHTS_FILE).read_bytes()
        (length,) = struct.unpack("<Q", raw[:8])
        values = json.loads(raw[8 : 8 + length])
        change(values)
        said = json.dumps(values).encode()
        (folder / WEIGHTS_FILE).write_bytes(struct.pack("<Q", len(said)) + said + raw[8 + length :])

    return spoil


def text(name: str, value: str) -> Spoil:
    return lambda folder: (folder / name).write_text(value)


def sharded(folder: Path, **changes: str) -> Path:
    """The weights in two files with an index, in which some tensors are said to stand elsewhere; its path."""
    held = load_file(folder / WEIGHTS_FILE)
    half = len(held) // 2
    index: dict[str, str] = {}
    for number, names in enumerate((list(held)[:half], list(held)[half:])):
        save_file({name: held[name] for name in names}, folder / f"model-{number}.safetensors")
        index |= dict.fromkeys(names, f"model-{number}.safetensors")
    (folder / WEIGHTS_FILE).unlink()
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": {**index, **changes}}))
    return folder / INDEX


def doubled(folder: Path) -> None:
    """A tensor in both files, and the index says of neither that it is the right one."""
    index = json.loads(sharded(folder).read_text())
    name, *_ = (each for each, file in index["weight_map"].items() if file == "model-0.safetensors")
    second = load_file(folder / "model-1.safetensors")
    save_file({**second, name: load_file(folder / "model-0.safetensors")[name]}, folder / "model-1.safetensors")
    del index["weight_map"][name]
    (folder / INDEX).write_text(json.dumps(index))


WTE, BIAS = "transformer.wte.weight", "transformer.h.0.attn.c_attn.bias"
SPOILT: dict[str, tuple[Spoil, str]] = {
    "no config": (lambda folder: (folder / "config.json").write_text(""), "config.json is not JSON"),
    "config is a list": (text("config.json", "[]"), "config.json holds no object"),
    "deep config": (text("config.json", '{"a":' + "[" * 200_000 + "]" * 200_000 + "}"), "nested too deeply"),
    "large config": (text("config.json", '{"a":"' + "x" * 2**22 + '"}'), "bytes, and 4,194,304 are the most"),
    "infinite number": (text("config.json", '{"n_layer": Infinity}'), "Infinity is no number"),
    "very long number": (text("config.json", '{"n_layer": ' + "9" * 10_000 + "}"), "config.json is not JSON"),
    "bytes that are no text": (lambda folder: (folder / "config.json").write_bytes(b"\xff{}"), "is not JSON"),
    "no family": (option("model_type", None), "has no model_type; those that can be read are gpt2, gpt_neo"),
    "unknown family": (option("model_type", "mamba\n<b>"), "the model_type “mamba↵<b>”; those that can be read"),
    "code of its own": (option("auto_map", {"AutoModel": "x.Y"}), "auto_map names Y, a class with code of its own"),
    "quantised": (
        option("quantization_config", {"bits": 4}),
        "quantization_config says that its weights are quantised",
    ),
    "compressed": (option("compression_config", {"a": 4}), "compression_config says that its weights are quantised"),
    "quantised by MLX": (option("quantization", {"bits": 4}), "quantization says that its weights are quantised"),
    "layers of their own options": (
        option("per_layer_config", {"0": {"n_head": 1}}),
        "per_layer_config is {'0': {'n_head': 1}}, which cannot be carried out",
    ),
    "unknown option": (
        option("attn_logit_softcapping", 50.0),
        "attn_logit_softcapping is 50.0, which cannot be carried out",
    ),
    "cross-attention": (
        option("add_cross_attention", True),
        "add_cross_attention is True, which cannot be carried out",
    ),
    "scaled by layer": (option("scale_attn_by_inverse_layer_idx", True), "scale_attn_by_inverse_layer_idx is True"),
    "unknown activation": (option("activation_function", "mish"), "activation_function is 'mish', and must be one of"),
    "no activation": (option("activation_function", ["relu"]), "activation_function is ['relu'], and must be"),
    "layers that are no number": (option("n_layer", "3"), "n_layer is '3', and must be a whole number from 1 to 100"),
    "very many layers": (option("n_layer", 10**9), "n_layer is 1000000000, and must be a whole number from 1 to 100"),
    "true layers": (option("n_layer", True), "n_layer is True, and must be"),
    "a missing size": (option("n_embd", None), "config.json does not say n_embd"),
    "heads that do not divide": (option("n_head", 5), "is not divisible by 5 heads"),
    "other sizes": (option("vocab_size", 61), f"the tensor {WTE} is ("),
    "a missing layer": (option("n_layer", 9), "is missing, one of"),
    "a surplus layer": (option("n_layer", 1), "the tensor transformer.h.1."),
    "a missing tensor": (tensors(lambda held: held.pop(WTE)), f"the tensor {WTE} is missing"),
    "a surplus tensor": (tensors(lambda held: held.update(extra=torch.ones(1))), "the tensor extra is unknown"),
    "a misshapen tensor": (tensors(lambda held: held.update({BIAS: torch.ones(5)})), f"the tensor {BIAS} is (5,)"),
    "whole numbers": (tensors(lambda held: held.update({BIAS: held[BIAS].int()})), f"the tensor {BIAS} is of I32"),
    "numbers too precise": (tensors(lambda held: held.update({BIAS: held[BIAS].double()})), "is of F64"),
    "not a number": (tensors(lambda held: held[BIAS].fill_(torch.nan)), f"{BIAS} holds numbers that are not finite"),
    "a tie that is none": (
        tensors(lambda held: held.update({"lm_head.weight": held[WTE] + 1})),
        "lm_head.weight must equal the tensor that it is tied to",
    ),
    "an empty file": (lambda folder: (folder / WEIGHTS_FILE).write_bytes(b""), "model.safetensors is truncated or no"),
    "a truncated file": (
        lambda f: (f / WEIGHTS_FILE).write_bytes((f / WEIGHTS_FILE).read_bytes()[:-9]),
        "is truncated or no",
    ),
    "a longer file": (
        lambda f: (f / WEIGHTS_FILE).write_bytes((f / WEIGHTS_FILE).read_bytes() + b"x"),
        "is truncated or no",
    ),
    "a header of all memory": (
        lambda f: (f / WEIGHTS_FILE).write_bytes(struct.pack("<Q", 2**62) + (f / WEIGHTS_FILE).read_bytes()[8:]),
        "is truncated or no safetensors file (header too large)",
    ),
    "a deep header": (
        lambda f: (f / WEIGHTS_FILE).write_bytes(struct.pack("<Q", 90_000) + b"[" * 90_000),
        "truncated or no",
    ),
    "offsets beyond the end": (header(lambda h: h[BIAS].update(data_offsets=[0, 10**12])), "is truncated or no"),
    "offsets backwards": (header(lambda h: h[BIAS].update(data_offsets=[96, 0])), "is truncated or no"),
    "a shape of all memory": (header(lambda h: h[BIAS].update(shape=[2**40])), "is truncated or no"),
    "offsets that overlap": (header(lambda h: h[WTE].update(data_offsets=h[BIAS]["data_offsets"])), "is truncated"),
    "only pickle": (
        lambda f: (f / WEIGHTS_FILE).rename(f / "pytorch_model.bin"),
        "pytorch_model.bin can run code when it is read, so it never is",
    ),
    "quantised tensors": (
        tensors(lambda held: held.update({f"{WTE[:-6]}qweight": held.pop(WTE)})),
        "its weights are quantised, which is not read here; take the model from which they were made (trans",
    ),
    "compiled": (
        tensors(lambda held: held.update({f"_orig_mod.{name}": held.pop(name) for name in list(held)})),
        "its tensors are those of a model inside torch.compile or DataParallel (_orig_mod.transformer.",
    ),
    "in parallel": (
        tensors(lambda held: held.update({f"module.{name}": held.pop(name) for name in list(held)})),
        "its tensors are those of a model inside torch.compile or DataParallel (module.transformer.",
    ),
    "an adapter inside": (
        tensors(lambda held: held.update({"base_model.model.x.lora_A.weight": torch.ones(1)})),
        "its tensors are those of an adapter (base_model.model.x.lora_A.weight) and no whole model",
    ),
    "nothing": (lambda folder: (folder / WEIGHTS_FILE).unlink(), "model.safetensors is missing"),
    "index up": (lambda f: sharded(f, **{WTE: "../x.safetensors"}), "“../x.safetensors” is no name of a file in this"),
    "index at the root": (lambda f: sharded(f, **{WTE: "/etc/passwd"}), "“/etc/passwd” is no name of a file in"),
    "index hidden": (lambda f: sharded(f, **{WTE: ".x.safetensors"}), "is no name of a file in this folder"),
    "index of nothing": (lambda f: sharded(f, **{WTE: ""}), "is no name of a file in this folder"),
    "index of pickle": (lambda f: sharded(f, extra="model.bin"), "model.bin is no safetensors file"),
    "index of a missing file": (lambda f: sharded(f, extra="no.safetensors"), "no.safetensors is missing"),
    "a tensor in two files": (doubled, "model-1.safetensors and model-0.safetensors both hold"),
    "index that is none": (lambda f: sharded(f).write_text('{"weight_map": 3}'), "has no weight_map"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_folder_is_refused_by_name(kind: str, folder: Path) -> None:
    spoil, said = SPOILT[kind]
    spoil(folder)
    assert said in refusal(folder)


@pytest.mark.parametrize("name", [WEIGHTS_FILE, "config.json"])
def test_a_link_out_of_the_folder_is_refused(name: str, folder: Path, tmp_path: Path) -> None:
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    assert f"{name} is a link out of the folder" in refusal(folder)


def test_a_sound_folder_and_its_shards_are_read(folder: Path) -> None:
    whole = places.load("gpt2", CPU, folder.parent).state_dict()
    sharded(folder)
    for name, value in places.load("gpt2", CPU, folder.parent).state_dict().items():
        assert torch.equal(value, whole[name])


def test_flipped_bits_are_refused_or_change_numbers_only(folder: Path) -> None:
    rng = random.Random(0)
    for name in ("config.json", WEIGHTS_FILE):
        raw = (folder / name).read_bytes()
        for _ in range(150):
            flipped = bytearray(raw)
            flipped[rng.randrange(min(len(raw), 4000))] ^= 1 << rng.randrange(8)
            (folder / name).write_bytes(flipped)
            try:
                places.load("gpt2", CPU, folder.parent)
            except ValueError as refused:
                assert "\n" not in str(refused) and str(folder.parent) not in str(refused)
        (folder / name).write_bytes(raw)


@pytest.mark.parametrize("kind", ["byte-level", "word-pieces", "unigram"])
def test_a_damaged_tokenizer_is_refused(kind: str, folder: Path) -> None:
    raw = trained(kind).encode()
    rng = random.Random(1)
    spoilt = [raw[:100], b"", b"[]", b"\xff", b'{"a":' + b"[" * 90_000]
    for _ in range(60):
        flipped = bytearray(raw)
        flipped[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        spoilt.append(bytes(flipped))
    refused = 0
    for each in spoilt:
        (folder / "tokenizer.json").write_bytes(each)
        try:
            places.open_model("gpt2", folder.parent)[1].encode("the cat")
        except ValueError as error:
            refused += 1
            assert str(folder.parent) not in str(error)
    assert refused >= 5


def test_names_that_are_no_folder_of_the_place_are_refused(folder: Path) -> None:
    for name in ("..", "../place/gpt2", "/etc", "", ".", "gpt2/", "nowhere"):
        with pytest.raises(ValueError, match="in the folder that ATTENTION_EXPLORER_MODELS names"):
            places.load(name, CPU, folder.parent)
