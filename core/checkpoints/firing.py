"""The texts on which each neuron of a trained model fires most, found once by a command and shipped in small files.

``neuron-texts.json`` holds the texts. ``neurons-NAME.safetensors`` says for each neuron of a model which texts those
are, at which token the neuron fires, and how much.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save_file

from core.checkpoints.measured import MEASURED_FOLDER, load_measured, rebuild_measured, write_measured
from core.checkpoints.safetensors_file import open_tensors
from core.model.config import TransformerConfig
from core.text.broken_file import BrokenFile

POOL = "neuron-texts"
WITH_TEXTS = ("reader", "storyteller", "translator")  # the shipped models whose neurons have their texts
FIELDS = {"text": np.int16, "token": np.uint8, "activation": np.float16}


@dataclass(frozen=True)
class PoolText:
    """An English text, with its French translation if it has one."""

    english: str
    french: str = ""


@dataclass(frozen=True, eq=False)
class StackFiring:
    """For each neuron of a stack, the K texts with its highest activations, highest first, as three arrays (N, F, K).

    text: the number of the text in the pool.
    token: the token of that text at which the activation is highest.
    activation: the activation there.
    """

    text: np.ndarray
    token: np.ndarray
    activation: np.ndarray


@dataclass(frozen=True, eq=False)
class Firing:
    """The texts with the highest activations of each neuron of a model, as read from its file.

    about: the file's own description.
    read: the number of texts of the pool that the model has read.
    pool: all texts that were searched.
    stacks: the result for each stack.
    """

    about: Mapping[str, Any]
    read: int
    pool: tuple[PoolText, ...]
    stacks: Mapping[str, StackFiring]


def write_pool(pool: tuple[PoolText, ...], about: Mapping[str, Any], folder: Path = MEASURED_FOLDER) -> None:
    """Write the texts that are searched for high activations to ``neuron-texts.json``.

    pool: must have all pairs before the texts without a translation.
    """
    pairs = [[pool_text.english, pool_text.french] for pool_text in pool if pool_text.french]
    alone = [pool_text.english for pool_text in pool[len(pairs) :]]
    write_measured(folder / f"{POOL}.json", {**about, "pairs": pairs, "passages": alone})


def write_firing(
    name: str,
    stacks: Mapping[str, StackFiring],
    pool: tuple[PoolText, ...],
    about: Mapping[str, Any],
    folder: Path = MEASURED_FOLDER,
) -> None:
    """Write a model's file of neurons, whole or not at all.

    about: the file's description, including "read", the number of texts that the model has read.
    """
    tensors = {
        f"{stack}.{field}": np.ascontiguousarray(getattr(firing, field), dtype=kind)
        for stack, firing in stacks.items()
        for field, kind in FIELDS.items()
    }
    write_tensors(folder / f"neurons-{name}.safetensors", tensors, pool, about)


def write_tensors(
    path: Path, tensors: Mapping[str, np.ndarray], pool: tuple[PoolText, ...], about: Mapping[str, Any]
) -> None:
    """Write what was measured on the texts of a pool, whole or not at all, with the sum by which they are known."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    save_file(dict(tensors), part, {"about": json.dumps({**about, "pool": pool_sum(pool)}, ensure_ascii=False)})
    part.chmod(0o644)  # the writer makes it private
    part.replace(path)


def load_pool(folder: Path = MEASURED_FOLDER) -> tuple[PoolText, ...]:
    """Read the texts that are searched for high activations, from ``neuron-texts.json``.

    Raises BrokenFile if the file is missing or damaged.
    """
    values = load_measured(POOL, folder)
    try:
        pairs = [PoolText(str(english), str(french)) for english, french in values["pairs"]]
        return (*pairs, *(PoolText(str(english)) for english in values["passages"]))
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenFile(f"The file {POOL}.json is not whole ({error}).", rebuild_measured(POOL)) from error


def load_firing(name: str, config: TransformerConfig, folder: Path = MEASURED_FOLDER) -> Firing:
    """Read which texts have the highest activations of each neuron of a model, and the texts of the pool.

    Raises BrokenFile if the file is missing, damaged, or belongs to another model or other texts; MemoryError or
    OSError if it is the machine that cannot read it.
    """
    file, again, pool = f"neurons-{name}.safetensors", rebuild_measured(f"neurons-{name}"), load_pool(folder)
    try:
        with open_tensors(folder / file, "numpy") as opened:
            about, held = json.loads(opened.metadata()["about"]), set(opened.keys())
            stacks = {
                stack: StackFiring(*(opened.get_tensor(f"{stack}.{field}") for field in FIELDS))
                for stack in config.stacks
                if f"{stack}.text" in held
            }
        read = int(about["read"])
    except FileNotFoundError:
        raise BrokenFile(f"The file {file} is missing.", again) from None
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        why = str(error).replace(f"{folder}/", "")
        raise BrokenFile(f"The file {file} cannot be read ({why[:100]}).", again) from error
    if about.get("pool") != pool_sum(pool):
        raise BrokenFile(f"The file {file} belongs to other texts than those of {POOL}.json.", again)
    for firing in stacks.values():
        if wrong := _mistake(firing, (config.layers, config.hidden_width), len(pool)):
            raise BrokenFile(f"The file {file} {wrong}.", again)
    return Firing(about, read, pool, stacks)


def _mistake(firing: StackFiring, shape: tuple[int, int], texts: int) -> str:
    """Return the reason why tensors do not fit the model or the pool of texts; "" if they fit."""
    if firing.text.ndim != 3 or not firing.text.size:
        return "holds no texts"
    kinds = [(getattr(firing, field), kind) for field, kind in FIELDS.items()]
    if any(
        tensor.dtype != kind or tensor.shape[:2] != shape or tensor.shape != firing.text.shape for tensor, kind in kinds
    ):
        return f"is not that of a model of {shape[0]} layers with {shape[1]:,} neurons each"
    if firing.text.min() < 0 or firing.text.max() >= texts or not np.isfinite(firing.activation).all():
        return "names texts that there are not"
    return ""


def pool_sum(pool: tuple[PoolText, ...]) -> int:
    """Return a checksum of the texts, by which a file knows that it belongs to them."""
    return crc32(
        "\n".join(f"{pool_text.english}\t{pool_text.french}" for pool_text in pool).encode(errors="surrogatepass")
    )
