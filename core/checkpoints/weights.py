"""A model's weights on disk: ``model.safetensors`` (float16), beside its card.

Loading is strict: weights that are not exactly those that the card describes raise a ValueError with the reason.
Nothing is ever unpickled.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn

from core.checkpoints.card import FAMILIES, Card, read_card, read_config, write_card
from core.checkpoints.safetensors_file import open_tensors
from core.memory import MIB
from core.model.fast.skip_init import skip_init
from core.text.broken_file import BrokenFile

WEIGHTS = "model.safetensors"
AT_ONCE = 4 * MIB  # the most bytes of a file in memory at once, unless one tensor has more


def save(folder: Path, model: nn.Module, card: Card) -> None:
    """Write the weights and the card, each whole or not at all.

    Raises ValueError for weights that float16 cannot hold.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: value.detach().cpu().half().contiguous() for name, value in model.state_dict().items()}
    for name, value in tensors.items():
        if not value.isfinite().all():
            raise ValueError(f"{card.name}: {name} holds numbers that are not finite in float16.")
    part = folder / f"{WEIGHTS}.part"
    save_file(tensors, part)
    part.chmod(0o644)  # the writer makes it private
    part.replace(folder / WEIGHTS)
    write_card(folder, card)


def load(folder: Path, part: str = "") -> tuple[nn.Module, Card]:
    """Return the model, float32 on the CPU, in evaluation mode and without gradients, and its card.

    part: the name of one of its modules; only this module is read and returned. The other weights are checked for their
    names and shapes alone.

    Raises BrokenFile if a file is missing or damaged, or if the weights are not exactly those that the card describes;
    MemoryError or OSError if it is the machine that cannot read the weights.
    """
    card = read_card(folder)
    with skip_init():
        model = FAMILIES[card.family].module(read_config(card, folder))
    expected = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    prefix = f"{part}." if part else ""
    tensors = _read_weights(folder / WEIGHTS, expected, prefix)
    module = model.get_submodule(part)
    module.load_state_dict(
        {name.removeprefix(prefix): value for name, value in tensors.items()}, strict=True, assign=True
    )
    return module.eval().requires_grad_(False), card


def bytes_of_weights(model: nn.Module) -> int:
    """Return the bytes of a model's weights."""
    return sum(value.nbytes for value in model.state_dict().values())


def _read_weights(path: Path, expected: Mapping[str, tuple[int, ...]], prefix: str) -> dict[str, Tensor]:
    """Return the tensors whose names begin with a prefix, as float32.

    The file must hold exactly the expected tensors, by name and shape. Everything read from an open file takes memory
    until it is closed, so the file is opened anew for every few tensors.
    """
    tensors: dict[str, Tensor] = {}
    try:
        version = _version(path)
        for group in _groups(expected):
            with open_tensors(path, "pt") as file:
                _check_names(path, set(file.keys()), expected)
                for name in group:
                    _check_tensor(path, name, file.get_slice(name), expected[name])
                    if name.startswith(prefix):
                        tensors[name] = file.get_tensor(name).float()
        if _version(path) != version:
            raise BrokenFile(f"{path} was replaced while it was read.")
    except FileNotFoundError:
        raise BrokenFile(f"{path} does not exist.") from None
    except SafetensorError as error:
        raise BrokenFile(f"{path} is truncated or not a safetensors file ({str(error)[:100]}).") from error
    for name, value in tensors.items():
        if not math.isfinite(value.sum()):  # float16 sums fit in float32; one NaN or infinity makes the sum not finite
            raise BrokenFile(f"{path}: {name} holds numbers that are not finite.")
    return tensors


def _version(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size


def _groups(expected: Mapping[str, tuple[int, ...]]) -> Iterator[list[str]]:
    """Yield the names in their order, in groups of at most `AT_ONCE` bytes or of one tensor; at least one group."""
    group, size = list[str](), 0
    for name, shape in expected.items():
        taken = math.prod(shape) * torch.float16.itemsize
        if group and size + taken > AT_ONCE:
            yield group
            group, size = [], 0
        group, size = [*group, name], size + taken
    yield group


def _check_names(path: Path, names: set[str], expected: Mapping[str, tuple[int, ...]]) -> None:
    if wrong := sorted(names ^ set(expected)):
        first, kind = wrong[0][:80], "unknown" if wrong[0] in names else "missing"
        raise BrokenFile(f"{path}: tensor {first} is {kind}, one of {len(wrong)} that do not fit the card.")


def _check_tensor(path: Path, name: str, part: Any, shape: tuple[int, ...]) -> None:
    if part.get_dtype() != "F16" or tuple(part.get_shape()) != shape:
        held = f"{part.get_dtype()} {tuple(part.get_shape())}"
        raise BrokenFile(f"{path}: {name} is {held[:60]}, but the card describes F16 {shape}.")
