"""List the installed packages that the app runs on, with their licences."""

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
    """An installed package.

    licence: as the package states it, or UNSTATED.
    asked: whether the file of requirements names it; otherwise another package needs it.
    """

    name: str
    version: str
    licence: str
    asked: bool


@cache
def installed_packages(requirements: Path = REQUIREMENTS) -> tuple[Package, ...]:
    """Return the packages of the file of requirements, in its order, then all that those need, by name.

    A package that is not installed is left out.

    Raises ValueError if the file is missing.
    """
    direct = list(_asked_for(requirements))
    packages, waiting = dict[str, Package](), list(direct)
    while waiting:
        name = waiting.pop(0)
        if name in packages:
            continue
        try:
            packages[name] = Package(name, version(name), licence_of(name), name in direct)
        except PackageNotFoundError:
            continue
        wanted = map(Requirement, requires(name) or ())
        waiting += [
            canonicalize_name(requirement.name)
            for requirement in wanted
            if not requirement.marker or requirement.marker.evaluate()
        ]
    others = sorted(packages.keys() - set(direct))
    return tuple(packages[name] for name in [*direct, *others] if name in packages)


def licence_of(name: str) -> str:
    """Return the licence that an installed package states; UNSTATED if it states none.

    It is read from the package's SPDX expression, else from its classifiers, else from a licence text of one line.
    """
    fields = metadata(name)
    classifiers = [
        classifier.removeprefix(OPEN_SOURCE)
        for classifier in fields.get_all("Classifier") or ()
        if OPEN_SOURCE in classifier
    ]
    line = re.match(r"[^\n]{1,60}$", (fields["License"] or "").strip())
    return fields["License-Expression"] or " and ".join(classifiers) or (line[0] if line else UNSTATED)


def _asked_for(requirements: Path) -> Iterator[str]:
    try:
        lines = requirements.read_text(encoding="utf-8").splitlines()
    except OSError:
        raise ValueError(f"The list of packages, {requirements.name}, cannot be read.") from None
    for line in lines:
        if line and not line.startswith(("#", "-")):
            yield canonicalize_name(Requirement(line.partition(" #")[0]).name)
