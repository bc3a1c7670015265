"""Bringing a model into a place: from disk, and from a hub on this machine; no test asks the network."""

import json
import sys
from pathlib import Path
from shutil import copytree

import pytest

from core.checkpoints.__main__ import main
from core.checkpoints.real.bring import bring, wanted_files
from core.checkpoints.real.places import PLACE_VARIABLE, real_names
from tests.core.checkpoints.real.drawn import transformers, write_folder
from tests.core.checkpoints.real.local_hub import LocalHub, local_hub
from tests.core.checkpoints.real.vocabularies import trained


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disk") / "small-gpt"
    config = transformers.GPT2Config(vocab_size=330, n_positions=40, n_embd=8, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    (folder / "tokenizer.json").write_text(trained("byte-level"))
    (folder / "README.md").write_text("---\nlanguage: en\nlicense: mit\n---\n# A model")
    (folder / "modeling.py").write_text("raise SystemExit('never run')")
    (folder / "pytorch_model.bin").write_bytes(b"never read")
    return folder


def test_a_folder_is_copied_with_its_licence_and_without_code(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(source), "--to", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "Licence: mit" in said and "[##############################]" in said and "GPT-2" in said
    assert real_names(tmp_path) == ("small-gpt",)
    held = {file.name for file in (tmp_path / "small-gpt").iterdir()}
    assert held >= {"config.json", "model.safetensors", "tokenizer.json", "attention-explorer.json"}
    assert not held & {"modeling.py", "pytorch_model.bin", "README.md"}
    assert main(["import", str(source), "--to", str(tmp_path)]) == 1
    assert "small-gpt is there already" in capsys.readouterr().err


def test_the_place_comes_from_the_environment_or_is_asked_for(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(PLACE_VARIABLE, raising=False)
    assert main(["import", str(source)]) == 2
    assert f"--to FOLDER, or the environment variable {PLACE_VARIABLE}" in capsys.readouterr().err
    monkeypatch.setenv(PLACE_VARIABLE, str(tmp_path))
    assert main(["import", str(source)]) == 0 and real_names(tmp_path) == ("small-gpt",)


def test_what_cannot_be_read_leaves_nothing_behind(source: Path, tmp_path: Path) -> None:
    spoilt = tmp_path / "spoilt"
    write_folder("gpt2", 3, spoilt)  # with no tokenizer
    with pytest.raises(ValueError, match="it has no tokenizer"):
        bring(str(spoilt), tmp_path / "place", say=str)
    (spoilt / "model.safetensors").unlink()
    with pytest.raises(ValueError, match=r"model\.safetensors is missing"):
        bring(str(spoilt), tmp_path / "place", say=str)
    (spoilt / "model.safetensors").symlink_to(source / "model.safetensors")
    with pytest.raises(ValueError, match=r"model\.safetensors is a link out of the folder"):
        bring(str(spoilt), tmp_path / "place", say=str)
    for wrong in ("a/b/c", "no/../such/x", "http://x.y/z", "-x"):
        with pytest.raises(ValueError, match="is neither a folder nor a name on the hub"):
            bring(wrong, tmp_path / "place", say=str)
    assert list((tmp_path / "place").iterdir()) == []


OTHERS = ("onnx/config.json", "consolidated.safetensors", "tf_model.h5")


@pytest.fixture(scope="module")
def published(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source as it lies on the hub, beside what is not read."""
    folder = tmp_path_factory.mktemp("hub") / "small-gpt"
    copytree(source, folder)
    for name in OTHERS:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}")
    return folder


def test_a_model_of_the_hub_is_fetched_by_name(published: Path, tmp_path: Path) -> None:
    said: list[str] = []
    with local_hub(models={"somebody/small-gpt": published}) as hub:
        found = bring("somebody/small-gpt", tmp_path, said.append, endpoint=hub.address)
    fetched = {line.split()[1] for line in hub.log if line.startswith("GET")} - {"somebody/small-gpt"}
    assert fetched == {"config.json", "generation_config.json", "model.safetensors", "tokenizer.json"}
    assert found.origin.licence == "apache-2.0" and "Licence: apache-2.0" in said[0]
    assert (found.name, found.origin.title) == ("small-gpt", "somebody/small-gpt")
    assert found.origin.source == "the hub: somebody/small-gpt, revision 0123456789ab"
    held = {path.name for path in (tmp_path / "small-gpt").iterdir()}
    assert held == {*fetched, "attention-explorer.json"}


def test_weights_in_several_files_are_fetched_with_their_index(tmp_path: Path) -> None:
    config = transformers.GPT2Config(vocab_size=330, n_positions=40, n_embd=8, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path / "parts", max_shard_size="5KB")
    (tmp_path / "parts" / "tokenizer.json").write_text(trained("byte-level"))
    with local_hub(models={"parts": tmp_path / "parts"}) as hub:
        assert bring("parts", tmp_path / "place", str, endpoint=hub.address).parameters > 0
    assert len(list((tmp_path / "place" / "parts").glob("model-*.safetensors"))) > 1


def changed(source: Path, to: Path, **options: object) -> Path:
    """A copy of a folder with other options; None takes one out."""
    copytree(source, to)
    values = {**json.loads((to / "config.json").read_text()), **options}
    (to / "config.json").write_text(json.dumps({name: value for name, value in values.items() if value is not None}))
    return to


@pytest.mark.parametrize(
    ("options", "most", "said", "seen"),
    [
        ({"model_type": "gemma2"}, None, "the model_type “gemma2”", {"config.json"}),
        ({"quantization": {"bits": 4}}, None, "quantization says that its weights are quantised", None),
        ({"is_causal": False}, None, "is_causal is False; only True can be carried out", None),
        ({}, (1000, "the GPU's memory"), "MiB, and 0 MiB of the GPU's memory may be used", None),
    ],
)
def test_a_refused_model_of_the_hub_is_judged_before_its_weights_are_fetched(
    options: dict[str, object],
    most: tuple[int, str] | None,
    said: str,
    seen: set[str] | None,
    source: Path,
    tmp_path: Path,
) -> None:
    folder = changed(source, tmp_path / "refused", **options)
    weights = (folder / "model.safetensors").stat().st_size
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes() + bytes(2**20))
    with local_hub(models={"a/refused": folder}) as hub, pytest.raises(ValueError, match=said) as error:
        bring("a/refused", tmp_path / "place", str, most, hub.address)
    assert str(error.value).startswith("The model refused cannot be used: ")
    fetched = {line.split()[1] for line in hub.log} - {"a/refused"}
    assert fetched == (seen or {"config.json", "generation_config.json", "model.safetensors"})
    assert hub.sent("model.safetensors") < weights + 2**19  # no more than the first 100,000 bytes, for the header
    assert list((tmp_path / "place").iterdir()) == []


def test_a_refused_folder_is_judged_before_its_weights_are_copied(source: Path, tmp_path: Path) -> None:
    folder = changed(source, tmp_path / "refused", is_causal=False)
    (folder / "model.safetensors").write_bytes((source / "model.safetensors").read_bytes())
    said: list[str] = []
    with pytest.raises(ValueError, match="is_causal is False"):
        bring(str(folder), tmp_path / "place", said.append)
    assert said == [] and list((tmp_path / "place").iterdir()) == []


def test_a_check_says_what_would_come_and_keeps_nothing(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PLACE_VARIABLE, raising=False)
    with local_hub(models={"a/gpt": published}) as hub:
        assert main(["import", "a/gpt", "--check", "--to", str(tmp_path / "place")], hub.address) == 0
        of_hub = capsys.readouterr().out
        assert main(["import", "a/none", "--check"], hub.address) == 1
    assert "gpt: GPT-2, 3,848 parameters, 0 MiB in float32." in of_hub and "Licence: apache-2.0." in of_hub
    assert f"Its import would copy 0 MiB to {tmp_path / 'place' / 'gpt'}; nothing was kept." in of_hub
    assert not (tmp_path / "place").exists()
    assert "HEAD model.safetensors" not in " ".join(hub.log)  # with which each download of a whole file begins
    assert main(["import", str(published), "--check"]) == 0
    assert "Licence: mit." in capsys.readouterr().out


def refusal_of(hub: LocalHub, name: str, place: Path) -> str:
    with pytest.raises(ValueError) as error:
        bring(name, place, say=str, endpoint=hub.address)
    assert "\n" not in str(error.value) and list(place.iterdir() if place.exists() else ()) == []
    return str(error.value)


def test_gated_private_and_missing_models_are_told_apart(published: Path, tmp_path: Path) -> None:
    names = {"a/gated": published, "a/private": published}
    with local_hub(models=names, gated=("a/gated",), private=("a/private",)) as hub:
        gated, private, missing = (refusal_of(hub, f"a/{name}", tmp_path) for name in ("gated", "private", "missing"))
        hub.failing = True
        failing = refusal_of(hub, "a/gated", tmp_path)
    assert gated.startswith("a/gated is gated: its licence must be accepted first.") and "hf auth login" in gated
    assert private.startswith("The hub has no model a/private, or it is private.") and "hf auth login" in private
    assert missing.startswith("The hub has no model a/missing, or it is private. Check the name")
    assert failing == "The hub cannot give a/gated now: it answered 503 (The hub rests.). Try again later."


def test_a_download_that_breaks_off_and_no_network_are_one_sentence(published: Path, tmp_path: Path) -> None:
    with local_hub(models={"a/gpt": published}, broken=("model.safetensors",)) as hub:
        broken = refusal_of(hub, "a/gpt", tmp_path)
    offline = refusal_of(hub, "a/gpt", tmp_path)
    opening = "The hub cannot be reached, or the connection broke off, while a/gpt was fetched ("
    assert broken.startswith(f"{opening}Consistency check failed: file should be of size") and "Nothing was" in broken
    assert offline.startswith(opening) and "refused" in offline


def test_without_the_package_of_the_hub_its_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ValueError, match="install its package: python -m pip install huggingface_hub"):
        bring("a/b", tmp_path / "place", say=str)


KINDS: list[tuple[tuple[str, ...], str]] = [
    (("adapter_config.json", "adapter_model.safetensors"), "it is an adapter (such as LoRA) of org/base and no whole"),
    (("README.md", "x-Q4_K_M.gguf"), "x-Q4_K_M.gguf is in the format GGUF of llama.cpp"),
    (("config.json", "x.gguf"), "x.gguf is in the format GGUF of llama.cpp"),
    (("config.json", "onnx/model.onnx"), "onnx/model.onnx is in the format ONNX"),
    (("config.json", "pytorch_model-00001-of-00002.bin"), "pytorch_model-00001-of-00002.bin can run code when it is"),
    (("config.json", "training_args.bin"), "model.safetensors is missing."),
    (("config.json", "training_args.bin", "zero_to_fp32.py"), "it is a checkpoint of DeepSpeed"),
    (("config.json", "quantize_config.json", "model.safetensors"), "it holds quantize_config.json: its weights are"),
    (("config.json", "tf_model.h5"), "tf_model.h5 is for TensorFlow or JAX"),
    (("params.json", "consolidated.00.pth"), "consolidated.00.pth is not in the layout of transformers"),
    (("model.safetensors",), "config.json is missing."),
]


@pytest.mark.parametrize(("names", "said"), KINDS)
def test_a_folder_of_another_kind_is_named_as_what_it_is(
    names: tuple[str, ...], said: str, source: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "other"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        known = {"adapter_config.json": b'{"base_model_name_or_path": "org/base"}'}
        known["config.json"] = (source / "config.json").read_bytes()
        (folder / name).write_bytes(known.get(name, b"{}"))
    with pytest.raises(ValueError) as of_disk:
        bring(str(folder), tmp_path / "place", say=str)
    assert str(of_disk.value).startswith(f"The model other cannot be used: {said}")
    with local_hub(models={"org/other": folder}) as hub:
        assert refusal_of(hub, "org/other", tmp_path / "place") == str(of_disk.value)


def test_the_name_of_a_file_is_never_asked_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here.gguf").write_bytes(b"GGUF")
    Path("here.safetensors").write_bytes(b"")
    said = {
        "model-Q4_K_M.gguf": "There is no file model-Q4_K_M.gguf here",
        "some/model.safetensors": "There is no file some/model.safetensors here",
        "here.gguf": "here.gguf is in the format GGUF of llama.cpp",
        str(tmp_path / "here.gguf"): "here.gguf is in the format GGUF of llama.cpp",
        "here.safetensors": "here.safetensors is a single file; name the folder that holds it",
    }
    with local_hub(models={}) as hub:
        for name, sentence in said.items():
            assert refusal_of(hub, name, tmp_path / "place").startswith(sentence)
    assert hub.log == []


def test_only_what_is_read_is_wanted() -> None:
    shards = [f"model-0000{k}-of-00002.safetensors" for k in (1, 2)]
    index = "model.safetensors.index.json"
    others = ["x.py", "pytorch_model.bin", "rust_model.ot", "onnx/model.onnx", "a/b.json", "consolidated.safetensors"]
    assert set(wanted_files(["config.json", index, "vocab.txt", "source.spm", *shards, *others])) == {
        *("config.json", index, "vocab.txt", "source.spm"),
        *shards,
    }
    with pytest.raises(ValueError, match=r"config\.json is missing"):
        wanted_files(["model.safetensors"])
