"""The packages that the app runs on, as they are installed here, and their licences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REQUIREMENTS = Path(__file__).parents[2] / "requirements.txt"
UNSTATED = "not stated"
OPEN_SOURCE = "License :: OSI Approved :: "


@dataclass(frozen=True)
class Package:
    """An installed package. asked: whether the app asks for it itself, and not another package."""

    name: str
    version: str
    licence: str
    asked: bool


@cache
def installed_packages(requirements: Path = REQUIREMENTS) -> tuple[Package, ...]:
    """What the file of requirements asks for, in its order, then by name what those packages ask for in turn. A package
    that is not installed is left out. ValueError where the file is missing."""
    asked = list(_asked_for(requirements))
    found, waiting = dict[str, Package](), list(asked)
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        try:
            found[name] = Package(name, version(name), licence_of(name), name in asked)
        except PackageNotFoundError:
            continue
        wanted = map(Requirement, requires(name) or ())
        waiting += [canonicalize_name(each.name) for each in wanted if not each.marker or each.marker.evaluate()]
    others = sorted(found.keys() - set(asked))
    return tuple(found[name] for name in [*asked, *others] if name in found)


def licence_of(name: str) -> str:
    """The licence that an installed package states: in SPDX's words, by its classifiers, or in a line of its own."""
    said = metadata(name)
    classifiers = [each.removeprefix(OPEN_SOURCE) for each in said.get_all("Classifier") or () if OPEN_SOURCE in each]
    line = re.match(r"[^\n]{1,60}$", (said["License"] or "").strip())
    return said["License-Expression"] or " and ".join(classifiers) or (line[0] if line else UNSTATED)


def _asked_for(requirements: Path) -> Iterator[str]:
    try:
        lines = requirements.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise ValueError(f"The list of packages, {requirements.name}, cannot be read.") from None
    for line in lines:
        if line and not line.startswith(("#", "-")):
            yield canonicalize_name(Requirement(line.partition(" #")[0]).name)
