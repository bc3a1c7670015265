"""Imports a model into the folder of models, either from a folder on disk or by its name from the hub.

Both are looked at before anything large is copied or fetched: first the config, then the headers of the weights, which
say what memory the model needs, then the tokenizer.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from core.checkpoints.real.files import (
    INDEX,
    WEIGHTS_FILE,
    HeldTensor,
    held_tensors,
    is_stored_in,
    repository_of,
    shown_name,
)
from core.checkpoints.real.generation import GENERATION
from core.checkpoints.real.hub_source import HubSource, NotFetched
from core.checkpoints.real.kinds import ADAPTER, check_file, names_in
from core.checkpoints.real.options import CONFIG
from core.checkpoints.real.places import (
    CARD_FILE,
    NAME,
    UNSTATED,
    Origin,
    RealModel,
    open_model,
    real_model,
    write_origin,
)
from core.checkpoints.real.reading import check_size, describe, read_config
from core.checkpoints.real.vocabulary import read_tokenizer
from core.memory import MIB

SUFFIXES = (".json", ".txt", ".model", ".spm")
SHARD = re.compile(r"model-\d{5}-of-\d{5}\.safetensors")
HUB_NAME = re.compile(r"(?:[A-Za-z0-9][\w.-]{0,95}/)?[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
LICENCE_LINE = re.compile(r"^licen[sc]e:\s*[\"']?([^\"'\n]{1,100})", re.MULTILINE | re.IGNORECASE)

Say = Callable[[str], object]


class Source(Protocol):
    """A place from which a model can be imported.

    sizes: the bytes of each of its files.
    origin: its name, its source and its licence.
    """

    sizes: dict[str, int]
    origin: Origin

    def copy(self, name: str, to: Path) -> None:
        """Copy one of its files into a folder."""
        ...

    def held(self, folder: Path) -> dict[str, HeldTensor]:
        """Return the model's tensors, read from the headers of its weights.

        folder: holds the index of weights that are in several files.
        """
        ...


class DiskSource:
    """A model in a folder on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sizes = {name: (folder / name).stat().st_size for name in names_in(folder) if (folder / name).is_file()}
        name = repository_of(folder) or folder.resolve().name
        self.origin = Origin(name, "a folder on disk", _stated_licence(folder))

    def copy(self, name: str, to: Path) -> None:
        if not is_stored_in(self.folder, (self.folder / name).resolve()):
            raise ValueError(f"{name} is a link out of the folder.")
        shutil.copyfile(self.folder / name, to / name)

    def held(self, folder: Path) -> dict[str, HeldTensor]:
        return held_tensors(self.folder)


def bring(
    wanted: str,
    models_folder: Path,
    say: Say = print,
    memory: tuple[int, str] | None = None,
    endpoint: str | None = None,
) -> RealModel:
    """Import a model from a folder, or from the hub by its name, and read it once to check it.

    wanted: the folder, or the name on the hub.
    models_folder: the folder of models to import into.
    say: receives messages on the progress.
    memory: the most bytes that its weights may take, and of which memory; None for no limit.
    endpoint: the address of the hub; None for the usual one.

    Raises ValueError if there is no such model, the folder already has a model of that name, or the model cannot be
    read; then nothing is left behind.
    """
    with _source_of(wanted, endpoint) as source:
        name = folder_name(source)
        if (models_folder / name).exists():
            raise ValueError(f"{name} is there already; remove that folder first.")
        models_folder.mkdir(parents=True, exist_ok=True)
        part = models_folder / f".{name}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        try:
            _look(source, part, memory)
            _copy_weights(source, part, say)
            write_origin(part, source.origin)
            part.rename(models_folder / name)
            try:
                return open_model(name, models_folder)[0]
            except ValueError:
                shutil.rmtree(models_folder / name)
                raise
        finally:
            shutil.rmtree(part, ignore_errors=True)


def look(wanted: str, memory: tuple[int, str] | None = None, endpoint: str | None = None) -> tuple[RealModel, int]:
    """Describe a model that could be imported, without copying its weights; also return the bytes to copy.

    Parameters as of `bring`. Raises ValueError as `bring` does.
    """
    with _source_of(wanted, endpoint) as source, TemporaryDirectory() as folder:
        folder_name(source)
        model = _look(source, Path(folder), memory)
        return model, sum(source.sizes[name] for name in wanted_files(source.sizes))


def wanted_files(names: Iterable[str]) -> list[str]:
    """Return the files of a model that an import copies: its weights as safetensors, and the files needed to read them.

    Raises ValueError if there are no weights.
    """
    names = sorted(names)
    texts = [name for name in names if name.endswith(SUFFIXES) and "/" not in name and name != CARD_FILE]
    weights = [WEIGHTS_FILE] if WEIGHTS_FILE in names else [name for name in names if SHARD.fullmatch(name)]
    if CONFIG not in texts:
        raise ValueError(f"{CONFIG} is missing.")
    if not weights or (weights != [WEIGHTS_FILE] and INDEX not in texts):
        raise ValueError(f"{WEIGHTS_FILE} is missing.")
    return [*texts, *weights]


def folder_name(source: Source) -> str:
    """Return the name of the folder that a model is imported into.

    Raises ValueError if its own name cannot be that of a folder here.
    """
    name = source.origin.title.rpartition("/")[2]
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot name a folder here: take letters, digits, spaces, dots, dashes and underscores."
        )
    return name


@contextmanager
def _source_of(wanted: str, endpoint: str | None) -> Iterator[Source]:
    """Yield the source of a model, and make an error begin with the model's name."""
    path = Path(wanted)
    check_file(path)
    if path.is_dir():
        yield DiskSource(path)
    elif HUB_NAME.fullmatch(wanted):
        with HubSource.opened(wanted, endpoint) as source:
            yield source
    else:
        raise ValueError(
            f"{shown_name(wanted)!r} is neither a folder nor a name on the hub, such as openai-community/gpt2."
        )


def _look(source: Source, part: Path, memory: tuple[int, str] | None) -> RealModel:
    """Copy a model's small files into a folder, and return its description, judged by them and its weights' headers.

    Raises ValueError if it cannot be read or its weights take more than `memory` has.
    """
    names = source.sizes

    def copy(*wanted: str) -> None:
        for name in wanted:
            if name in names and not (part / name).exists():
                source.copy(name, part)

    try:
        copy(CONFIG, ADAPTER)
        values = read_config(part, names)
        texts = [name for name in wanted_files(names) if name.endswith(SUFFIXES)]
        copy(GENERATION, INDEX)
        described = describe(part, values, source.held(part))
        check_size(described, memory)
        copy(*texts)
        read_tokenizer(part, described)
    except NotFetched:
        raise
    except ValueError as mistake:
        raise ValueError(f"The model {folder_name(source)} cannot be used: {mistake}") from None
    return real_model(described, folder_name(source), source.origin)


def _copy_weights(source: Source, part: Path, say: Say) -> None:
    """Copy the weights of a model into the folder that has its small files, and say how far it is."""
    files = wanted_files(source.sizes)
    total = sum(source.sizes[name] for name in files)
    say(f"Licence: {source.origin.licence}. {len(files)} files, {total / MIB:,.0f} MiB.")
    done = 0
    for name in files:
        if not (part / name).exists():
            source.copy(name, part)
        done += source.sizes[name]
        say(f"{_bar(done, total)} {name}")


def _stated_licence(folder: Path) -> str:
    """Return the licence that a folder states, in the head of its README or in the first line of its LICENSE."""
    for name in ("README.md", "LICENSE", "LICENSE.txt", "LICENCE"):
        path = folder / name
        if path.is_file() and is_stored_in(folder, path.resolve()):
            text = path.read_text(encoding="utf-8", errors="replace")[: 2**16]
            match = LICENCE_LINE.search(text) if name == "README.md" else re.search(r"\S[^\n]{0,99}", text)
            if match:
                return match[match.lastindex or 0].strip()
    return UNSTATED


def _bar(done: int, total: int) -> str:
    filled = round(30 * done / max(1, total))
    return f"[{'#' * filled}{'.' * (30 - filled)}] {done / MIB:,.0f} of {total / MIB:,.0f} MiB"
