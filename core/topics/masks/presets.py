"""Runs under the masks that a person can choose by name."""

from dataclasses import replace

from core.model.masks import MaskSpec
from core.tracing.run import Run

PRESETS = ("none", "causal", "padding", "sliding window", "prefix", "block")


def masked_run(run: Run, preset: str, window: int, prefix: int, block: int, pads: int) -> Run:
    """Return the run under one preset in place of its own mask.

    pads: the number of padding tokens, appended under "padding" only.
    """
    mask = MaskSpec(_kinds(preset), window, prefix, block)
    return replace(run, mask=mask, pads=pads if preset == "padding" else 0)


def under(run: Run, preset: str) -> Run:
    """Return the run with the same tokens under another preset, with the sizes of the run's own mask."""
    return replace(run, mask=replace(run.mask, kinds=_kinds(preset)))


def preset_label(run: Run, preset: str) -> str:
    """Return a preset's name with its size in this run: "sliding window 2"."""
    sizes = {"sliding window": run.mask.window, "prefix": run.mask.prefix, "block": run.mask.block}
    return f"{preset} {sizes[preset]}" if preset in sizes else preset


def _kinds(preset: str) -> tuple[str, ...]:
    if preset not in PRESETS:
        raise ValueError(f"mask {preset!r} is not one of {', '.join(PRESETS)}")
    return () if preset == "none" else (preset.replace(" ", "_"),)
