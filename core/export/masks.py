"""The masks of a run as one line of code: a rule where there is one, else the rows of the mask as zeros and ones."""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from core.export.literals import assigned
from core.model.masks import BlockMask, CausalMask, Mask, PaddingMask, PrefixMask, SlidingWindowMask


def mask_lines(variable: str, allowed: np.ndarray, masks: Sequence[Mask], real: int) -> list[str]:
    """Return lines that make a mask (Q, K), True = may attend; a rule reads the positions i (Q, 1) and j (K,).

    allowed: the mask that the run has.
    masks: the run's masks, which may give it in a shorter form.
    real: the number of keys before the padding.
    """
    rules = [_rule(mask, real) for mask in masks]
    known = [rule for rule in rules if rule is not None]
    if known and len(known) == len(rules):
        queries, keys = np.arange(len(allowed))[:, None], np.arange(allowed.shape[1])
        built = reduce(np.logical_and, (_rows(mask, queries, keys, real) for mask in masks))
        if np.array_equal(np.broadcast_to(built, allowed.shape), allowed):
            text = known[0] if len(known) == 1 else " & ".join(f"({rule})" for rule in known)
            if "i" not in text:
                return [f"{variable} = {text}  # (K,), True: not padding"]
            return [f"{variable} = {text}  # (Q, K), True: query i may attend to key j"]
    rows = ["".join("1" if cell else "0" for cell in row) for row in allowed]
    return [
        *assigned("ROWS", rows, "for each query, 1: it may attend to the key"),
        f'{variable} = xp.asarray([[cell == "1" for cell in row] for row in ROWS])',
    ]


def _rule(mask: Mask, real: int) -> str | None:
    match mask:
        case CausalMask():
            return "j <= i"
        case PaddingMask():
            return f"j < {real}"
        case SlidingWindowMask(window):
            return f"abs(i - j) <= {window}"
        case PrefixMask(prefix):
            return f"(j <= i) | (j < {prefix})"
        case BlockMask(block):
            return f"i // {block} == j // {block}"
    return None


def _rows(mask: Mask, i: np.ndarray, j: np.ndarray, real: int) -> np.ndarray:
    built = mask.build(len(i), len(j), [real])
    return np.ones((len(i), len(j)), bool) if built is None else built.expand(1, 1, len(i), len(j))[0, 0].numpy()
