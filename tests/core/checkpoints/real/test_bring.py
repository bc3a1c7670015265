"""Bringing a model into a place: from disk, and from a hub that is played here; no test asks the network."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.checkpoints.__main__ import main
from core.checkpoints.real import bring as bringing
from core.checkpoints.real.bring import bring, wanted_files
from core.checkpoints.real.places import PLACE_VARIABLE, real_names
from tests.core.checkpoints.real.drawn import transformers, write_folder
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


def played_hub(source: Path, fetched: list[str], error: Exception | None = None) -> Any:
    names = [*(each.name for each in source.iterdir()), "onnx/config.json", "consolidated.safetensors"]

    def model_info(name: str, files_metadata: bool) -> Any:
        if error is not None:
            raise error
        siblings = [SimpleNamespace(rfilename=each, size=10) for each in names]
        card = SimpleNamespace(to_dict=lambda: {"license": "apache-2.0"})
        return SimpleNamespace(siblings=siblings, sha="0123456789abcdef", card_data=card)

    def hf_hub_download(name: str, file: str, revision: str, local_dir: Path) -> None:
        fetched.append(file)
        (local_dir / file).write_bytes((source / file).read_bytes())

    errors = SimpleNamespace(HfHubHTTPError=KeyError, HFValidationError=LookupError)
    api = SimpleNamespace(model_info=model_info)
    return SimpleNamespace(HfApi=lambda: api, hf_hub_download=hf_hub_download, errors=errors)


def test_a_model_of_the_hub_is_fetched_by_name(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched: list[str] = []
    monkeypatch.setattr(bringing, "_hub", lambda: played_hub(source, fetched))
    said: list[str] = []
    found = bring("somebody/small-gpt", tmp_path, said.append)
    assert sorted(fetched) == ["config.json", "generation_config.json", "model.safetensors", "tokenizer.json"]
    assert found.origin.licence == "apache-2.0" and "Licence: apache-2.0" in said[0]
    assert (found.name, found.origin.title) == ("small-gpt", "somebody/small-gpt")
    assert found.origin.source == "the hub: somebody/small-gpt, revision 0123456789ab"


def test_a_hub_that_does_not_answer_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "_hub", lambda: played_hub(tmp_path, [], OSError("no route\nto host")))
    with pytest.raises(ValueError, match=r"^a/b cannot be fetched from the hub \(no route\)\.$"):
        bring("a/b", tmp_path / "place", say=str)
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ValueError, match="install its package: python -m pip install huggingface_hub"):
        bring("a/b", tmp_path / "place", say=str)


def test_only_what_is_read_is_wanted() -> None:
    shards = [f"model-0000{k}-of-00002.safetensors" for k in (1, 2)]
    index = "model.safetensors.index.json"
    others = ["x.py", "pytorch_model.bin", "rust_model.ot", "onnx/model.onnx", "a/b.json", "consolidated.safetensors"]
    assert set(wanted_files(["config.json", index, "vocab.txt", "source.spm", *shards, *others])) == {
        *("config.json", index, "vocab.txt", "source.spm"),
        *shards,
    }
    with pytest.raises(ValueError, match="can run code when it is read"):
        wanted_files(["config.json", "pytorch_model.bin"])
    with pytest.raises(ValueError, match=r"config\.json is missing"):
        wanted_files(["model.safetensors"])
