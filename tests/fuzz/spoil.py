"""Files made wrong at random: cut off, with bits turned over, with parts lost or twice, with other values in JSON."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

HUGE = 3 * 2**30  # of a file that says that it is so long, and takes no room on the disk
VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 7, 10**6, 2**31, 2**63, 10**30, 0.5, -0.0, 1e-320, 1e308, float("nan"), float("inf")),
    *("", "a\nb", "x" * 3_000, "../../etc/passwd", "<script>alert(1)</script>", "\ud800", "3", "\0"),
    *([], {}, [[]], [0] * 500, {"a": {"b": 1}}, [None], ["a", "a"]),
)

Spoil = Callable[[bytes, Random], bytes]


def cut_off(raw: bytes, rng: Random) -> bytes:
    return raw[: rng.randrange(len(raw) + 1)]


def turn_bits(raw: bytes, rng: Random) -> bytes:
    """A few bits, most of them near the beginning, where files say what they hold."""
    found = bytearray(raw)
    for _ in range(rng.choice((1, 1, 2, 8))):
        found[rng.randrange(min(len(raw), rng.choice((64, 4_000, len(raw)))))] ^= 1 << rng.randrange(8)
    return bytes(found)


def lose_part(raw: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(raw))
    return raw[:start] + raw[start + rng.choice((1, 8, 300)) :]


def repeat_part(raw: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(raw))
    return raw[:start] + raw[start : start + rng.choice((1, 8, 300))] * rng.choice((2, 40)) + raw[start:]


def put_in(raw: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(raw))
    return raw[:start] + rng.choice((b"\xff" * 8, b"\0" * 50, b"[" * 20_000, rng.randbytes(20))) + raw[start:]


def change_value(raw: bytes, rng: Random) -> bytes:
    """Another value somewhere in a JSON file."""
    values = json.loads(raw)
    holders = [values]
    while inner := [each for each in children(holders[-1]) if isinstance(each, dict | list) and each]:
        if len(holders) > 1 and rng.random() < 0.4:
            break
        holders.append(rng.choice(inner))
    holder = holders[-1]
    key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    match rng.randrange(8):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[rng.choice(("surprise", "auto_map", "\n", key + key))] = holder[key]
        case _:
            holder[key] = rng.choice(VALUES)
    return json.dumps(values).encode(errors="surrogatepass")


def children(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def change_header(raw: bytes, rng: Random) -> bytes:
    """Another value in the header of a safetensors file, or another length of it."""
    (length,) = struct.unpack("<Q", raw[:8])
    said = change_value(raw[8 : 8 + length], rng)
    claimed = rng.choice((len(said), len(said), len(said), 0, 2**20, 2**62, 2**64 - 1))
    return struct.pack("<Q", claimed) + said + raw[8 + length :]


ANY: tuple[Spoil, ...] = (cut_off, turn_bits, turn_bits, lose_part, repeat_part, put_in)


def spoil_file(path: Path, rng: Random) -> str:
    """Make a file wrong in place; returns how."""
    if rng.random() < 0.03:
        with path.open("r+b") as file:
            file.truncate(HUGE)
        return f"{path.name}: too long"
    own: tuple[Spoil, ...] = {".json": (change_value,) * 8, ".safetensors": (change_header,) * 4}.get(path.suffix, ())
    how = rng.choice((*ANY, *own))
    path.write_bytes(how(path.read_bytes(), rng))
    return f"{path.name}: {how.__name__}"
