"""Pack numbers and labels for a canvas into one block of bytes.

Layout: a little-endian uint32 with the length of the header, the header (UTF-8 JSON, padded with spaces to a multiple
of four bytes), then every array's values in order, each padded with zeros to a multiple of four bytes. The header
holds `meta` as given and, under `arrays`, each array's name, shape and dtype (`f4` or `u1`). `unpack` and, in the
browser, `unpack.js` read it back.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

DTYPES = {"f4": "<f4", "u1": "|u1"}


def pack(meta: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return the bytes for one canvas.

    meta: plain JSON values.
    arrays: name to array of any shape; uint8 stays uint8, all else becomes float32.
    """
    entries, blocks = [], []
    for name, array in arrays.items():
        kind = "u1" if array.dtype == np.uint8 else "f4"
        block = np.ascontiguousarray(array, dtype=DTYPES[kind]).tobytes()
        entries.append({"name": name, "shape": list(array.shape), "dtype": kind})
        blocks.append(block + bytes(-len(block) % 4))
    header = json.dumps({"meta": dict(meta), "arrays": entries}, ensure_ascii=False, allow_nan=False).encode()
    header += b" " * (-len(header) % 4)
    return len(header).to_bytes(4, "little") + header + b"".join(blocks)


def unpack(block: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the meta and the arrays of a block that `pack` made."""
    start = 4 + int.from_bytes(block[:4], "little")
    header = json.loads(block[4:start])
    arrays = {}
    for entry in header["arrays"]:
        count, kind = int(np.prod(entry["shape"], dtype=int)), np.dtype(DTYPES[entry["dtype"]])
        arrays[entry["name"]] = np.frombuffer(block, kind, count, start).reshape(entry["shape"])
        start += -(-count * kind.itemsize // 4) * 4
    return header["meta"], arrays
