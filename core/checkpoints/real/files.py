"""Reads the files of a folder in the hub's layout, without trusting any of them: bounded JSON, and tensors by name.

Every refusal is a ValueError of one sentence that names the file but no path of this machine. Nothing is ever
unpickled, and no code of a folder is run.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from torch import Tensor

from core.checkpoints.safetensors_file import open_tensors
from core.limits import JSON_MIB, SHARDS
from core.memory import MIB as MIB
from core.text.bounded_read import bounded_bytes, strict_json
from core.text.words import visible

WEIGHTS_FILE = "model.safetensors"
INDEX = "model.safetensors.index.json"
SNAPSHOTS_FOLDER, CACHED_PREFIX = "snapshots", "models--"  # folders of the hub's cache
POINTER = b"version https://git-lfs"
DTYPES_READ = ("F32", "F16", "BF16")


@dataclass(frozen=True)
class HeldTensor:
    """A tensor in a file, before it is read: the file, the number format as safetensors names it, and the shape."""

    file: str
    dtype: str
    shape: tuple[int, ...]


Header = Callable[[str], dict[str, HeldTensor]]


def shown_name(name: object) -> str:
    """Return a name from a folder in a form that fits into a sentence: short, and without invisible characters."""
    return visible(str(name)[:80])


def is_stored_in(folder: Path, path: Path) -> bool:
    """Return whether a file is in a folder or, for a snapshot in the hub's cache, in the folder of its blobs."""
    root = folder.resolve()
    kept = (root.parent.parent / "blobs",) if root.parent.name == SNAPSHOTS_FOLDER else ()
    return path.parent in (root, *kept)


def repository_of(folder: Path) -> str:
    """Return the hub's name of a snapshot in its cache, such as openai-community/gpt2; "" for other folders."""
    snapshots = folder.resolve().parent
    name = snapshots.parent.name
    in_cache = snapshots.name == SNAPSHOTS_FOLDER and name.startswith(CACHED_PREFIX)
    return name.removeprefix(CACHED_PREFIX).replace("--", "/") if in_cache else ""


def file_inside(folder: Path, name: object) -> Path:
    """Return the path of a file in the folder itself.

    Raises ValueError for any other name, and for a link out of the folder.
    """
    if not isinstance(name, str) or not name or name.startswith(".") or set(name) & set("/\\\0:"):
        raise ValueError(f"“{shown_name(name)}” is no name of a file in this folder.")
    path = folder / name
    try:
        leads_out = path.is_symlink() and not is_stored_in(folder, path.resolve())
    except (OSError, RuntimeError):  # a link to itself
        leads_out = True
    if leads_out:
        raise ValueError(f"{shown_name(name)} is a link out of the folder; put the file itself there.")
    return path


def file_bytes(folder: Path, name: str, max_bytes: int = JSON_MIB * MIB) -> bytes:
    """Return a file's bytes.

    Raises ValueError if it is missing, cannot be read, or is larger than `max_bytes`.
    """
    path = file_inside(folder, name)
    try:
        return bounded_bytes(path, max_bytes)
    except FileNotFoundError:
        raise ValueError(f"{name} is missing.") from None
    except OSError as error:
        raise ValueError(f"{name} cannot be read ({error.strerror}).") from None


def json_object(folder: Path, name: str, max_bytes: int = JSON_MIB * MIB) -> dict[str, Any]:
    """Return the object that a JSON file holds.

    Raises ValueError if the file holds no object, is too large, or is nested too deeply.
    """
    raw = file_bytes(folder, name, max_bytes)
    try:
        values = strict_json(raw)
    except RecursionError:
        raise ValueError(f"{name} is nested too deeply.") from None
    except ValueError as error:
        raise ValueError(f"{name} is not JSON ({str(error)[:100]}).") from None
    if not isinstance(values, dict):
        raise ValueError(f"{name} holds no object.")
    return values


def held_tensors(folder: Path) -> dict[str, HeldTensor]:
    """Return every tensor of a folder by its name, read from the headers alone.

    Raises ValueError if there are no safetensors, or if a file is not what its header says.
    """
    header = partial(_header, folder)
    if file_inside(folder, WEIGHTS_FILE).exists():
        return header(WEIGHTS_FILE)
    if not file_inside(folder, INDEX).exists():
        raise ValueError(f"{WEIGHTS_FILE} is missing.")
    return listed_tensors(folder, header)


def listed_tensors(folder: Path, header: Header) -> dict[str, HeldTensor]:
    """Return every tensor of a model in several files by its name.

    The folder's index lists the files, and decides between two tensors of one name.

    header: returns the tensors of one file.

    Raises ValueError for an index that does not fit the files.
    """
    wanted = json_object(folder, INDEX).get("weight_map")
    if not isinstance(wanted, dict) or not all(isinstance(file, str) for file in wanted.values()):
        raise ValueError(f"{INDEX} has no weight_map of names and files.")
    files = sorted(set(wanted.values()))
    if len(files) > SHARDS:
        raise ValueError(f"{INDEX} names {len(files):,} files, and {SHARDS} are the most.")
    tensors: dict[str, HeldTensor] = {}
    for file in files:
        for name, tensor in header(file).items():
            if name in tensors and wanted.get(name) not in (file, tensors[name].file):
                raise ValueError(f"{file} and {tensors[name].file} both hold {shown_name(name)}.")
            if name not in tensors or wanted.get(name) == file:
                tensors[name] = tensor
    return tensors


def tensors_of(folder: Path, held: Mapping[str, HeldTensor]) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors one after the other, each read when it is asked for.

    A file is opened anew for each tensor, so that no more of it stays in memory than one tensor.
    """
    for name, where in held.items():
        try:
            with open_tensors(file_inside(folder, where.file), "pt") as file:
                value = file.get_tensor(name)
        except (SafetensorError, FileNotFoundError, PermissionError) as error:
            raise ValueError(f"{where.file}: {shown_name(name)} cannot be read ({_reason(error)}).") from None
        yield name, value


def _header(folder: Path, name: str) -> dict[str, HeldTensor]:
    path = file_inside(folder, name)
    if not name.endswith(".safetensors"):
        raise ValueError(f"{shown_name(name)} is no safetensors file.")
    try:
        with open_tensors(path, "pt") as file:
            parts = {key: file.get_slice(key) for key in list(file.keys())}
            return {key: HeldTensor(name, part.get_dtype(), tuple(part.get_shape())) for key, part in parts.items()}
    except FileNotFoundError:
        raise ValueError(f"{name} is missing.") from None
    except PermissionError as error:
        raise ValueError(f"{name} cannot be read ({_reason(error)}).") from None
    except SafetensorError as error:
        with path.open("rb") as file_itself:
            if file_itself.read(len(POINTER)) == POINTER:
                raise ValueError(
                    f"{name} is a pointer of Git LFS and not the file itself; fetch it with git lfs pull."
                ) from None
        raise ValueError(f"{name} is truncated or no safetensors file ({_reason(error)}).") from None


def _reason(error: Exception) -> str:
    """Return the reason of an error, without a path."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return shown_name(
        reason.removeprefix("Error while deserializing header: ").splitlines()[0] if reason else "damaged"
    )
