"""Sentences about the effect of the last change of a setting."""

from collections.abc import Mapping
from typing import Protocol

from core.readings.words import listed

SPLIT = ("d_model", "all W_Q of a layer", "all W_V of a layer")  # unchanged if the heads only split d_model


class Sized(Protocol):
    """A model's sizes by name, and its number of parameters."""

    @property
    def sizes(self) -> Mapping[str, str | int]: ...

    @property
    def parameters(self) -> int: ...


def read_setting_change(setting: str, before: Sized, after: Sized) -> str:
    """Say how shapes and parameters changed.

    setting: the changed setting, whose own size is not repeated.
    """
    old, new = before.sizes, after.sizes
    moved = [name for name in new if old[name] != new[name] and name.lower() != setting.lower()]
    shapes = [f"{name} {_written(old[name])} → {_written(new[name])}" for name in moved] or ["No shape changes"]
    if before.parameters != after.parameters:
        return f"{', '.join(shapes)}; parameters {before.parameters:,} → {after.parameters:,}."
    splits = old["heads"] != new["heads"] and all(old[name] == new[name] for name in SPLIT)
    why = ": heads only split d_model" if splits else ""
    return f"{', '.join(shapes)}; still {after.parameters:,} parameters{why}."


def read_value(value: object) -> str:
    """Write a setting's value: "as built and padding", "on", "empty"."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return listed(map(str, value)) or "none"
    return "empty" if value is None else f"{value:,g}" if isinstance(value, int | float) else str(value)


def _written(size: str | int) -> str:
    return f"{size:,}" if isinstance(size, int) else size
