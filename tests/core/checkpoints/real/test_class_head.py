"""The head of a classifier that other people made: which folders have one, its labels, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real import places
from core.checkpoints.real.class_head import MOST_CLASSES, read_class_layer
from core.checkpoints.real.files import WEIGHTS_FILE
from core.checkpoints.real.reading import describe_folder
from core.device import Placement
from tests.core.checkpoints.real.drawn import write_folder
from tests.core.checkpoints.real.real_place import write_judge


def read(folder: Path) -> ClassLayer | None:
    return read_class_layer(folder, describe_folder(folder))


def set_options(folder: Path, **options: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **options}))


def change_tensors(folder: Path, change: Callable[[dict[str, Tensor]], object]) -> None:
    held = load_file(folder / WEIGHTS_FILE)
    change(held)
    save_file(held, folder / WEIGHTS_FILE)


@pytest.mark.parametrize(
    ("labels", "followed", "sides"),
    [
        (("NEGATIVE", "POSITIVE"), 1, ("NEGATIVE", "POSITIVE")),
        (("positive", "negative"), 0, ("negative", "positive")),
        (("ham", "spam"), 1, ("ham", "spam")),
        (("angry", "calm", "glad"), 1, ("not calm", "calm")),
    ],
)
def test_labels_are_the_models_own_and_praise_is_followed_where_it_is_named(
    labels: tuple[str, ...], followed: int, sides: tuple[str, str], tmp_path: Path
) -> None:
    write_judge(tmp_path, labels)
    layer = read(tmp_path)
    assert layer is not None and layer.labels == labels
    assert (layer.followed, layer.sides) == (followed, sides)


def test_the_head_counts_among_the_parameters(tmp_path: Path) -> None:
    theirs = write_judge(tmp_path / "judge", ("a", "b", "c"))
    assert places.read("judge", tmp_path).parameters == theirs.num_parameters()


@pytest.mark.parametrize("options", [{"problem_type": "regression"}, {"problem_type": "multi_label_classification"}])
def test_a_head_that_does_not_choose_one_class_is_none(options: dict[str, Any], tmp_path: Path) -> None:
    write_judge(tmp_path, ("a", "b"))
    set_options(tmp_path, **options)
    assert read(tmp_path) is None


@pytest.mark.parametrize("made", ["BertForTokenClassification", "BertModel", "BertForMaskedLM"])
def test_another_head_is_no_class_layer(made: str, tmp_path: Path) -> None:
    write_folder("bert", 0, tmp_path, made)
    assert read(tmp_path) is None


def _without_bias(held: dict[str, Tensor]) -> None:
    del held["classifier.bias"]


def _with_nan(held: dict[str, Tensor]) -> None:
    held["bert.pooler.dense.weight"][0, 0] = float("nan")


def _narrow(held: dict[str, Tensor]) -> None:
    held["classifier.weight"] = held["classifier.weight"][:, 1:].contiguous()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_without_bias, "the tensor classifier.bias of its classifier is missing"),
        (_with_nan, "bert.pooler.dense.weight holds numbers that are not finite"),
        (_narrow, "the tensor classifier.weight is F32 (2, 15), but config.json describes (2, 16)"),
    ],
)
def test_a_damaged_head_is_refused(change: Callable[[dict[str, Tensor]], object], said: str, tmp_path: Path) -> None:
    write_judge(tmp_path, ("a", "b"))
    change_tensors(tmp_path, change)
    with pytest.raises(ValueError, match=said.replace("(", r"\(").replace(")", r"\)")):
        read(tmp_path)


def test_classes_that_do_not_fit_the_tensors_are_refused(tmp_path: Path) -> None:
    write_judge(tmp_path, ("a", "b"))
    set_options(tmp_path, id2label={str(n): str(n) for n in range(3)})
    with pytest.raises(ValueError, match=r"classifier.weight is F32 \(2, 16\)"):
        read(tmp_path)


@pytest.mark.parametrize("labels", [("a", "a"), tuple(map(str, range(MOST_CLASSES + 1)))])
def test_labels_that_cannot_be_used_leave_the_head_unread_and_the_body_open(
    labels: tuple[str, ...], tmp_path: Path
) -> None:
    write_judge(tmp_path / "judge", labels)
    assert read(tmp_path / "judge") is None
    width = places.read("judge", tmp_path).config.d_model
    assert places.load("judge", Placement("cpu", "float32"), tmp_path).config.d_model == width == 16
