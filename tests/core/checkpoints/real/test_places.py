"""What a place lists, what its cards say, and how much memory a model may take."""

from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.checkpoints.real import places, reading
from core.checkpoints.real.files import WEIGHTS_FILE
from core.checkpoints.real.places import CARD_FILE, Origin, read_origin, write_origin
from core.device import Placement
from tests.core.checkpoints.real.drawn import write_folder

CPU = Placement("cpu", "float32")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("place")
    for number, name in enumerate(("b", "a")):
        write_folder("gpt2", number, place / name)
    (place / "empty").mkdir()
    (place / ".hidden").mkdir()
    (place / ".hidden" / "config.json").write_text("{}")
    return place


def test_no_place_lists_nothing(tmp_path: Path) -> None:
    assert places.real_names(None) == places.real_names(tmp_path / "nowhere") == ()


def test_a_place_lists_its_folders_and_their_cards(place: Path) -> None:
    assert places.real_names(place) == ("a", "b")
    theirs = load_file(place / "a" / WEIGHTS_FILE)
    found = places.read("a", place)
    assert found.parameters == sum(each.numel() for each in theirs.values())
    assert (found.memory, found.dtype, found.family) == (4 * found.parameters, "float32", "GPT-2")
    assert found.config.vocab_size, found.config.d_model == theirs["transformer.wte.weight"].shape
    assert found.origin == Origin("a", "not stated", "not stated")


def test_the_origin_comes_back_as_it_was_written(tmp_path: Path) -> None:
    origin = Origin("GPT-2 <b>", "hub: openai-community/gpt2", "mit")
    write_origin(tmp_path, origin)
    assert read_origin(tmp_path, "x") == origin
    for spoilt in ("{}", '{"title": 3, "source": "", "licence": ""}', "[", asdict(origin) | {"title": "x" * 999}):
        (tmp_path / CARD_FILE).write_text(str(spoilt).replace("'", '"'))
        with pytest.raises(ValueError, match=CARD_FILE):
            read_origin(tmp_path, "x")


def test_the_largest_tensor_of_the_files_is_counted_in_their_number_format(place: Path) -> None:
    theirs = load_file(place / "a" / WEIGHTS_FILE)
    assert places.read("a", place).largest_tensor == max(each.nbytes for each in theirs.values())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_stays_as_it_is_until_another_is_asked(dtype: torch.dtype, place: Path, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "config.json").write_bytes((place / "a" / "config.json").read_bytes())
    held = {name: value.to(dtype) for name, value in load_file(place / "a" / WEIGHTS_FILE).items()}
    save_file(held, tmp_path / "a" / WEIGHTS_FILE)
    kept = reading.load(tmp_path / "a")
    assert {each.dtype for each in kept.parameters()} == {dtype}
    assert torch.equal(kept.embed.weight, held["transformer.wte.weight"])
    assert not any(each.requires_grad for each in kept.parameters()) and not kept.training
    wider = places.load("a", CPU, tmp_path)
    assert torch.equal(wider.embed.weight, held["transformer.wte.weight"].float())
    assert places.read("a", tmp_path).memory == 2 * places.read("a", tmp_path).parameters


def test_a_pointer_of_git_lfs_is_called_one(tmp_path: Path) -> None:
    write_folder("gpt2", 0, tmp_path / "it")
    (tmp_path / "it" / WEIGHTS_FILE).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    with pytest.raises(ValueError, match=r"model\.safetensors is a pointer of Git LFS and not the file itself"):
        places.read("it", tmp_path)


def test_a_folder_with_a_space_in_its_name_is_listed(tmp_path: Path) -> None:
    write_folder("gpt2", 0, tmp_path / "my model")
    assert places.real_names(tmp_path) == ("my model",) and places.read("my model", tmp_path).name == "my model"


def test_a_snapshot_in_the_cache_of_the_hub_is_called_by_its_repository(tmp_path: Path) -> None:
    cached = tmp_path / "models--somebody--small-gpt"
    snapshot = cached / "snapshots" / "0a1b2c"
    write_folder("gpt2", 0, snapshot)
    (cached / "blobs").mkdir()
    (snapshot / WEIGHTS_FILE).rename(cached / "blobs" / "abc")
    (snapshot / WEIGHTS_FILE).symlink_to(cached / "blobs" / "abc")
    place = places.place_named(str(snapshot))
    assert place == cached / "snapshots" and places.real_names(place) == ("0a1b2c",)
    assert places.read("0a1b2c", place).origin.title == "somebody/small-gpt"
