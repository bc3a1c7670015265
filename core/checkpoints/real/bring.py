"""Imports a model into the folder of models, either from a folder on disk or by its name from the hub."""

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from core.checkpoints.real.files import INDEX, NO_SAFETENSORS, WHOLE, repository_of, stands_in
from core.checkpoints.real.options import CONFIG
from core.checkpoints.real.places import (
    CARD_FILE,
    NAME,
    UNSTATED,
    Origin,
    RealModel,
    open_model,
    write_origin,
)
from core.memory import MIB

SUFFIXES = (".json", ".txt", ".model", ".spm")
SHARD = re.compile(r"model-\d{5}-of-\d{5}\.safetensors")
HUB_NAME = re.compile(r"(?:[A-Za-z0-9][\w.-]{0,95}/)?[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
NEEDS_HUB = "To fetch from the hub, install its package: python -m pip install huggingface_hub"
LICENCE_LINE = re.compile(r"^licen[sc]e:\s*[\"']?([^\"'\n]{1,100})", re.MULTILINE | re.IGNORECASE)

Say = Callable[[str], object]


def bring(wanted: str, models_folder: Path, say: Say = print) -> RealModel:
    """Import a model from a folder, or from the hub by its name, and read it once to check it.

    wanted: the folder, or the name on the hub.
    models_folder: the folder of models to import into.
    say: receives messages on the progress.

    Raises ValueError if there is no such model, the folder already has a model of that name, or the model cannot be
    read; then nothing is left behind.
    """
    source = Path(wanted)
    name = Path(repository_of(source) or source.resolve()).name if source.is_dir() else source.name
    if not source.is_dir() and not HUB_NAME.fullmatch(wanted):
        raise ValueError(f"{wanted!r} is neither a folder nor a name on the hub, such as openai-community/gpt2.")
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot name a folder here: take letters, digits, spaces, dots, dashes and underscores."
        )
    if (models_folder / name).exists():
        raise ValueError(f"{name} is there already; remove that folder first.")
    models_folder.mkdir(parents=True, exist_ok=True)
    part = models_folder / f".{name}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        origin = _copied(source, part, say) if source.is_dir() else _fetched(wanted, part, say)
        write_origin(part, origin)
        part.rename(models_folder / name)
        try:
            return open_model(name, models_folder)[0]
        except ValueError:
            shutil.rmtree(models_folder / name)
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def wanted_files(names: Iterable[str]) -> list[str]:
    """Return those files of a folder that are imported: its weights as safetensors, and the files needed to read them.

    Raises ValueError if there are no weights, or none that can be read.
    """
    names = sorted(names)
    texts = [name for name in names if name.endswith(SUFFIXES) and "/" not in name and name != CARD_FILE]
    weights = [WHOLE] if WHOLE in names else [name for name in names if SHARD.fullmatch(name)]
    if CONFIG not in texts:
        raise ValueError(f"{CONFIG} is missing.")
    if not weights or (weights != [WHOLE] and INDEX not in texts):
        raise ValueError(NO_SAFETENSORS if any(name.endswith(".bin") for name in names) else f"{WHOLE} is missing.")
    return [*texts, *weights]


def _copied(source: Path, to: Path, say: Say) -> Origin:
    files = wanted_files(path.name for path in source.iterdir() if path.is_file())
    licence = _stated_licence(source)
    total = sum((source / name).stat().st_size for name in files)
    say(f"Licence: {licence}. {len(files)} files, {total / MIB:,.0f} MiB.")
    done = 0
    for name in files:
        if not stands_in(source, (source / name).resolve()):
            raise ValueError(f"{name} is a link out of the folder.")
        shutil.copyfile(source / name, to / name)
        done += (to / name).stat().st_size
        say(f"{_bar(done, total)} {name}")
    return Origin(repository_of(source) or source.resolve().name, "a folder on disk", licence)


def _stated_licence(folder: Path) -> str:
    """Return the licence that a folder states, in the head of its README or in the first line of its LICENSE."""
    for name in ("README.md", "LICENSE", "LICENSE.txt", "LICENCE"):
        path = folder / name
        if path.is_file() and stands_in(folder, path.resolve()):
            text = path.read_text(encoding="utf-8", errors="replace")[: 2**16]
            match = LICENCE_LINE.search(text) if name == "README.md" else re.search(r"\S[^\n]{0,99}", text)
            if match:
                return match[match.lastindex or 0].strip()
    return UNSTATED


def _fetched(name: str, to: Path, say: Say) -> Origin:
    hub = _hub()
    try:
        info = hub.HfApi().model_info(name, files_metadata=True)
        sizes = {sibling.rfilename: sibling.size or 0 for sibling in info.siblings or ()}
        files = wanted_files(sizes)
        card = info.card_data.to_dict() if info.card_data else {}
        licence = str(card.get("license") or UNSTATED)[:100]
        say(f"Licence: {licence}. {len(files)} files, {sum(map(sizes.__getitem__, files)) / MIB:,.0f} MiB.")
        for file in files:  # each shows a progress bar of its own
            hub.hf_hub_download(name, file, revision=info.sha, local_dir=to)
    except (OSError, hub.errors.HfHubHTTPError, hub.errors.HFValidationError) as error:
        raise ValueError(f"{name} cannot be fetched from the hub ({str(error).splitlines()[0][:200]}).") from None
    shutil.rmtree(to / ".cache", ignore_errors=True)
    return Origin(name, f"the hub: {name}, revision {str(info.sha)[:12]}", licence)


def _hub() -> Any:
    try:
        import huggingface_hub
        import huggingface_hub.errors
    except ImportError:
        raise ValueError(NEEDS_HUB) from None
    return huggingface_hub


def _bar(done: int, total: int, width: int = 30) -> str:
    filled = round(width * done / max(1, total))
    return f"[{'#' * filled}{'.' * (width - filled)}] {done / MIB:,.0f} of {total / MIB:,.0f} MiB"
