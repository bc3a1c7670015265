"""Runs under the masks that a person can choose by name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.topics.shared.named_masks import DEFAULT_SIZES, MASK_NAMES, PADDING, named_masks
from core.tracing.run import Run

NONE = "none"
PRESETS = (NONE, *MASK_NAMES)


def masked_run(run: Run, preset: str, sizes: Mapping[str, Any], pads: int) -> Run:
    """Return the run under one preset in place of its own masks.

    sizes: as for `under`.
    pads: the number of padding tokens, appended under "padding" only.
    """
    return replace(under(run, preset, sizes), pads=pads if preset == PADDING else 0)


def under(run: Run, preset: str, sizes: Mapping[str, Any] = DEFAULT_SIZES) -> Run:
    """Return the run with the same tokens under another preset.

    sizes: the sizes of the masks, by their keys; others have their defaults.
    """
    return replace(run, masks=() if preset == NONE else named_masks((preset,), sizes))
