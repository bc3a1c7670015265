"""A painting: the cells of a mask that were opened or closed by hand, as an array and as a short text for an address.

Rows are queries, columns are keys. The text holds every painted cell and nothing else: the size, and the bits of two
planes (closed, opened), packed, deflated and written in base64url, as in "14-eJxjYGD4DwABBAEA".
"""

import base64
import re
import zlib
from collections.abc import Sequence

import numpy as np

from core.limits import PAINTING_LETTERS

MAX_TOKENS = 1024
FORM = re.compile(r"([1-9]\d{0,3})-([A-Za-z0-9_-]+)")
CLOSED_CELL, OPEN_CELL = 0, 1


def encode_painting(planes: np.ndarray) -> str:
    """Return the text of a painting; "" if nothing is painted.

    planes (2, S, S): booleans, closed cells and opened cells.
    Raises ValueError if the text would be longer than an address can carry.
    """
    if not planes.any():
        return ""
    size = 1 + max(int(places.max()) for places in np.nonzero(planes)[1:])
    packed = zlib.compress(np.packbits(planes[:, :size, :size]).tobytes(), 9)
    text = f"{size}-{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"
    if len(text) > PAINTING_LETTERS:
        raise ValueError(
            f"This painting takes {len(text):,} letters and an address carries {PAINTING_LETTERS:,}: "
            "the last stroke is left out. Paint fewer or plainer shapes."
        )
    return text


def decode_painting(text: str) -> np.ndarray:
    """Return the closed and the opened cells of a painting as booleans (2, S, S).

    Raises ValueError for a text that is not a painting.
    """
    if not text:
        return np.zeros((2, 0, 0), bool)
    match = FORM.fullmatch(text)
    if match is None:
        raise _unusable("it is not a size, a dash and letters of base64url")
    if len(text) > PAINTING_LETTERS:
        raise _unusable(f"it has {len(text):,} letters, more than {PAINTING_LETTERS:,}")
    size = int(match[1])
    if size > MAX_TOKENS:
        raise _unusable(f"it is for {size} tokens, more than {MAX_TOKENS}")
    bits = 2 * size * size
    packed = np.frombuffer(_inflated(match[2], -(-bits // 8)), np.uint8)
    planes = np.unpackbits(packed, count=bits).astype(bool).reshape(2, size, size)
    if planes.all(0).any():
        raise _unusable("a cell in it is both opened and closed")
    return planes


def _inflated(letters: str, expected: int) -> bytes:
    """Return the bytes encoded by base64url letters, never more than expected."""
    inflate = zlib.decompressobj()
    try:
        packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        content = inflate.decompress(packed, expected + 1)
    except (ValueError, zlib.error) as error:
        raise _unusable("its letters are damaged") from error
    if len(content) != expected or not inflate.eof or inflate.unused_data:
        raise _unusable(f"its letters do not hold the {expected:,} bytes of its size")
    return content


def _unusable(reason: str) -> ValueError:
    return ValueError(f"The painting in the address cannot be used: {reason}. Nothing is painted.")


def paint(mask: np.ndarray, text: str) -> np.ndarray:
    """Return the mask (L, L), booleans, after the cells of a painting have been opened and closed in it.

    If the painting is for a longer text, the cells that fit are used. Raises ValueError as `decode_painting` does.
    """
    planes = decode_painting(text)
    size = min(len(mask), planes.shape[1])
    painted = mask.copy()
    painted[:size, :size] |= planes[OPEN_CELL, :size, :size]
    painted[:size, :size] &= ~planes[CLOSED_CELL, :size, :size]
    return painted


def stroke(text: str, base: np.ndarray, cells: Sequence[int], may: bool) -> str:
    """Return the painting after one stroke on an (L, L) mask.

    base: the mask under the painting.
    cells: the cells of the stroke, counted row by row.
    may: whether they may be attended to afterwards.

    Only cells that differ from `base` are kept as painted; painted cells outside it, those of a longer text, stay.
    Raises ValueError as `encode_painting` and `decode_painting` do.
    """
    length, before = len(base), decode_painting(text)
    size = max(length, before.shape[1])
    planes = np.zeros((2, size, size), bool)
    planes[:, : before.shape[1], : before.shape[1]] = before
    rows, cols = np.divmod(np.asarray(cells, dtype=np.int64), length)
    planes[:, rows, cols] = False
    differs = base[rows, cols] != may
    planes[OPEN_CELL if may else CLOSED_CELL, rows[differs], cols[differs]] = True
    return encode_painting(planes)
