"""The bytes that the pieces of tokenizers made elsewhere add to a text."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from core.text.words import MARK


def speller(values: Mapping[str, Any]) -> Callable[[str], bytes]:
    """Return the function that gives the bytes of a piece, by its name in a ``tokenizer.json``.

    It depends on the file's decoder and pre-tokenizer if they work on bytes, else on its model.
    """
    stages = json.dumps([values.get("decoder"), values.get("pre_tokenizer")])
    if '"ByteLevel"' in stages:
        return _from_bytes
    model = values["model"]
    if model.get("type") == "WordPiece":
        mark = model.get("continuing_subword_prefix", "##")
        return lambda name: (name.removeprefix(mark) if name.startswith(mark) else f" {name}").encode()
    if model.get("type") == "WordLevel":
        return lambda name: f" {name}".encode()
    if end := model.get("end_of_word_suffix"):
        return lambda name: (f"{name.removesuffix(end)} " if name.endswith(end) else name).encode()
    return from_mark


def from_mark(name: str) -> bytes:
    """Return the bytes of a piece named as in sentencepiece: U+2581 means a space, and <0x0A> is a single byte."""
    if len(name) == 6 and name.startswith("<0x") and name.endswith(">"):
        try:
            return bytes.fromhex(name[3:5])
        except ValueError:
            pass
    return name.replace(MARK, " ").encode(errors="replace")


def _printed_bytes() -> dict[str, int]:
    """Return the byte that each character means in byte-level BPE (Radford et al. 2019).

    A printable byte is written as the character with its code, and the others as characters from U+0100 on.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + k): byte for k, byte in enumerate(others)}


BYTE_OF = _printed_bytes()


def _from_bytes(name: str) -> bytes:
    if all(character in BYTE_OF for character in name):
        return bytes(BYTE_OF[character] for character in name)
    return name.encode(errors="replace")  # an added piece, kept as it is written
