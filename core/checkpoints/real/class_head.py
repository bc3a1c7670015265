"""Reads the head of a folder's classifier: its labels, and the layers from the first token's output to the classes."""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from core.checkpoints.class_layer import ClassLayer
from core.checkpoints.real.families.record import ClassHead
from core.checkpoints.real.files import DTYPES_READ, shown_name, tensors_of
from core.checkpoints.real.options import CONFIG
from core.checkpoints.real.reading import Described
from core.text.words import visible

CLASS_SUFFIX = "ForSequenceClassification"
ONE_CLASS = (None, "single_label_classification")  # other problems have no softmax over the classes
MOST_CLASSES, MOST_LABEL = 1000, 60


def has_class_layer(described: Described) -> bool:
    """Return whether a folder holds a classifier that chooses one of two or more classes for each text."""
    names = described.options.get("architectures")
    named = isinstance(names, list) and any(
        isinstance(architecture, str) and architecture.endswith(CLASS_SUFFIX) for architecture in names
    )
    one_class = described.options.get("problem_type") in ONE_CLASS
    return described.family.classes is not None and named and one_class and len(_labels(described.options)) > 1


def head_parameters(described: Described) -> int:
    """Return the number of parameters in a folder's class layer; 0 for a model without one."""
    width, classes = described.config.d_model, len(_labels(described.options))
    return (width + 1) * (width + classes) if has_class_layer(described) else 0


def read_class_layer(folder: Path, described: Described) -> ClassLayer | None:
    """Return the class layer of a folder, float32 on the CPU; None for a model that is no such classifier.

    Raises ValueError if a tensor is missing, has another shape or number format, or is not finite.
    """
    if not has_class_layer(described):
        return None
    head, labels = described.family.classes, _labels(described.options)
    assert head is not None
    width = described.config.d_model
    read = _read(folder, described, head, {head.dense: width, head.out: len(labels)})
    dense, linear = (_linear(read[f"{name}.weight"], read[f"{name}.bias"]) for name in (head.dense, head.out))
    layer = ClassLayer(labels, linear, dense, head.activation, first=True)
    return layer if layer.praise is None else layer.following(layer.praise)


def _labels(options: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the classes, ordered by their numbers.

    None are returned for more than `MOST_CLASSES` classes and if two have one name: such a head is left unread.
    """
    named, count = options.get("id2label"), options.get("num_labels", 2)
    if isinstance(named, dict):
        count = len(named)
    if type(count) is not int or not 0 <= count <= MOST_CLASSES:
        return ()
    given = named if isinstance(named, dict) else {}
    labels = tuple(visible(str(given.get(str(n), f"LABEL_{n}"))[:MOST_LABEL]) for n in range(count))
    return labels if len(set(labels)) == len(labels) else ()


def _read(folder: Path, described: Described, head: ClassHead, rows: Mapping[str, int]) -> dict[str, Tensor]:
    """Return the weights and biases of the head's layers by name.

    rows: the number of rows of each layer, by its name.
    """
    width, head_names = described.config.d_model, dict[str, str]()
    files, held = {name: file_name for file_name, name in described.named.items()}, described.held
    for layer, count in rows.items():
        for name, shape in ((f"{layer}.weight", (count, width)), (f"{layer}.bias", (count,))):
            if name not in files:
                raise ValueError(f"the tensor {name} of its classifier is missing.")
            tensor = held[files[name]]
            if tensor.shape != shape or tensor.dtype not in DTYPES_READ:
                raise ValueError(f"the tensor {name} is {tensor.dtype} {tensor.shape}, but {CONFIG} describes {shape}.")
            head_names[files[name]] = name
    read = {}
    for file_name, value in tensors_of(folder, {stored_name: held[stored_name] for stored_name in head_names}):
        read[head_names[file_name]] = value.to(torch.float32)
        if not value.isfinite().all():
            raise ValueError(f"{shown_name(file_name)} holds numbers that are not finite.")
    return read


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    layer = nn.Linear(weight.shape[1], weight.shape[0], device="meta")
    layer.load_state_dict({"weight": weight, "bias": bias}, assign=True)
    return layer.eval().requires_grad_(False)
