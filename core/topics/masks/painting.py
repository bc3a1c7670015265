"""Runs under a mask that was changed by hand (see `core.topics.masks.analysis.painting`), and strokes of the brush."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from core.model.masks import Mask, explicit_mask
from core.topics.masks.analysis.painting import decode_painting, paint, stroke
from core.tracing.run import Run

Stroke = tuple[Sequence[int], bool]


@dataclass(frozen=True)
class PaintedMask(Mask):
    """Other masks, changed by a painting, which hides keys or opens them again.

    letters: the painting as text.
    """

    masks: tuple[Mask, ...]
    letters: str

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> torch.Tensor:
        base = explicit_mask(self.masks, queries, keys, lengths).expand(1, 1, queries, keys)[0, 0]
        return torch.from_numpy(paint(base.numpy(), self.letters))


def under_painting(run: Run, letters: str) -> Run:
    """Return the run under its masks as changed by a painting, or the run itself if nothing is painted."""
    return replace(run, masks=(PaintedMask(run.masks, letters),)) if letters else run


def usable(letters: str) -> tuple[str, str]:
    """Check the text of a painting: return it and "", or "" and the reason if it cannot be read."""
    letters = letters.strip()
    try:
        decode_painting(letters)
    except ValueError as mistake:
        return "", str(mistake)
    return letters, ""


def painted_on(letters: str, base: np.ndarray, strokes: Sequence[Stroke]) -> tuple[str, str]:
    """Paint strokes on a mask; return the painting and "", or all that could be painted and why the next stroke failed.

    A stroke fails if the text of the painting would be longer than an address can carry, or if `letters` is no
    painting.

    letters: the painting as text.
    base (L, L): the mask under the painting.
    strokes: pairs (cells, may); cells count row by row, and `may` says whether they become open or hidden.
    """
    try:
        for cells, may in strokes:
            letters = stroke(letters, base, cells, may)
    except ValueError as mistake:
        return letters, str(mistake)
    return letters, ""


def row_hidden(letters: str, base: np.ndarray, row: int) -> tuple[str, str]:
    """Hide every key from the query `row`; return the painting and "", or the old painting and the reason.

    It fails if the text of the painting would be longer than an address can carry, or if `letters` is no painting.

    letters: the painting as text.
    base (L, L): the mask under the painting.
    """
    length = len(base)
    return painted_on(letters, base, [(range(row * length, (row + 1) * length), False)])
